/** Returns lower-case names, as written and without punctuation: `mx-5` and `mx5` both find a Mazda MX-5. */
export function makeSearchText(names: readonly string[]): string {
  const written = plain(names.join(' '));
  return `${written} ${names.map((name) => plain(name).replaceAll(/[^a-z0-9]/g, '')).join(' ')}`;
}

/** Splits a query into words, in lower case and without accents. */
export function splitSearchWords(query: string): string[] {
  return plain(query).split(/\s+/).filter(Boolean);
}

/** Converts text to lower case without accents: `Citroën` becomes `citroen`. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .trim();
}
