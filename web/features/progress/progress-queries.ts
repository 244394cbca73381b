import type { TrackId, UserId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';

/** Returns the query of all laps of a driver on a track, with their place on the board. */
export const driverLapsQuery = (trackId: TrackId, userId: UserId) =>
  apiQuery('GET /api/tracks/:trackId/drivers/:userId/laps', { params: { trackId, userId } });
