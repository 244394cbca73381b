import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { readBoard } from '#web/api/specified-answers/boards.ts';
import {
  NO_ENTRIES,
  readTracks,
  tracksQuery,
  useTrackEntries,
  type LibraryTrack,
} from '#web/api/specified-answers/tracks.ts';
import { orderTracks } from './track-list.ts';

/** How many records a card shows. */
export const TOP_COUNT = 3;

/** How many cards come with the page: more than any window shows at once. */
export const FIRST_CARDS = 6;

const boardTopQuery = (trackId: string) =>
  apiQuery('GET /api/laps/track/:trackId/best', {
    params: { trackId },
    query: { limit: TOP_COUNT, includeOwn: 'true' },
  });

/** Fetches the tracks and the tops of the first boards. Returns the track of the first. */
export async function prefetchFirstBoards(queryClient: QueryClient): Promise<LibraryTrack | undefined> {
  const tracks = readTracks(await queryClient.fetchQuery(apiQuery('GET /api/tracks')));
  const first = orderTracks(tracks, ({ entries }) => entries ?? NO_ENTRIES).slice(0, FIRST_CARDS);
  await Promise.all(first.map(({ id }) => queryClient.prefetchQuery(boardTopQuery(id))));
  return first[0];
}

/** All tracks in the order of the boards: the user's own first, then those with more entries. */
export function useBoardTracks() {
  const { user } = useCurrentUser();
  const query = useQuery(tracksQuery);
  const tracks = query.data;
  const getEntries = useTrackEntries(tracks, user);
  const ordered = useMemo(() => tracks && orderTracks(tracks, getEntries), [tracks, getEntries]);
  return { tracks: ordered, isPending: query.isPending, isError: query.isError, refetch: query.refetch };
}

/** The first three of a board and the viewer's own record, once `enabled`. */
export function useBoardTop(trackId: string, enabled: boolean) {
  const { user } = useCurrentUser();
  const query = useQuery({ ...boardTopQuery(trackId), enabled });
  const board = useMemo(() => {
    if (!query.data) return undefined;
    const { records, own } = readBoard(query.data, user, TOP_COUNT);
    return { records: records.slice(0, TOP_COUNT), own };
  }, [query.data, user]);
  return { board, isError: query.isError, refetch: query.refetch };
}
