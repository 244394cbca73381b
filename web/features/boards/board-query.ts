import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { readFilter, type BoardFilter } from './board-filter.ts';
import { joinPages, nextRange } from './board-pages.ts';
import { countedOptionsQuery } from './filter-options.ts';
import { countWantedRows, readScrollPosition } from './scroll-position.ts';
import { fetchBoard, hasNextPage, type PageRange } from './read-board.ts';

type Pages = InfiniteData<LapRecord[], PageRange>;

const boardPagesQuery = (trackId: TrackId, filter: BoardFilter, wantedCount: number) =>
  infiniteQueryOptions<LapRecord[], Error, Pages, readonly unknown[], PageRange>({
    queryKey: ['api', 'laps', 'track', trackId, 'best', 'pages', filter],
    queryFn: ({ pageParam }) => fetchBoard(trackId, filter, pageParam),
    initialPageParam: nextRange(0, wantedCount),
    getNextPageParam: (lastPage, _pages, { offset, limit }) =>
      hasNextPage(lastPage, limit) ? nextRange(offset + limit, wantedCount) : undefined,
  });

const summaryQuery = (trackId: TrackId, filter: BoardFilter) =>
  apiQuery('GET /api/laps/track/:trackId/summary', { params: { trackId }, query: filter });

/** Fetches the first page of a board under the filters of a URL, its totals, and the options of its filters. */
export async function prefetchBoard(
  queryClient: QueryClient,
  trackId: TrackId,
  { search, historyState }: Pick<PageVisit, 'search' | 'historyState'>,
): Promise<void> {
  const filter = readFilter(search);
  const wantedCount = countWantedRows(readScrollPosition(historyState));
  await Promise.all([
    queryClient.prefetchInfiniteQuery(boardPagesQuery(trackId, filter, wantedCount)),
    queryClient.prefetchQuery(summaryQuery(trackId, filter)),
    queryClient.prefetchQuery(countedOptionsQuery(trackId, filter)),
  ]);
}

/** Returns a board with its totals: the first `wantedCount` records at once, then a page at a time. */
export function useBoard(trackId: TrackId, filter: BoardFilter, wantedCount: number) {
  const { user } = useCurrentUser();
  const query = useInfiniteQuery({
    ...boardPagesQuery(trackId, filter, wantedCount),
    // Structural sharing compares all records again for every page, which takes longer with every page.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  const board = useMemo(() => data && joinPages(data.pages, data.pageParams, user), [data, user]);
  const totals = useQuery({ ...summaryQuery(trackId, filter), placeholderData: keepPreviousData });
  const isShort = (board?.records.length ?? 0) < wantedCount;
  const isReaching = query.hasNextPage && !query.isFetchNextPageError && isShort;
  const { isFetchingNextPage, fetchNextPage } = query;
  // The server may have rendered the page with fewer records than the reader had loaded before.
  useEffect(() => {
    if (isReaching && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [isReaching, isFetchingNextPage, fetchNextPage]);
  return {
    ...query,
    board,
    /** True while records up to the saved position are missing. */
    isReaching,
    totals: totals.data,
  };
}
