import { parseDecimal } from './decimal.ts';
import { decodeText } from './text-encoding.ts';

/** Describes the rows of a text table: one line each, cells between separators, some of them in double quotes. */
export type CsvTable = {
  bytes: Uint8Array;
  /** The byte between two cells: a comma, a semicolon or a tab. */
  separator: number;
  /** Offset of the first byte after the header. */
  firstRow: number;
};

/** Offsets of one line without its line end, and of the line after it. */
export type Line = { start: number; end: number; next: number };

/**
 * Reads every data row once, from the first to the last, and converts nothing that is not asked for.
 * `columns` are the indexes of the columns that `visit` wants; it addresses their cells by the position in
 * this list. A column that the table does not have is null and its cells are blank, like those that a short row lacks.
 * Blank lines are skipped; lines that begin with `#` go to `comment`. A quoted cell may hold separators but no line end: where a
 * quote is missing, only its own line is lost. `visit` and `comment` stop the reading by answering false.
 */
export function readRows(
  table: CsvTable,
  columns: readonly (number | null)[],
  visit: (row: TableRow) => boolean | void,
  comment: (text: string) => boolean | void = () => {},
): void {
  const { bytes } = table;
  const lineEnd = detectLineEnd(bytes);
  const row = new TableRow(table, columns, lineEnd);
  let position = table.firstRow;
  while (position < bytes.length) {
    const first = bytes[position];
    if (first === LINE_FEED || first === CARRIAGE_RETURN) {
      position++;
    } else if (first === HASH || (first === QUOTE && bytes[position + 1] === HASH)) {
      const line = lineAt(bytes, position, lineEnd);
      if (
        comment(decodeText(bytes.subarray(line.start, Math.min(line.end, line.start + LONGEST_COMMENT)))) ===
        false
      )
        return;
      position = line.next;
    } else {
      position = row.scan(position);
      if (!row.isEmpty() && visit(row) === false) return;
    }
  }
}

/** Describes one row of a table. The same object is handed out again for the next row, so read what you need at once. */
export class TableRow {
  readonly #bytes: Uint8Array;
  readonly #separator: number;
  readonly #lineEnd: number;
  readonly #decimalComma: boolean;
  /** The place of each column in the list of wanted ones, -1 for the others, up to the last wanted one. */
  readonly #slotOfColumn: Int32Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  /** Places in the list whose column is in it before, and that place. */
  readonly #twins: { slot: number; twin: number }[] = [];
  #rowNumber = 0;
  #lineStart = 0;

  constructor(table: CsvTable, columns: readonly (number | null)[], lineEnd: number) {
    this.#bytes = table.bytes;
    this.#separator = table.separator;
    this.#lineEnd = lineEnd;
    this.#decimalComma = table.separator !== COMMA;
    this.#starts = new Int32Array(columns.length);
    this.#ends = new Int32Array(columns.length);
    this.#slotOfColumn = new Int32Array(Math.max(0, ...columns.map((column) => (column ?? 0) + 1))).fill(-1);
    for (const [slot, column] of columns.entries()) {
      if (column === null) continue;
      const twin = this.#slotOfColumn[column] ?? -1;
      if (twin >= 0) this.#twins.push({ slot, twin });
      else this.#slotOfColumn[column] = slot;
    }
  }

  /** Returns the number of this row among all rows, from 1; rows without any wanted cell count, too. */
  get rowNumber(): number {
    return this.#rowNumber;
  }

  /** Returns whether the row begins with a letter, as headers do. */
  beginsWithWord(): boolean {
    const first = this.#bytes[this.#lineStart] ?? 0;
    return (first === QUOTE ? (this.#bytes[this.#lineStart + 1] ?? 0) : first) >= FIRST_LETTER;
  }

  /** Returns the cells of the whole row, as `splitLine` does. */
  cells(): string[] {
    const line = lineAt(this.#bytes, this.#lineStart, this.#lineEnd);
    return splitLine(this.#bytes, line, this.#separator);
  }

  /** Returns whether nothing is written in a cell. A lone dash is how some loggers write nothing. */
  isBlank(slot: number): boolean {
    const end = this.end(slot);
    let dashes = 0;
    for (let at = this.start(slot); at < end; at++) {
      const byte = this.#bytes[at] ?? SPACE;
      if (byte > SPACE && (byte !== DASH || ++dashes > 1)) return false;
    }
    return true;
  }

  /** Returns whether no number could be read from a cell though something is written in it: a row cut off, a second header. */
  isGarbled(slot: number, number: number): boolean {
    return Number.isNaN(number) && !this.isBlank(slot);
  }

  /** Returns whether nothing is written in any of the wanted cells. */
  isEmpty(): boolean {
    for (let slot = 0; slot < this.#starts.length; slot++) if (!this.isBlank(slot)) return false;
    return true;
  }

  /** Returns the number in a cell times ten to the power of `shift`; NaN where there is none. */
  number(slot: number, shift = 0): number {
    const start = this.start(slot);
    const end = this.end(slot);
    if (!this.#decimalComma) return parseDecimal(this.#bytes, start, end, shift);
    const comma = this.#bytes.subarray(start, end).indexOf(COMMA);
    if (comma < 0) return parseDecimal(this.#bytes, start, end, shift);
    const copy = this.#bytes.slice(start, end);
    copy[comma] = POINT;
    return parseDecimal(copy, 0, copy.length, shift);
  }

  /** Returns the characters of a cell, without its quotes and the blanks around it. */
  text(slot: number): string {
    return decodeText(this.#bytes.subarray(this.start(slot), this.end(slot))).trim();
  }

  /** Reads a cell with one of the readers that work on bytes. */
  read<Value>(slot: number, reader: (bytes: Uint8Array, start: number, end: number) => Value): Value {
    return reader(this.#bytes, this.start(slot), this.end(slot));
  }

  /** Finds the wanted cells of the line at `lineStart`; answers with the offset of the next line. */
  scan(lineStart: number): number {
    this.#rowNumber++;
    this.#lineStart = lineStart;
    const next = this.#findCells(lineStart);
    for (const { slot, twin } of this.#twins) {
      this.#starts[slot] = this.start(twin);
      this.#ends[slot] = this.end(twin);
    }
    return next;
  }

  #findCells(lineStart: number): number {
    const bytes = this.#bytes;
    const separator = this.#separator;
    const lineEnd = this.#lineEnd;
    const slotOfColumn = this.#slotOfColumn;
    const columnCount = slotOfColumn.length;
    let at = lineStart;
    for (let column = 0; column < columnCount; column++) {
      const slot = slotOfColumn[column] ?? -1;
      let start = at;
      let end = -1;
      if (bytes[at] === QUOTE) {
        start = at + 1;
        end = endOfQuotes(bytes, start, lineEnd);
        at = end;
      }
      at = endOfCell(bytes, at, separator, lineEnd);
      if (slot >= 0) {
        this.#starts[slot] = start;
        this.#ends[slot] = end < 0 ? at : end;
      }
      at++;
      if (bytes[at - 1] !== separator) {
        this.#dropCellsAfter(column);
        return at;
      }
    }
    const next = bytes.indexOf(lineEnd, at);
    return next < 0 ? bytes.length : next + 1;
  }

  /** A short row lacks the columns after its last one; their cells are blank. */
  #dropCellsAfter(lastColumn: number): void {
    for (let column = lastColumn + 1; column < this.#slotOfColumn.length; column++) {
      const slot = this.#slotOfColumn[column] ?? -1;
      if (slot >= 0) this.#starts[slot] = this.#ends[slot] = 0;
    }
  }

  private start(slot: number): number {
    return this.#starts[slot] ?? 0;
  }

  private end(slot: number): number {
    return this.#ends[slot] ?? 0;
  }
}

export function lineAt(bytes: Uint8Array, start: number, lineEnd = detectLineEnd(bytes)): Line {
  const found = bytes.indexOf(lineEnd, start);
  return found < 0
    ? { start, end: bytes.length, next: bytes.length }
    : { start, end: found, next: found + 1 };
}

/** Returns the first line from `start` on that is more than a line end. */
export function filledLineAt(bytes: Uint8Array, start: number): Line {
  let at = start;
  while (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) at++;
  return lineAt(bytes, at);
}

/** Detects the byte that ends every line: a line feed, or a carriage return in a file that has no line feed at all. */
export function detectLineEnd(bytes: Uint8Array): number {
  return bytes.includes(LINE_FEED) ? LINE_FEED : CARRIAGE_RETURN;
}

/** Returns the cells of a line, without quotes and blanks; of one longer than any header, only the beginning. */
export function splitLine(bytes: Uint8Array, line: Line, separator: number): string[] {
  const text = decodeText(bytes.subarray(line.start, Math.min(line.end, line.start + LONGEST_HEADER_LINE)));
  const mark = String.fromCharCode(separator);
  const cells: string[] = [];
  let at = 0;
  while (at <= text.length && cells.length < MOST_COLUMNS) {
    let end = at;
    if (text[at] === '"') {
      end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    }
    end = text.indexOf(mark, Math.max(end, at));
    if (end < 0) end = text.length;
    cells.push(unquoted(text.slice(at, end).trim()));
    at = end + 1;
  }
  return cells;
}

/** Detects the separator of a line: whichever of comma, semicolon and tab its beginning holds most of outside of quotes. */
export function detectSeparator(bytes: Uint8Array, line: Line): number {
  const counts = new Map<number, number>([COMMA, SEMICOLON, TAB].map((mark) => [mark, 0]));
  let quoted = false;
  const end = Math.min(line.end, line.start + EVIDENCE_BYTES);
  for (let at = line.start; at < end; at++) {
    const byte = bytes[at] ?? SPACE;
    if (byte === QUOTE) quoted = !quoted;
    const count = quoted ? undefined : counts.get(byte);
    if (count !== undefined) counts.set(byte, count + 1);
  }
  return [...counts].reduce((most, candidate) => (candidate[1] > most[1] ? candidate : most))[0];
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const DASH = 0x2d;
const POINT = 0x2e;
const SEMICOLON = 0x3b;
const FIRST_LETTER = 0x41;

// Beyond these a file is no table of a data logger, however it looks, and must not eat the memory of the machine.
const LONGEST_HEADER_LINE = 8_000_000;
export const MOST_COLUMNS = 20_000;
const LONGEST_COMMENT = 1000;

/** The beginning of a line shows what kind of line it is, however long it goes on. */
export const EVIDENCE_BYTES = 65_536;

/** The offset of the separator or the line end behind a cell; the length of the file where neither follows. */
function endOfCell(bytes: Uint8Array, start: number, separator: number, lineEnd: number): number {
  // Most bytes are above both, which is one question instead of two.
  const highest = Math.max(separator, lineEnd);
  let at = start;
  let byte = bytes[at] ?? lineEnd;
  while (byte > highest || (byte !== separator && byte !== lineEnd)) byte = bytes[++at] ?? lineEnd;
  return at;
}

/** The offset of the quote that closes a cell, or of the end of the line where none does. */
function endOfQuotes(bytes: Uint8Array, start: number, lineEnd: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === lineEnd) return at;
    if (byte !== QUOTE) continue;
    if (bytes[at + 1] !== QUOTE) return at;
    at++;
  }
  return bytes.length;
}

function unquoted(cell: string): string {
  return cell.startsWith('"') ? cell.replace(/^"|"$/g, '').replaceAll('""', '"').trim() : cell;
}
