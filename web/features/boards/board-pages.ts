import { LIMITS } from '#contract/limits.ts';
import type { BoardFilter } from './board-filter.ts';
import { rankRecords, type Board, type BoardRecord, type RankedRecord, type Viewer } from './board.ts';

// What only the page of a track needs of boards.

/** A long board: its records also in parts of some rows, each the same object for as long as nothing in it changes. */
export type LongBoard = Board & { parts: RankedRecord[][] };

/** Few enough to be drawn between two frames of a phone that scrolls, and a whole number of times in a page. */
export const GROUP_ROWS = 25;

/** Which part of a board a page is. */
export type PageRange = { offset: number; limit: number };

export const PAGE_SIZE = 100;

/** The page that begins at `offset`: a long one on the way to the `wantedCount` records that are to be there soon. */
export function pageRangeFrom(offset: number, wantedCount: number): PageRange {
  const missingPages = Math.ceil((wantedCount - offset) / PAGE_SIZE);
  const limit = Math.min(Math.max(1, missingPages) * PAGE_SIZE, LIMITS.boardPageEntriesMax);
  return { offset, limit };
}

/** Puts the pages of a board together. The own record may come twice: at the end of the first page, and at its place. */
export function joinPages(
  pages: readonly (readonly BoardRecord[])[],
  places: readonly PageRange[],
  viewer: Viewer | null,
): LongBoard {
  const ranked = pages.map((page, index) => rankPage(page, viewer, places[index]?.limit ?? PAGE_SIZE));
  const parts = ranked.flatMap((page) => page.parts);
  return { parts, records: parts.flat(), own: ranked.find(({ own }) => own)?.own ?? null };
}

type RankedPage = Pick<LongBoard, 'parts' | 'own'> & { viewer: Viewer | null };

// With every page that comes, the pages before it are asked for again: they must not be ranked and drawn again too.
const rankedPages = new WeakMap<readonly BoardRecord[], RankedPage>();

function rankPage(page: readonly BoardRecord[], viewer: Viewer | null, pageSize: number): RankedPage {
  const known = rankedPages.get(page);
  if (known?.viewer === viewer) return known;
  const { records, own } = rankRecords(page, viewer, isPaged(page) ? pageSize : Infinity);
  const parts = Array.from({ length: Math.ceil(records.length / GROUP_ROWS) }, (_, part) =>
    records.slice(part * GROUP_ROWS, (part + 1) * GROUP_ROWS),
  );
  const ranked = { viewer, parts, own };
  rankedPages.set(page, ranked);
  return ranked;
}

/** Whether the server knows pages and filters; one that does not answers the whole board to every call. */
export function isPaged(page: readonly BoardRecord[]): boolean {
  return page[0]?.rank !== undefined;
}

/** The records that pass the filters, for a server that does not filter. Ranks are then positions among those that pass. */
export function filterRecords(
  records: readonly BoardRecord[],
  filter: BoardFilter,
  now: Date,
): BoardRecord[] {
  const since = startOfPeriod(filter.timePeriod, now);
  return records.filter(
    (record) =>
      passes(filter.make, record.carMake) &&
      passes(filter.modelFamily, record.carModel) &&
      passes(filter.variant, record.carVariant) &&
      passes(filter.generation, record.carGeneration) &&
      passes(filter.raceClass, record.carRaceClass) &&
      passes(filter.drivetrain, record.carDrivetrain) &&
      passes(filter.tire, record.tireCompound) &&
      (since === null || Date.parse(record.sessionDate) >= since.getTime()),
  );
}

/** How many different drivers there are, by name. */
export function countRacers(records: readonly BoardRecord[]): number {
  return new Set(records.map(({ userName }) => userName)).size;
}

const PERIOD_MONTHS: Readonly<Record<string, number>> = { '1-month': 1, '6-months': 6, '1-year': 12 };

function startOfPeriod(timePeriod: string, now: Date): Date | null {
  const months = PERIOD_MONTHS[timePeriod];
  if (months === undefined) return null;
  const start = new Date(now);
  start.setMonth(start.getMonth() - months);
  return start;
}

function passes(wanted: string, actual: string | null): boolean {
  return wanted === '' || wanted === actual;
}
