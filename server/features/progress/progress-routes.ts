import type { FastifyInstance } from 'fastify';
import { driverLapsEndpoint } from '#contract/progress/schemas.ts';
import { trackEndpoints } from '#contract/tracks/schemas.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import type { Services } from '#server/model/services.ts';
import { listBoardPlaces } from './board-places-store.ts';
import { findDriverName, findTrackNames, listDrivenSessions } from './driver-laps-store.ts';
import { summarizeDriverLaps } from './summarize-driver-laps.ts';

/** Serves the laps of a driver on a track. */
export function mountProgressRoutes(app: FastifyInstance, { database }: Services): void {
  serve(app, driverLapsEndpoint, ({ params: { trackId, userId }, viewer, request }) =>
    database.read(request, async ({ pool }) => {
      const track = found(await findTrackNames(pool, trackId), trackEndpoints.get);
      const userName = await findDriverName(pool, userId);
      if (userName === undefined) throw new AppError('not_found', 'There is no such driver.');
      const isOwn = viewer.id === userId;
      const [sessions, places] = await Promise.all([
        listDrivenSessions(pool, { trackId, userId, isOwn }),
        listBoardPlaces(pool, trackId, userId),
      ]);
      return { isOwn, userName, ...track, ...summarizeDriverLaps(sessions, track.sectorNames), places };
    }),
  );
}
