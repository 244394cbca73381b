import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { User } from '#contract/users.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { countRacers, filterRecords, isPaged, joinPages, rankRecords, type BoardRecord } from './board.ts';
import type { BoardFilter } from './board-filter.ts';
import { orderTracks, type BoardTrack, type TrackEntries } from './track-list.ts';

/** How many records a card shows. */
export const TOP_COUNT = 3;
const PAGE_SIZE = 100;

/** All tracks in the order of the boards: the user's own first, then the busiest. */
export function useBoardTracks() {
  const { user } = useCurrentUser();
  const query = useQuery(apiQuery('GET /api/tracks'));
  const tracks: readonly BoardTrack[] | undefined = query.data;
  const entries = useEntriesOfEach(tracks, user);
  const ordered = useMemo(
    () => tracks && orderTracks(tracks, (track) => entriesOf(track, entries)),
    [tracks, entries],
  );
  return { tracks: ordered, isPending: query.isPending, isError: query.isError, refetch: query.refetch };
}

/** The first three of a board and the viewer's own record, once `enabled`. */
export function useTopOfBoard(trackId: string, enabled: boolean) {
  const { user } = useCurrentUser();
  const query = useQuery({
    ...apiQuery('GET /api/laps/track/:trackId/best', {
      params: { trackId },
      query: { limit: TOP_COUNT, includeOwn: 'true' },
    }),
    enabled,
  });
  const board = useMemo(() => query.data && rankRecords(query.data, user, TOP_COUNT), [query.data, user]);
  return { board, isError: query.isError, refetch: query.refetch };
}

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

// One call per track, for servers that do not count the entries themselves.
function useEntriesOfEach(
  tracks: readonly BoardTrack[] | undefined,
  user: User | null,
): ReadonlyMap<string, TrackEntries> {
  const uncounted = (tracks ?? []).filter(({ entryCount }) => entryCount === undefined);
  return useQueries({
    queries: uncounted.map(({ id }) =>
      apiQuery('GET /api/laps/track/:trackId/best', { params: { trackId: id } }),
    ),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, index) => {
          const track = uncounted[index];
          if (!track || !data) return [];
          return [[track.id, { entryCount: data.length, hasOwnEntry: rankRecords(data, user).own !== null }]];
        }),
      ),
  });
}

function entriesOf(track: BoardTrack, counted: ReadonlyMap<string, TrackEntries>): TrackEntries {
  const fallback = counted.get(track.id) ?? { entryCount: 0, hasOwnEntry: false };
  return {
    entryCount: track.entryCount ?? fallback.entryCount,
    hasOwnEntry: track.hasOwnEntry ?? fallback.hasOwnEntry,
  };
}
