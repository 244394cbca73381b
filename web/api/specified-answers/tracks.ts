import { useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ListedTrack } from '#contract/tracks.ts';
import { apiQuery } from '../api-query.ts';
import { readBoard, type Viewer } from './boards.ts';

export type TrackEntries = { entryCount: number; hasOwnEntry: boolean };

type OwnFields = keyof TrackEntries | 'outline' | 'timeZone' | 'finishLine';

/** A track of the list as it is answered: the fields that only our own server sends may be missing. */
export type AnsweredTrack = Omit<ListedTrack, OwnFields> & Partial<Pick<ListedTrack, OwnFields>>;

/** A track of the library. `entries` is null where the server does not count them. */
export type LibraryTrack = Omit<ListedTrack, OwnFields> &
  Pick<ListedTrack, 'outline' | 'finishLine'> & { entries: TrackEntries | null; timeZone: string | null };

/** All tracks of the library. */
export const tracksQuery = { ...apiQuery('GET /api/tracks'), select: readTracks };

export function readTracks(answer: readonly AnsweredTrack[]): LibraryTrack[] {
  return answer.map(({ entryCount, hasOwnEntry, outline = null, timeZone = null, ...track }) => ({
    ...track,
    outline,
    timeZone,
    entries: entryCount === undefined ? null : { entryCount, hasOwnEntry: hasOwnEntry ?? false },
  }));
}

export const NO_ENTRIES: TrackEntries = { entryCount: 0, hasOwnEntry: false };

/** Gives the entries of a track. Where the server does not count them, each board is fetched to count its records. */
export function useTrackEntries(
  tracks: readonly LibraryTrack[] | undefined,
  viewer: Viewer | null,
): (track: LibraryTrack) => TrackEntries {
  const uncounted = (tracks ?? []).filter(({ entries }) => entries === null);
  const counted = useQueries({
    queries: uncounted.map(({ id }) =>
      apiQuery('GET /api/laps/track/:trackId/best', { params: { trackId: id } }),
    ),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, index) => {
          const id = uncounted[index]?.id;
          if (id === undefined || !data) return [];
          return [[id, { entryCount: data.length, hasOwnEntry: readBoard(data, viewer).own !== null }]];
        }),
      ),
  });
  return useCallback(({ id, entries }) => entries ?? counted.get(id) ?? NO_ENTRIES, [counted]);
}
