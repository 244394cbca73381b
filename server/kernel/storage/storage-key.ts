const KEY = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

export const isKey = (text: string): boolean => KEY.test(text);

/** Gives `key` back; throws where it is none, before it could lead anywhere. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error(`${JSON.stringify(key)} is not a storage key.`);
  return key;
}
