import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import { tracksQuery } from '#web/api/track-queries.ts';
import { listTrackVisits, type TrackVisit } from './track-history.ts';

/** A driver by id or by name, as others see them. */
export const driverQuery = (idOrName: string) =>
  apiQuery('GET /api/users/:idOrName', { params: { idOrName } });

/** How many laps of a driver rank. */
export const totalCountQuery = (userId: string) =>
  apiQuery('GET /api/laps/user/:userId/total-count', { params: { userId } });

/** The best laps of a driver, by the id of the track. */
const bestsByTrackQuery = (userId: string) =>
  apiQuery('GET /api/laps/user/:userId/by-track', { params: { userId } });

/** The sessions of a driver, newest first. */
export const sessionsQuery = (userId: string) =>
  apiQuery('GET /api/sessions/user/:userId', { params: { userId } });

/** Everything that a driver has driven on a track. */
export const driverLapsQuery = (trackId: string, userId: string) =>
  apiQuery('GET /api/tracks/:trackId/drivers/:userId/laps', { params: { trackId, userId } });

/** The download of everything that is stored of the user. */
export const EXPORT_ADDRESS = '/api/account/export';

/** The tracks of a driver; undefined while they are loading. */
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
