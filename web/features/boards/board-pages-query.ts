import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { countRacers, filterRecords, isPaged, joinPages } from './board-pages.ts';
import type { BoardRecord } from './board.ts';
import type { BoardFilter } from './board-filter.ts';

const PAGE_SIZE = 100;

/** A board under its filters, a page at a time, with its totals. */
export function useBoard(trackId: string, filter: BoardFilter) {
  const { user } = useCurrentUser();
  const query = useInfiniteQuery({
    queryKey: ['api', 'laps', 'track', trackId, 'best', 'pages', filter],
    queryFn: ({ pageParam }) => fetchPage(trackId, filter, pageParam),
    initialPageParam: 0,
    // Comparing every record of every page with itself, each time that one more page comes, would grow with the board.
    structuralSharing: false,
    getNextPageParam: (lastPage: readonly BoardRecord[], pages) =>
      isPaged(lastPage) && lastPage.length >= PAGE_SIZE ? pages.length * PAGE_SIZE : undefined,
    placeholderData: keepPreviousData,
  });
  const board = useMemo(() => query.data && joinPages(query.data.pages, user, PAGE_SIZE), [query.data, user]);
  return { ...query, board, totals: useTotals(trackId, filter, board?.records) };
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

async function fetchPage(trackId: string, filter: BoardFilter, offset: number): Promise<BoardRecord[]> {
  const records: BoardRecord[] = await callApi('GET /api/laps/track/:trackId/best', {
    params: { trackId },
    query: {
      ...filter,
      limit: PAGE_SIZE,
      ...(offset === 0 ? { includeOwn: 'true' } : { offset }),
    },
  });
  return isPaged(records) ? records : filterRecords(records, filter, new Date());
}
