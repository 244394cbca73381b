import { UnreadableLapFileError } from '../../lap-file.ts';
import { parseColumnHead, type NamedTable } from '../text/csv-header.ts';
import type { TableRow } from '../text/csv-table.ts';

/** Names the columns that are read, in groups of which each matters otherwise. */
type ReadColumns = {
  position: readonly (number | null)[];
  /** Time, speed and number of the lap. */
  others: readonly (number | null)[];
  channels: readonly (number | null)[];
};

/**
 * Looks at rows without a number for their position, among which may be a second header: apps write it again after a restart. With the
 * same columns it means nothing.
 */
export class LaterHeader {
  readonly #table: NamedTable;
  readonly #columns: ReadColumns;
  #cellsLeft = MOST_CELLS;
  /** True where the channels lie in other columns from here on. */
  hasOtherChannels = false;

  constructor(table: NamedTable, columns: ReadColumns) {
    this.#table = table;
    this.#columns = columns;
  }

  /** Throws UnreadableLapFileError where position, time, speed or lap lie in other columns from here on. */
  see(row: TableRow): void {
    if (this.#cellsLeft <= 0 || !row.beginsWithWord()) return;
    const cells = row.cells();
    this.#cellsLeft -= cells.length;
    const names = cells.map((cell, index) => parseColumnHead(index, cell).name);
    const { position, others, channels } = this.#columns;
    const searched = position.flatMap((column) => this.#table.heads[column ?? -1]?.name ?? []);
    if (searched.length === 0 || !searched.every((name) => names.includes(name))) return;
    if (!this.#isSame([...position, ...others], names)) {
      throw new UnreadableLapFileError(
        `This file has a second header with other columns behind ${row.rowNumber - 1} rows of data; split it there into two files and upload each of them.`,
      );
    }
    this.hasOtherChannels = !this.#isSame(channels, names);
  }

  #isSame(columns: readonly (number | null)[], names: readonly string[]): boolean {
    return columns.every((column) => column === null || names[column] === this.#table.heads[column]?.name);
  }
}

// Rows of words are rare in a lap file; one that is full of them must not take long.
const MOST_CELLS = 200_000;
