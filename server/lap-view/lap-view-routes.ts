import type { FastifyInstance } from 'fastify';
import { driverLapsEndpoint } from '#contract/driver-laps.ts';
import { lapViewEndpoints } from '#contract/lap-view.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { toResponse } from '#server/kernel/http/response-cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findDriverName, findSectorNames, listDrivenSessions } from './driver-laps-store.ts';
import { summarizeDriverLaps } from './summarize-driver-laps.ts';
import { viewLap } from './view-lap.ts';

export type LapViewDependencies = { database: OpenDatabase };

/** Serves what pages about single laps show. */
export function mountLapViewRoutes(app: FastifyInstance, { database }: LapViewDependencies): void {
  serve(app, lapViewEndpoints.get, async ({ params, viewer, request, reply }) => {
    const view = await database.read(request, (source) => viewLap(source, params, viewer));
    const text = JSON.stringify(lapViewEndpoints.get.response.parse(view));
    return sendCached(request, reply, await toResponse(text));
  });

  serve(app, driverLapsEndpoint, ({ params: { trackId, userId }, viewer, request }) =>
    database.read(request, async ({ pool }) => {
      const sectorNames = await findSectorNames(pool, trackId);
      if (!sectorNames) throw new AppError('not_found', 'There is no such track.');
      const userName = await findDriverName(pool, userId);
      if (userName === undefined) throw new AppError('not_found', 'There is no such driver.');
      const isOwn = viewer.id === userId;
      const sessions = await listDrivenSessions(pool, { trackId, userId, isOwn });
      return { isOwn, userName, sectorNames, ...summarizeDriverLaps(sessions, sectorNames) };
    }),
  );
}
