import type { LapEvidence, TimePeriod, TireCompound } from '#contract/lap-labels.ts';
import type { LapRecord } from '#contract/laps.ts';
import { LIMITS } from '#contract/limits.ts';
import type { User } from '#contract/users.ts';
import { callApi } from '../call-api.ts';
import { fullName } from '../current-user.ts';

// A server of the specification alone knows no pages, no filters and no ids of drivers: it answers the whole board to every call.

type OwnFields = 'rank' | 'driverId' | 'gapMs' | 'uncertaintyMs';

/** A record of a board as it is answered: the fields that only our own server sends may be missing. */
export type AnsweredRecord = Omit<LapRecord, OwnFields> & Partial<Pick<LapRecord, OwnFields>>;

/** A record of a board; `driverId` and `uncertaintyMs` are null where the server does not send them. */
export type BoardRecord = Omit<LapRecord, 'driverId' | 'uncertaintyMs'> & {
  driverId: string | null;
  uncertaintyMs: number | null;
  isOwn: boolean;
};

export type Board = {
  /** In the board's order. */
  records: BoardRecord[];
  /** The signed-in driver's record with its rank, on any page of the board. */
  own: BoardRecord | null;
  /** No record follows those asked for. */
  isLastPage: boolean;
};

/** The driver whose record is the own one. */
export type Viewer = Pick<User, 'id' | 'firstName' | 'lastName'>;

/** The filters of a board. An empty value does not filter. */
export type BoardFilter = {
  timePeriod: TimePeriod | '';
  make: string;
  modelFamily: string;
  variant: string;
  generation: string;
  raceClass: string;
  drivetrain: string;
  tire: TireCompound | '';
  evidence: LapEvidence | '';
};

/** Some records of a board, from `offset` on. */
export type PageRange = { offset: number; limit: number };

/**
 * Fetches the records in `range` that pass the filter, followed by the own record where it is not one of them. A range that is
 * longer than a page may be takes several calls. A server without pages answers every record.
 */
export async function fetchBoard(
  trackId: string,
  filter: BoardFilter,
  { offset, limit }: PageRange,
): Promise<AnsweredRecord[]> {
  const pageLimit = Math.min(limit, LIMITS.boardPageEntriesMax);
  const page = await fetchBoardPage(trackId, filter, { offset, limit: pageLimit });
  if (pageLimit === limit || !hasNextPage(page, pageLimit)) return page;
  const rest = { offset: offset + pageLimit, limit: limit - pageLimit };
  const following = await fetchBoard(trackId, filter, rest);
  return [...page.slice(0, pageLimit), ...following, ...page.slice(pageLimit)];
}

async function fetchBoardPage(
  trackId: string,
  filter: BoardFilter,
  { offset, limit }: PageRange,
): Promise<AnsweredRecord[]> {
  const records: AnsweredRecord[] = await callApi('GET /api/laps/track/:trackId/best', {
    params: { trackId },
    query: { ...filter, limit, ...(offset === 0 ? { includeOwn: 'true' } : { offset }) },
  });
  return isPaged(records) ? records : filterRecords(records, filter, new Date());
}

/**
 * Reads one page of `pageSize` records. Ranks and gaps that are not answered are worked out from the whole board.
 * An own record that follows the page asked for is not one of its records.
 */
export function readBoard(
  answer: readonly AnsweredRecord[],
  viewer: Viewer | null,
  pageSize = Infinity,
): Board {
  const fastestMs = answer[0]?.lapTimeMs ?? 0;
  const read = answer.map((record, index) => ({
    ...record,
    rank: record.rank ?? index + 1,
    gapMs: record.gapMs ?? record.lapTimeMs - fastestMs,
    driverId: record.driverId ?? null,
    uncertaintyMs: record.uncertaintyMs ?? null,
    isOwn: isOwnRecord(record, viewer),
  }));
  return {
    records: isPaged(answer) ? read.slice(0, pageSize) : read,
    own: read.find(({ isOwn }) => isOwn) ?? null,
    isLastPage: !hasNextPage(answer, pageSize),
  };
}

/** Whether more records follow a page of `pageSize`. */
export function hasNextPage(answer: readonly AnsweredRecord[], pageSize: number): boolean {
  return isPaged(answer) && answer.length >= pageSize;
}

/** Compares the ids of the drivers where the record has one, else the full names. */
export function isOwnRecord(record: AnsweredRecord, viewer: Viewer | null): boolean {
  if (!viewer) return false;
  if (record.driverId !== undefined) return record.driverId === viewer.id;
  const name = fullName(viewer);
  return name !== '' && record.userName === name;
}

/** The records that pass the filters at `now`. */
export function filterRecords(
  records: readonly AnsweredRecord[],
  filter: BoardFilter,
  now: Date,
): AnsweredRecord[] {
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

/** Counts drivers by their names, for a server that does not answer the totals of a board. */
export function countRacers(records: readonly Pick<LapRecord, 'userName'>[]): number {
  return new Set(records.map(({ userName }) => userName)).size;
}

function isPaged(answer: readonly AnsweredRecord[]): boolean {
  return answer[0]?.rank !== undefined;
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
