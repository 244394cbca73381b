import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { readBoard } from '#web/api/specified-answers/boards.ts';
import { tracksQuery, useTrackEntries } from '#web/api/specified-answers/tracks.ts';
import { orderTracks } from './track-list.ts';

/** How many records a card shows. */
export const TOP_COUNT = 3;

/** All tracks in the order of the boards: the user's own first, then those with more entries. */
export function useBoardTracks() {
  const { user } = useCurrentUser();
  const query = useQuery(tracksQuery);
  const tracks = useDeferredValue(query.data);
  const getEntries = useTrackEntries(tracks, user);
  const ordered = useMemo(() => tracks && orderTracks(tracks, getEntries), [tracks, getEntries]);
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
  const board = useMemo(() => {
    if (!query.data) return undefined;
    const { records, own } = readBoard(query.data, user, TOP_COUNT);
    return { records: records.slice(0, TOP_COUNT), own };
  }, [query.data, user]);
  return { board, isError: query.isError, refetch: query.refetch };
}
