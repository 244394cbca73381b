import { useQueries, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { User } from '#contract/users.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { rankRecords } from './board.ts';
import { orderTracks, type BoardTrack, type TrackEntries } from './track-list.ts';

/** How many records a card shows. */
export const TOP_COUNT = 3;

/** All tracks in the order of the boards: the user's own first, then the busiest. */
export function useBoardTracks() {
  const { user } = useCurrentUser();
  const query = useQuery(apiQuery('GET /api/tracks'));
  const tracks: readonly BoardTrack[] | undefined = useDeferredValue(query.data);
  const entries = useEntryCounts(tracks, user);
  const ordered = useMemo(
    () => tracks && orderTracks(tracks, (track) => entriesOf(track, entries)),
    [tracks, entries],
  );
  return { tracks: ordered, isPending: query.isPending, isError: query.isError, refetch: query.refetch };
}

/** The first three of a board and the viewer's own record, once `enabled`. */
export function useBoardTop(trackId: string, enabled: boolean) {
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

// One call per track, for servers that do not count the entries themselves.
function useEntryCounts(
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

function entriesOf(track: BoardTrack, pluralize: ReadonlyMap<string, TrackEntries>): TrackEntries {
  const fallback = pluralize.get(track.id) ?? { entryCount: 0, hasOwnEntry: false };
  return {
    entryCount: track.entryCount ?? fallback.entryCount,
    hasOwnEntry: track.hasOwnEntry ?? fallback.hasOwnEntry,
  };
}
