import { useQuery } from '@tanstack/react-query';
import { bestsByTrackQuery, sessionsQuery, tracksQuery } from './profile-queries.ts';
import { listTrackVisits, type TrackVisit } from './track-history.ts';

/** The tracks of a driver; undefined while they are on their way. */
export type TrackVisits = { visits: TrackVisit[] | undefined; hasFailed: boolean; retry: () => void };

/** Puts the sessions of a driver, the best laps and the list of tracks together. */
export function useTrackVisits(userId: string): TrackVisits {
  const sessions = useQuery(sessionsQuery(userId));
  const bests = useQuery(bestsByTrackQuery(userId));
  const tracks = useQuery(tracksQuery);
  const queries = [sessions, bests, tracks];
  return {
    visits:
      sessions.data && bests.data && tracks.data && listTrackVisits(sessions.data, bests.data, tracks.data),
    hasFailed: queries.some((query) => query.isError),
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}
