/**
 * Returns a table with bars or blanks between its cells as one with semicolons; null for text that is none. Only a file that no
 * format knows is asked for: bars and blanks are part of the cells of other tables. The header, or the first row,
 * must have as many cells as the row below it.
 */
export function withSemicolons(bytes: Uint8Array, head: string): Uint8Array | null {
  const lines = head.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const [mark = null] = [BAR, SPACE].filter((candidate) =>
    isSeparator(lines, String.fromCharCode(candidate)),
  );
  if (mark === null) return null;
  const separated = new Uint8Array(bytes.length);
  let length = 0;
  let isBetween = true;
  for (const byte of bytes) {
    const isMark = byte === mark || byte === SPACE;
    if (!isMark) {
      separated[length++] = byte;
    } else if (mark === BAR ? byte === BAR : !isBetween) {
      separated[length++] = SEMICOLON;
    }
    isBetween = isMark || isLineEnd(byte);
  }
  return separated.subarray(0, length);
}

/**
 * Returns a table between commas with points in its numbers where these have commas in quotes, as spreadsheets of many languages
 * write it: `"48,137154"`. Null for other tables, and where all such numbers may have commas between groups of thousands.
 */
export function withDecimalPoints(bytes: Uint8Array, head: string): Uint8Array | null {
  if (!QUOTED_DECIMAL.test(head)) return null;
  const pointed = new Uint8Array(bytes.length);
  // The places in `pointed` of the quote that opened a cell and of its only comma; -1 where there is none, or the cell is no number.
  let [openedAt, commaAt] = [-1, -1];
  let isQuoted = false;
  let length = 0;
  for (const byte of bytes) {
    pointed[length] = byte;
    if (isLineEnd(byte)) isQuoted = false;
    else if (byte === QUOTE) {
      if (isQuoted && hasDecimals(openedAt, commaAt, length)) {
        pointed[commaAt] = POINT;
        pointed.copyWithin(openedAt, openedAt + 1, length);
        length -= 2;
      }
      isQuoted = !isQuoted;
      [openedAt, commaAt] = [length, -1];
    } else if (isQuoted && byte === COMMA && commaAt < 0) commaAt = length;
    else if (isQuoted && !isOfNumber(byte)) openedAt = -1;
    length += 1;
  }
  return pointed.subarray(0, length);
}

function hasDecimals(openedAt: number, commaAt: number, closedAt: number): boolean {
  return openedAt >= 0 && commaAt > openedAt + 1 && commaAt < closedAt - 1;
}

const QUOTED_DECIMAL = /(?:^|,)"[-+]?(?:\d{4,},\d{1,3}|\d{1,3},(?:\d{1,2}|\d{4,}))"(?:,|\r|\n|$)/m;

function isOfNumber(byte: number): boolean {
  return (byte >= DIGIT_ZERO && byte <= DIGIT_NINE) || byte === MINUS || byte === PLUS;
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const POINT = 0x2e;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const SEMICOLON = 0x3b;
const BAR = 0x7c;

const FEWEST_CELLS = 3;
const FIRST_LINES = 20;

/** Two lines that follow each other near the beginning have the same number of cells, and no other separators. */
function isSeparator(lines: readonly string[], mark: string): boolean {
  const counts = lines
    .slice(0, FIRST_LINES)
    .map((line) => (/[,;\t]/.test(line) ? 0 : countCells(line, mark)));
  return counts.some((count, index) => count >= FEWEST_CELLS && count === counts[index + 1]);
}

function countCells(line: string, mark: string): number {
  const cells = line.split(mark);
  return mark === ' ' ? cells.filter((cell) => cell !== '').length : cells.length;
}
