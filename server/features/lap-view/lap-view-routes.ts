import type { Services } from '#server/model/services.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type LapView, lapViewEndpoints } from '#contract/lap-view/schemas.ts';
import { findOutage } from '#server/kernel/http/answer-error.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { toResponse } from '#server/kernel/http/response-cache.ts';
import { serveCornerNames } from './name-corners.ts';
import { serveSavedComparisons } from './serve-saved-comparisons.ts';
import { serveLapVideos } from './serve-lap-videos.ts';
import { serveLapProofs } from './serve-lap-proofs.ts';
import { serveLapExport } from './serve-lap-export.ts';
import { serveLapLines, getReaderKey } from './serve-lap-lines.ts';
import { type FindLapTrace, openLapTraces } from '#server/model/laps/lap-traces.ts';
import type { StoredLap } from '#server/model/laps/lap-view-store.ts';
import { viewLap } from '#server/model/laps/view-lap.ts';

export function mountLapViewRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const findTrace = openLapTraces({ ...services, db: database.db, log: app.log });
  mountView(app, services, findTrace);
  serveLapLines(app, services, findTrace);
  serveLapExport(app, services, findTrace);
  serveLapProofs(app, services);
  serveLapVideos(app, services, findTrace);
  serveCornerNames(app, services);
  serveSavedComparisons(app, services);
}

function mountView(app: FastifyInstance, { database }: Services, findTrace: FindLapTrace): void {
  serve(app, lapViewEndpoints.get, async ({ params, viewer, request, reply }) => {
    const findUncertaintyParts = (lap: StoredLap) => findParts(lap, request);
    const view = await database.read(request, (source) =>
      viewLap(source, params, { viewer, findUncertaintyParts }),
    );
    const text = JSON.stringify(lapViewEndpoints.get.response.parse(view));
    return sendCached(request, reply, await toResponse(text));
  });

  async function findParts(lap: StoredLap, request: FastifyRequest): Promise<LapView['uncertaintyParts']> {
    try {
      return (await findTrace(lap, getReaderKey(request)))?.uncertaintyParts ?? null;
    } catch (error) {
      // The lap itself is in the database, so it is shown even if its file cannot be read.
      if (!findOutage(error)) throw error;
      request.log.warn({ err: error }, 'The trace of a lap could not be read');
      return null;
    }
  }
}
