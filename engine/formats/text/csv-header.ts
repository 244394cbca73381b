import {
  EVIDENCE_BYTES,
  lineAt,
  detectLineEnd,
  detectSeparator,
  splitLine,
  type CsvTable,
  type Line,
} from './csv-table.ts';

/** Describes what the header says of one column, in lower case; '' for what it does not say. */
export type ColumnHead = {
  index: number;
  /** Words with single blanks between them: `gps latitude`. */
  name: string;
  /** Unit as written: `m/s`, `ms`, `°`. */
  unit: string;
  /** Source of the values in the header of a logger of many sensors: `100: gps`, `obd`. */
  source: string;
};

/** Describes a table whose columns are known by name. */
export type NamedTable = CsvTable & { heads: ColumnHead[] };

/**
 * Takes the head of a column apart: `GPS Speed (km/h)`, `Speed (m/s) *obd`, `LATITUDE[degrees]` and `speed_kmh` name their unit in
 * the same cell; other loggers put unit and source into rows of their own.
 */
export function parseColumnHead(index: number, nameCell: string, unitCell = '', sourceCell = ''): ColumnHead {
  const [withUnit = '', ownSource] = nameCell.slice(0, LONGEST_NAME).split('*', 2);
  const [label = '', bracketed] = withUnit.split(/[([]/, 2);
  const words = label
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}/]+/u)
    .filter(Boolean);
  const unit = bracketed?.split(/[)\]]/, 1)[0] || unitCell || takeUnit(words);
  return { index, name: words.join(' '), unit: tidy(unit), source: tidy(ownSource ?? sourceCell) };
}

/**
 * Finds the header: the first line near the beginning whose columns satisfy `isHeader`. Some formats begin with a preamble of any
 * length, blank lines included, so neither the first line nor the first after a blank one can be relied on.
 */
export function findNamedTable(
  bytes: Uint8Array,
  isHeader: (heads: ColumnHead[]) => boolean,
): NamedTable | null {
  const lineEnd = detectLineEnd(bytes);
  let position = 0;
  let cells = 0;
  for (
    let count = 0;
    count < MOST_PREAMBLE_LINES && cells < MOST_PREAMBLE_CELLS && position < bytes.length;
  ) {
    const line = lineAt(bytes, position, lineEnd);
    position = line.next;
    if (line.end - line.start < SHORTEST_HEADER) continue;
    count++;
    if (!isWords(bytes, line)) continue;
    const separator = detectSeparator(bytes, line);
    const heads = splitLine(bytes, line, separator).map((cell, index) => parseColumnHead(index, cell));
    cells += heads.length;
    if (isHeader(heads)) return { bytes, separator, firstRow: line.next, heads };
  }
  return null;
}

/** Returns whether a line has more letters than digits. A header has; the rows below it have not, and are not worth taking apart. */
function isWords(bytes: Uint8Array, { start, end }: Line): boolean {
  let balance = 0;
  const beginningEnd = Math.min(end, start + EVIDENCE_BYTES);
  for (let at = start; at < beginningEnd; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= DIGIT_ZERO && byte <= DIGIT_NINE) balance--;
    else if (byte >= FIRST_LETTER) balance++;
  }
  return balance > 0;
}

const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
// Letters begin with a capital A. Few bytes behind it are no letters; those of letters beyond ASCII come after all of
// them.
const FIRST_LETTER = 0x41;

/** The index of the first column with the first of these names that the table has; null where it has none of them. */
export function findColumn(
  heads: readonly ColumnHead[],
  names: readonly string[],
  accept: (head: ColumnHead) => boolean = () => true,
): number | null {
  for (const name of names) {
    const head = heads.find((candidate) => candidate.name === name && accept(candidate));
    if (head !== undefined) return head.index;
  }
  return null;
}

/** Takes a unit off the end of a name, where it ends with one: `speed kmh`. */
function takeUnit(words: string[]): string {
  return words.length > 1 && UNITS_IN_NAMES.has(words.at(-1) ?? '') ? (words.pop() ?? '') : '';
}

function tidy(cell: string): string {
  return cell.trim().toLowerCase();
}

const UNITS_IN_NAMES = new Set(
  's sec ms us usec deg rad e7 kmh kph mph mps km/h m/s mi/h kn kt kts knots'.split(' '),
);

// Longer cells are no names, even with the zeros that some loggers fill up with in front of them, and would take long to take apart.
const LONGEST_NAME = 10_000;

// "a,b,c" holds a position and its time in the shortest possible names; blank lines are shorter.
const SHORTEST_HEADER = 5;

const MOST_PREAMBLE_LINES = 500;

// The limit is twice the widest table. A preamble of such lines would take as long as all of them.
const MOST_PREAMBLE_CELLS = 40_000;
