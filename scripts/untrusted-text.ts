// A text of somebody else may hold commands for a terminal, and line ends that forge a line of this program.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const CHARACTERS_MAX = 200;

/** Makes a text safe to print on one line of a terminal. */
export function plainText(text: string): string {
  const plain = text.slice(0, CHARACTERS_MAX).replaceAll(INVISIBLE, '\uFFFD');
  return text.length > CHARACTERS_MAX ? `${plain}…` : plain;
}

/** Formats a value as JSON in which every invisible character is escaped. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(INVISIBLE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Finds a name that one object of a JSON text has twice; null where there is none. The text must be valid JSON. */
export function findDuplicateName(text: string): string | null {
  const open: Set<string>[] = [];
  for (const [token, name] of text.matchAll(
    /("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g,
  )) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    if (name === undefined) continue;
    const plainName: unknown = JSON.parse(name);
    const names = open.at(-1);
    if (typeof plainName !== 'string' || names === undefined) continue;
    if (names.has(plainName)) return plainName;
    names.add(plainName);
  }
  return null;
}
