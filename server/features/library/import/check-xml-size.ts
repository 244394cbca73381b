import { AppError } from '#server/kernel/errors.ts';

// A document object model takes some 50 µs and 1 KB an element on a busy core. The largest collection of circuits that is known
// has 10,000 elements, and a line of 2 MB has 70,000 points.
const ELEMENTS_MAX = 60_000;
const DEPTH_MAX = 200;
const TAG_CHARACTERS_MAX = 20_000;
const PIECE_CHARACTERS_MAX = 2_000_000;
const TEXT_CHARACTERS_MAX = 10_000_000;

/**
 * Refuses XML that would take long to parse, in one quick pass: more elements, deeper ones, or longer texts and tags than any
 * file of tracks has. Comments count as elements.
 * @throws AppError `invalid_input`
 */
export function checkXmlSize(text: string): void {
  if (text.length > TEXT_CHARACTERS_MAX) throw tooLarge('10 million characters');
  let elements = 0;
  let depth = 0;
  for (let at = text.indexOf('<'); at >= 0;) {
    const next = text.indexOf('<', at + 1);
    const piece = text.slice(at, next < 0 ? text.length : next);
    if (piece.length > PIECE_CHARACTERS_MAX) throw tooLarge('2 million characters in one text');
    const tagLength = piece.indexOf('>');
    if (tagLength > TAG_CHARACTERS_MAX || (tagLength < 0 && piece.length > TAG_CHARACTERS_MAX))
      throw tooLarge('20,000 characters in one tag');
    depth += depthChange(piece, tagLength);
    if (depth > DEPTH_MAX) throw tooLarge(`${DEPTH_MAX} levels`);
    if (piece[1] !== '/') elements += 1;
    if (elements > ELEMENTS_MAX) throw tooLarge('60,000 elements');
    at = next;
  }
}

function depthChange(piece: string, tagLength: number): number {
  const [, sign = ''] = piece;
  if (sign === '/') return -1;
  const isAlone = sign === '!' || sign === '?' || piece[tagLength - 1] === '/';
  return isAlone ? 0 : 1;
}

function tooLarge(limit: string): AppError {
  return new AppError('invalid_input', `This XML file has more than ${limit}, so it is no list of tracks.`);
}
