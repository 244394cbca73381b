import { keepPreviousData, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import {
  countRacers,
  fetchBoard,
  hasNextPage,
  type AnsweredRecord,
  type BoardFilter,
  type BoardRecord,
  type PageRange,
} from '#web/api/specified-answers/boards.ts';
import { joinPages, nextRange } from './board-pages.ts';

type Pages = InfiniteData<AnsweredRecord[], PageRange>;

/** A board under its filters with its totals: the first `wantedCount` records at once, then a page at a time. */
export function useBoard(trackId: string, filter: BoardFilter, wantedCount: number) {
  const { user } = useCurrentUser();
  const query = useInfiniteQuery<AnsweredRecord[], Error, Pages, readonly unknown[], PageRange>({
    queryKey: ['api', 'laps', 'track', trackId, 'best', 'pages', filter],
    queryFn: ({ pageParam }) => fetchBoard(trackId, filter, pageParam),
    initialPageParam: nextRange(0, wantedCount),
    // Comparing all records with those before, each time that a page comes, would take longer with every page.
    structuralSharing: false,
    getNextPageParam: (lastPage, _pages, { offset, limit }) =>
      hasNextPage(lastPage, limit) ? nextRange(offset + limit, wantedCount) : undefined,
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  const board = useMemo(() => data && joinPages(data.pages, data.pageParams, user), [data, user]);
  const isShort = (board?.records.length ?? 0) < wantedCount;
  return {
    ...query,
    board,
    /** Records that are wanted at once are still to come. */
    isReaching: query.hasNextPage && !query.isFetchNextPageError && isShort,
    totals: useTotals(trackId, filter, board?.records),
  };
}

type Totals = { totalLaps: number; racers: number };

function useTotals(
  trackId: string,
  filter: BoardFilter,
  records: readonly BoardRecord[] | undefined,
): Totals | undefined {
  const query = useQuery({
    ...apiQuery('GET /api/laps/track/:trackId/summary', { params: { trackId }, query: filter }),
    placeholderData: keepPreviousData,
  });
  if (query.data) return query.data;
  // The specification has no such call.
  return query.isError && records ? { totalLaps: records.length, racers: countRacers(records) } : undefined;
}
