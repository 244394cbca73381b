import { keepPreviousData, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import {
  countRacers,
  filterRecords,
  isPaged,
  joinPages,
  pageRangeFrom,
  type PageRange,
} from './board-pages.ts';
import type { BoardRecord } from './board.ts';
import type { BoardFilter } from './board-filter.ts';

type Pages = InfiniteData<BoardRecord[], PageRange>;

/** A board under its filters, a page at a time once the first `wantedCount` records are there, with its totals. */
export function useBoard(trackId: string, filter: BoardFilter, wantedCount: number) {
  const { user } = useCurrentUser();
  const query = useInfiniteQuery<BoardRecord[], Error, Pages, readonly unknown[], PageRange>({
    queryKey: ['api', 'laps', 'track', trackId, 'best', 'pages', filter],
    queryFn: ({ pageParam }) => fetchPage(trackId, filter, pageParam),
    initialPageParam: pageRangeFrom(0, wantedCount),
    // Comparing every record of every page with itself, each time that one more page comes, would grow with the board.
    structuralSharing: false,
    getNextPageParam: (lastPage, _pages, { offset, limit }) =>
      isPaged(lastPage) && lastPage.length >= limit ? pageRangeFrom(offset + limit, wantedCount) : undefined,
    placeholderData: keepPreviousData,
  });
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const board = useMemo(() => data && joinPages(data.pages, data.pageParams, user), [data, user]);
  const isReaching = hasNextPage && !isFetchNextPageError && (board?.records.length ?? 0) < wantedCount;
  useEffect(() => {
    if (isReaching && !isFetchingNextPage) void fetchNextPage();
  }, [isReaching, isFetchingNextPage, fetchNextPage]);
  return { ...query, board, isReaching, totals: useTotals(trackId, filter, board?.records) };
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
  // A server without this call: what the list tells.
  return query.isError && records ? { totalLaps: records.length, racers: countRacers(records) } : undefined;
}

async function fetchPage(
  trackId: string,
  filter: BoardFilter,
  { offset, limit }: PageRange,
): Promise<BoardRecord[]> {
  const records: BoardRecord[] = await callApi('GET /api/laps/track/:trackId/best', {
    params: { trackId },
    query: {
      ...filter,
      limit,
      ...(offset === 0 ? { includeOwn: 'true' } : { offset }),
    },
  });
  return isPaged(records) ? records : filterRecords(records, filter, new Date());
}
