export function readField(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

/** Reads a number with a decimal point or comma; null without one, NaN for another text. */
export function readNumber(typed: string): number | null {
  return typed.trim() === '' ? null : Number(typed.trim().replace(',', '.'));
}
