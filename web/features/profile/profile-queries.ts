import { useQuery } from '@tanstack/react-query';
import type { UserId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { sessionsQuery } from '#web/api/session-queries.ts';
import { tracksQuery } from '#web/api/track-queries.ts';
import { listTrackVisits, type TrackVisit } from './track-history.ts';

/** Returns the query of a driver by id or by name, as others see them. */
export const driverQuery = (idOrName: string) =>
  apiQuery('GET /api/users/:idOrName', { params: { idOrName } });

/** Returns the query of the number of a driver's ranking laps. */
export const totalCountQuery = (userId: UserId) =>
  apiQuery('GET /api/laps/user/:userId/total-count', { params: { userId } });

/** Returns the query of a driver's best laps, by the id of the track. */
const bestsByTrackQuery = (userId: UserId) =>
  apiQuery('GET /api/laps/user/:userId/by-track', { params: { userId } });

/** The URL of the export of all data that is stored about the user. */
export const EXPORT_URL = '/api/account/export';

/** The tracks of a driver; undefined while they are loading. */
export type TrackVisits = { data: TrackVisit[] | undefined; isError: boolean; refetch: () => void };

/** Puts the sessions of a driver, the best laps and the list of tracks together. */
export function useTrackVisits(userId: UserId): TrackVisits {
  const sessions = useQuery(sessionsQuery(userId));
  const bests = useQuery(bestsByTrackQuery(userId));
  const tracks = useQuery(tracksQuery);
  const queries = [sessions, bests, tracks];
  return {
    data:
      sessions.data && bests.data && tracks.data && listTrackVisits(sessions.data, bests.data, tracks.data),
    isError: queries.some((query) => query.isError),
    refetch: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}
