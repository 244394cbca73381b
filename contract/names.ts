// One rule for every name that others see, of people, tracks and cars: what somebody types is refused, and what a provider or a
// file gives is cleaned. Joiners are no letters, but emoji and Indic scripts need them; private use is for icons of fonts.

// Fillers of Hangul, vowels of Khmer and the empty Braille cell are letters and symbols that show nothing.
const INVISIBLE = '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0';

/** Matches a name without characters that control, hide or turn text. */
export const VISIBLE_NAME = new RegExp(
  `^(?:[^\\p{C}\\p{Zl}\\p{Zp}${INVISIBLE}]|\\p{Co}|\\u200c|\\u200d)*$`,
  'u',
);

export const INVISIBLE_CHARACTERS = 'The name must not hold invisible characters.';

const HIDDEN = new RegExp(`(?!\\p{Co}|\\u200c|\\u200d)[\\p{C}${INVISIBLE}]`, 'gu');

/** Returns a name on one line without characters that control, hide or turn text; empty where nothing visible is left. */
export function cleanName(text: string): string {
  const name = text
    .normalize('NFC')
    // The database refuses lone surrogates.
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll(HIDDEN, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : '';
}
