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
    isBetween = isMark || byte === LINE_FEED || byte === CARRIAGE_RETURN;
  }
  return separated.subarray(0, length);
}

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
