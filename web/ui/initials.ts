/** The first two letters of a name, uppercased: what a board shows in place of a missing avatar. */
export function firstTwoLetters(name: string): string {
  return firstLetters(name.trim(), 2);
}

/** The first letters of the first and the last word of a name, uppercased. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return firstLetters(first, 1) + firstLetters(last, 1);
}

// By code points, so that a letter outside the basic plane is not cut in half.
function firstLetters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('').toUpperCase();
}
