import type { FastifyInstance } from 'fastify';
import { trackEndpoints } from '#contract/tracks.ts';
import type { MapTiles } from '#server/kernel/config.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { openTrackList } from './track-list.ts';
import { countryAt } from './country.ts';
import { findDrawnTrack, listTracksNear } from './track-store.ts';

export function mountTrackRoutes(
  app: FastifyInstance,
  database: OpenDatabase,
  { mapTiles }: { mapTiles: MapTiles | null },
): void {
  const getList = openTrackList();

  serve(app, trackEndpoints.list, async ({ viewer, request, reply }) => {
    const list = await database.read(request, (source) => getList(source, viewer?.id ?? null));
    return sendCached(request, reply, list);
  });

  serve(app, trackEndpoints.get, async ({ params, request }) => {
    const track = await database.read(request, ({ db }) => findDrawnTrack(db, params.trackId));
    if (!track) throw new AppError('not_found', 'There is no such track.');
    return track;
  });

  serve(app, trackEndpoints.near, async ({ query, request }) => ({
    tracks: await database.read(request, ({ db }) => listTracksNear(db, query)),
    country: countryAt(query.lat, query.lon),
    mapTiles,
  }));
}
