import type { LapRecord } from '#contract/laps/schemas.ts';
import { readBoard, type Board, type BoardRecord, type PageRange, type Viewer } from './read-board.ts';

/** A board with its records also in groups of rows. A group stays the same array until a record in it changes. */
export type LongBoard = Pick<Board, 'records' | 'own'> & { groups: BoardRecord[][] };

/** A group is small enough to render between two frames while a phone scrolls, and divides the page size. */
export const GROUP_ROWS = 25;

const PAGE_SIZE = 100;

/** Returns the page at `offset`, extended if it has to reach the first `wantedCount` records of the board. */
export function nextRange(offset: number, wantedCount: number): PageRange {
  const missingPages = Math.ceil((wantedCount - offset) / PAGE_SIZE);
  return { offset, limit: Math.max(1, missingPages) * PAGE_SIZE };
}

/** Joins the pages of a board. The own record may come twice: at the end of the first page, and at its rank. */
export function joinPages(
  pages: readonly (readonly LapRecord[])[],
  ranges: readonly PageRange[],
  viewer: Viewer | null,
): LongBoard {
  const read = pages.map((page, index) => readPage(page, viewer, ranges[index]?.limit ?? PAGE_SIZE));
  const groups = read.flatMap((page) => page.groups);
  return { groups, records: groups.flat(), own: read.find(({ own }) => own)?.own ?? null };
}

type ReadPage = Pick<LongBoard, 'groups' | 'own'> & { viewer: Viewer | null };

// A page stays the same object when the next one arrives, so its rows are not rendered again.
const readPages = new WeakMap<readonly LapRecord[], ReadPage>();

function readPage(page: readonly LapRecord[], viewer: Viewer | null, pageSize: number): ReadPage {
  const known = readPages.get(page);
  if (known?.viewer === viewer) return known;
  const { records, own } = readBoard(page, viewer, pageSize);
  const groups = Array.from({ length: Math.ceil(records.length / GROUP_ROWS) }, (_, group) =>
    records.slice(group * GROUP_ROWS, (group + 1) * GROUP_ROWS),
  );
  const read = { viewer, groups, own };
  readPages.set(page, read);
  return read;
}
