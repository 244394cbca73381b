import type { LapRecord } from '#contract/laps.ts';
import type { User } from '#contract/users.ts';
import { fullName } from '#web/api/current-user.ts';
import type { BoardFilter } from './board-filter.ts';

type OwnFields = 'rank' | 'driverId' | 'gapMs' | 'uncertaintyMs';

/** A record of a board as any server may answer it: the fields that are ours alone may be missing. */
export type BoardRecord = Omit<LapRecord, OwnFields> & Partial<Pick<LapRecord, OwnFields>>;

/** A record with its place on the board. */
export type RankedRecord = BoardRecord & { rank: number; isOwn: boolean };

/** What a page shows of a board. */
export type Board = {
  /** In the board's order, from the first on. */
  records: RankedRecord[];
  /** The signed-in driver's record with its rank, wherever it stands. */
  own: RankedRecord | null;
};

/** Whose record is the own one. */
export type Viewer = Pick<User, 'id' | 'firstName' | 'lastName'>;

/**
 * Whether a record is the viewer's own: by the driver's id when the record has one, else by full name.
 */
export function isOwnRecord(record: BoardRecord, viewer: Viewer | null): boolean {
  if (!viewer) return false;
  if (record.driverId !== undefined) return record.driverId === viewer.id;
  const name = fullName(viewer);
  return name !== '' && record.userName === name;
}

/**
 * Gives records their rank, by their position where the server has not given one, and finds the viewer's own.
 * An own record that follows the `limit` records asked for is not part of the list.
 */
export function rankRecords(records: readonly BoardRecord[], viewer: Viewer | null, limit = Infinity): Board {
  const ranked = records.map((record, index) => ({
    ...record,
    rank: record.rank ?? index + 1,
    isOwn: isOwnRecord(record, viewer),
  }));
  return { records: ranked.slice(0, limit), own: ranked.find(({ isOwn }) => isOwn) ?? null };
}

/** A long board: its records also in parts of at most a page, each the same object for as long as nothing in it changes. */
export type LongBoard = Board & { parts: RankedRecord[][] };

/** Puts the pages of a board together. The own record may come twice: at the end of the first page, and at its place. */
export function joinPages(
  pages: readonly (readonly BoardRecord[])[],
  viewer: Viewer | null,
  pageSize: number,
): LongBoard {
  const ranked = pages.map((page) => rankPage(page, viewer, pageSize));
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
  const parts = Array.from({ length: Math.ceil(records.length / pageSize) }, (_, part) =>
    records.slice(part * pageSize, (part + 1) * pageSize),
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

/** Make, model and variant, as far as they are known. */
export function carText(record: Pick<BoardRecord, 'carMake' | 'carModel' | 'carVariant'>): string {
  return [record.carMake, record.carModel, record.carVariant].filter(Boolean).join(' ');
}

/** The driver's profile; the viewer's own has an address of its own. */
export function profilePath(record: RankedRecord): string {
  return record.isOwn ? '/profile' : `/profile/${encodeURIComponent(record.driverId ?? record.userName)}`;
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
