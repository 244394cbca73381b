import { keepPreviousData, useInfiniteQuery, useQuery, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { orderTracks } from './track-list.ts';
import { readBoard } from './read-board.ts';

/** How many records a card shows. */
export const TOP_COUNT = 3;

/** How many cards come with the page: more than any window shows at once. */
export const FIRST_CARDS = 6;

const boardTopQuery = (trackId: string) =>
  apiQuery('GET /api/laps/track/:trackId/best', {
    params: { trackId },
    query: { limit: TOP_COUNT, includeOwn: 'true' },
  });

/** Tracks that come at once: all of a small library, and of a large one more than any window shows. */
const TRACKS_PER_PAGE = 60;

const firstTracksQuery = apiQuery('GET /api/tracks', { query: { limit: TRACKS_PER_PAGE } });

/** Fetches the first tracks and the tops of their boards. Returns the track of the first. */
export async function prefetchFirstBoards(queryClient: QueryClient): Promise<ListedTrack | undefined> {
  const tracks = await queryClient.fetchQuery(firstTracksQuery);
  const first = orderTracks(tracks).slice(0, FIRST_CARDS);
  await Promise.all(first.map(({ id }) => queryClient.prefetchQuery(boardTopQuery(id))));
  return first[0];
}

/** The first tracks in the order of the boards: the user's own first, then those with more entries. `isWhole` where there are no others. */
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

/** Which tracks of a large library, and in which order. */
export type TrackSearchTerms = { typed: string; position: { lat: number; lon: number } | null };

// A position is as exact as its order of tracks needs, so that the same one is asked for once.
const POSITION_DIGITS = 2;

/** The tracks that a search finds, or all, page by page from the server. The last ones stay while others are loading. */
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

/** The first three of a board and the viewer's own record, once `enabled`. */
export function useBoardTop(trackId: string, enabled: boolean) {
  const { user } = useCurrentUser();
  const query = useQuery({ ...boardTopQuery(trackId), enabled });
  const board = useMemo(() => {
    if (!query.data) return undefined;
    const { records, own } = readBoard(query.data, user, TOP_COUNT);
    return { records, own };
  }, [query.data, user]);
  return { board, isError: query.isError, refetch: query.refetch };
}
