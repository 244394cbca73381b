import type { TrackId } from '#contract/ids.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import type { User } from '#contract/people/schemas.ts';
import { callApi } from '#web/api/call-api.ts';
import type { BoardFilter } from './board-filter.ts';

/** A record of a board, marked if it is the viewer's own. */
export type BoardRecord = LapRecord & { isOwn: boolean };

export type Board = {
  records: BoardRecord[];
  /** The signed-in driver's record with its rank, on any page of the board. */
  own: BoardRecord | null;
  /** True if no record follows the requested ones. */
  isLastPage: boolean;
};

/** The driver whose record is the own one. */
export type Viewer = Pick<User, 'id'>;

export type PageRange = { offset: number; limit: number };

/** Fetches the records in `range`, a page at a time, followed by the own record if it is not one of them. */
export async function fetchBoard(
  trackId: TrackId,
  filter: BoardFilter,
  { offset, limit }: PageRange,
): Promise<LapRecord[]> {
  const pageLimit = Math.min(limit, LIMITS.boardPageEntriesMax);
  const page = await callApi('GET /api/laps/track/:trackId/best', {
    params: { trackId },
    query: { ...filter, limit: pageLimit, ...(offset === 0 ? { includeOwn: 'true' } : { offset }) },
  });
  if (pageLimit === limit || !hasNextPage(page, pageLimit)) return page;
  const rest = { offset: offset + pageLimit, limit: limit - pageLimit };
  const following = await fetchBoard(trackId, filter, rest);
  return [...page.slice(0, pageLimit), ...following, ...page.slice(pageLimit)];
}

/** Reads a page of `pageSize` records. An own record that follows the page is not one of its records. */
export function readBoard(answer: readonly LapRecord[], viewer: Viewer | null, pageSize: number): Board {
  const read = answer.map((record) => ({ ...record, isOwn: record.driverId === viewer?.id }));
  return {
    records: read.slice(0, pageSize),
    own: read.find(({ isOwn }) => isOwn) ?? null,
    isLastPage: !hasNextPage(answer, pageSize),
  };
}

/** Returns true if more records may follow a page of `pageSize`. */
export function hasNextPage(answer: readonly LapRecord[], pageSize: number): boolean {
  return answer.length >= pageSize;
}
