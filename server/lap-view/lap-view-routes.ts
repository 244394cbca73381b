import type { FastifyInstance } from 'fastify';
import { lapViewEndpoints } from '#contract/lap-view.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { toResponse } from '#server/kernel/http/response-cache.ts';
import { viewLap } from './view-lap.ts';

export type LapViewDependencies = { database: OpenDatabase };

/** Serves what pages about single laps show. */
export function mountLapViewRoutes(app: FastifyInstance, { database }: LapViewDependencies): void {
  serve(app, lapViewEndpoints.get, async ({ params, viewer, request, reply }) => {
    const view = await database.read(request, (source) => viewLap(source, params, viewer));
    const text = JSON.stringify(lapViewEndpoints.get.response.parse(view));
    return sendCached(request, reply, await toResponse(text));
  });
}
