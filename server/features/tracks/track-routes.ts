import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '#contract/limits.ts';
import { trackEndpoints } from '#contract/tracks/schemas.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { toResponse } from '#server/kernel/http/response-cache.ts';
import { listTrackPage } from '#server/model/tracks/track-list-store.ts';
import { openTrackList } from '#server/model/tracks/track-list.ts';
import { countryAt } from '#server/model/tracks/country.ts';
import { findDrawnTrack, listCoursesNear, listTracksNear } from '#server/model/tracks/track-store.ts';

function readNear(near: string | undefined): { lat: number; lon: number } | null {
  const [lat, lon] = (near ?? '').split(',').map(Number);
  return near === undefined || lat === undefined || lon === undefined ? null : { lat, lon };
}

export function mountTrackRoutes(app: FastifyInstance, { database, settings: { mapTiles } }: Services): void {
  const getList = openTrackList();

  serve(app, trackEndpoints.list, async ({ viewer, query, request, reply }) => {
    const userId = viewer?.id ?? null;
    const { q = '', limit = LIMITS.tracksMax, offset } = query;
    const near = readNear(query.near);
    const isWhole = q === '' && near === null && query.limit === undefined && offset === 0;
    const list = await database.read(request, async (source) =>
      isWhole
        ? getList(source, userId)
        : toResponse(await listTrackPage(source.pool, { userId, q, near, limit, offset })),
    );
    return sendCached(request, reply, list);
  });

  serve(app, trackEndpoints.get, async ({ params, request }) => {
    const track = await database.read(request, ({ db }) => findDrawnTrack(db, params.trackId));
    return found(track, trackEndpoints.get);
  });

  serve(app, trackEndpoints.near, async ({ query, request }) => ({
    ...(await database.read(request, async ({ db }) => ({
      tracks: await listTracksNear(db, query),
      courses: await listCoursesNear(db, query),
    }))),
    country: countryAt(query.lat, query.lon),
    mapTiles,
  }));
}
