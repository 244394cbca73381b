import { keepPreviousData, useInfiniteQuery, useQuery, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { orderTracks } from './track-list.ts';
import { readBoard } from './read-board.ts';

export const TOP_COUNT = 3;

/** The number of cards that the page loads with: more than any window shows at once. */
export const FIRST_CARDS = 6;

const boardTopQuery = (trackId: TrackId) =>
  apiQuery('GET /api/laps/track/:trackId/best', {
    params: { trackId },
    query: { limit: TOP_COUNT, includeOwn: 'true' },
  });

/** A page holds all tracks of a small library; of a large one it holds more than any window shows. */
const TRACKS_PER_PAGE = 60;

const firstTracksQuery = apiQuery('GET /api/tracks', { query: { limit: TRACKS_PER_PAGE } });

/** Fetches the first tracks and the tops of their boards. Returns the track of the first one. */
export async function prefetchFirstBoards(queryClient: QueryClient): Promise<ListedTrack | undefined> {
  const tracks = await queryClient.fetchQuery(firstTracksQuery);
  const first = orderTracks(tracks).slice(0, FIRST_CARDS);
  await Promise.all(first.map(({ id }) => queryClient.prefetchQuery(boardTopQuery(id))));
  return first[0];
}

/** Returns the first tracks: the user's own, then those with more entries. `isWhole`: there are no others. */
export function useBoardTracks() {
  const query = useQuery({ ...firstTracksQuery, select: orderTracks });
  return {
    tracks: query.data,
    isWhole: query.data?.length !== TRACKS_PER_PAGE,
    isPending: query.isPending,
    isError: query.isError,
    refetch: query.refetch,
  };
}

/** The search text and the position that select and sort the tracks of a large library. */
export type TrackSearchTerms = { typed: string; position: { lat: number; lon: number } | null };

// A position is rounded to the precision that sorting needs, so that the same query is sent once.
const POSITION_DIGITS = 2;

/** Returns the tracks that a search finds, or all, page by page. The last results stay while others load. */
export function useTrackPages({ typed, position }: TrackSearchTerms, enabled: boolean) {
  const near =
    position && `${position.lat.toFixed(POSITION_DIGITS)},${position.lon.toFixed(POSITION_DIGITS)}`;
  const q = typed.trim();
  const query = useInfiniteQuery({
    queryKey: ['api', 'tracks', 'pages', { q, near }],
    queryFn: async ({ pageParam }) => {
      const range = { limit: TRACKS_PER_PAGE, offset: pageParam };
      const terms = { ...(q !== '' && { q }), ...(near !== null && { near }) };
      return callApi('GET /api/tracks', { query: { ...range, ...terms } });
    },
    initialPageParam: 0,
    getNextPageParam: (last, _pages, offset) =>
      last.length === TRACKS_PER_PAGE ? offset + TRACKS_PER_PAGE : undefined,
    placeholderData: keepPreviousData,
    enabled,
  });
  const tracks = useMemo(() => query.data?.pages.flat(), [query.data]);
  return { ...query, tracks };
}

/** Returns the first three of a board and the viewer's own record, once `enabled`. */
export function useBoardTop(trackId: TrackId, enabled: boolean) {
  const { user } = useCurrentUser();
  const query = useQuery({ ...boardTopQuery(trackId), enabled });
  const board = useMemo(() => {
    if (!query.data) return undefined;
    const { records, own } = readBoard(query.data, user, TOP_COUNT);
    return { records, own };
  }, [query.data, user]);
  return { board, isError: query.isError, refetch: query.refetch };
}
