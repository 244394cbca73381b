import { decodeText } from './text-encoding.ts';

/**
 * Returns the text of a table without the blanks at both ends of its cells, where most of its cells have some: `a, b`,
 * `a ,b`, `  a,   b`. Cells in quotes stay as they are. Other text is returned as it is.
 */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  const separator = findPaddedSeparator(bytes);
  if (separator === null) return bytes;
  const tidy = new Uint8Array(bytes.length);
  let length = 0;
  for (let position = 0; position < bytes.length;) {
    const start = skipBlanks(bytes, position);
    const end = endOfCell(bytes, start, separator);
    let last = end;
    while (last > start && isBlank(bytes[last - 1])) last--;
    tidy.set(bytes.subarray(start, last), length);
    length += last - start;
    if (end < bytes.length) tidy[length++] = bytes[end] ?? LINE_FEED;
    position = end + 1;
  }
  return tidy.subarray(0, length);
}

/** Returns text without the line `sep=;` that tells spreadsheets the separator, where it begins with one. */
export function withoutSeparatorLine(bytes: Uint8Array): Uint8Array {
  const line = SEPARATOR_LINE.exec(String.fromCharCode(...bytes.subarray(0, LONGEST_SEPARATOR_LINE)));
  return line === null ? bytes : bytes.subarray(line[0].length);
}

/** Returns text with the hyphen as the minus of its numbers where it has `−` there, as programs in Sweden or Norway write it. */
export function withPlainMinus(bytes: Uint8Array): Uint8Array {
  if (!TYPOGRAPHIC_MINUS.test(decodeText(bytes.subarray(0, EVIDENCE_BYTES)))) return bytes;
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let position = 0; position < bytes.length;) {
    const isMinus = MINUS_UTF8.every((byte, index) => bytes[position + index] === byte);
    plain[length++] = isMinus ? HYPHEN : (bytes[position] ?? 0);
    position += isMinus ? MINUS_UTF8.length : 1;
  }
  return plain.subarray(0, length);
}

const TYPOGRAPHIC_MINUS = /\u2212\d/;
const MINUS_UTF8 = [0xe2, 0x88, 0x92];

const SEPARATOR_LINE = /^"?sep=.?"?[,;\t]*(?:\r\n|\n|\r)/i;
const LONGEST_SEPARATOR_LINE = 40;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const SEMICOLON = 0x3b;
const LESS_THAN = 0x3c;

// Sentences of a preamble have blanks behind their commas, too; the rows below it outnumber them.
const EVIDENCE_BYTES = 16_384;
const FEWEST_SEPARATORS = 8;
const PADDED_SHARE_MIN = 0.6;

/** Finds the separator of a table whose cells, or lines, begin or end with blanks nearly everywhere; null for other text. */
function findPaddedSeparator(bytes: Uint8Array): number | null {
  if (bytes[skipBlanks(bytes, 0)] === LESS_THAN) return null;
  const beginning = bytes.subarray(0, EVIDENCE_BYTES);
  const [lineCount, indented] = countPadded(
    beginning,
    beginning.includes(LINE_FEED) ? LINE_FEED : CARRIAGE_RETURN,
    1,
  );
  const isIndented = indented >= PADDED_SHARE_MIN * lineCount;
  const found = [SEMICOLON, TAB, COMMA].find((separator) => {
    const [count, padded] = countPadded(beginning, separator, 2);
    return count >= FEWEST_SEPARATORS && (isIndented || padded >= PADDED_SHARE_MIN * count);
  });
  return found ?? null;
}

/** Counts a mark, and how often a blank follows it, or with two `sides` precedes it. */
function countPadded(bytes: Uint8Array, mark: number, sides: 1 | 2): [count: number, padded: number] {
  let [count, padded] = [0, 0];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    count++;
    if (isBlank(bytes[at + 1]) || (sides === 2 && isBlank(bytes[at - 1]))) padded++;
  }
  return [count, padded];
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE;
}

function skipBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isBlank(bytes[at])) at++;
  return at;
}

/** Returns the offset of the separator or the line end behind a cell. In quotes, a separator is part of the cell. */
function endOfCell(bytes: Uint8Array, start: number, separator: number): number {
  let isQuoted = bytes[start] === QUOTE;
  let at = isQuoted ? start + 1 : start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return at;
    if (byte === QUOTE) isQuoted = false;
    else if (byte === separator && !isQuoted) return at;
  }
  return at;
}
