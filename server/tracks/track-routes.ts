import type { FastifyInstance } from 'fastify';
import { trackEndpoints } from '#contract/tracks.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { forEachSource } from '#server/kernel/database/for-each-source.ts';
import { AppError } from '#server/kernel/errors.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { openResponseCache } from '#server/kernel/http/response-cache.ts';
import { singleFlight } from '#server/kernel/single-flight.ts';
import { findTrackListVersion, listOwnTrackIds, listTracksAsJson } from './track-list-store.ts';
import { findDrawnTrack } from './track-store.ts';

export function mountTrackRoutes(app: FastifyInstance, database: OpenDatabase): void {
  const cache = openResponseCache();
  const findVersion = forEachSource(({ pool }) =>
    singleFlight<void, string>(() => findTrackListVersion(pool)),
  );

  serve(app, trackEndpoints.list, async ({ viewer, request, reply }) => {
    const list = await database.read(request, async (source) => {
      const [version, ownTrackIds] = await Promise.all([
        findVersion(source)(),
        viewer ? listOwnTrackIds(source.pool, viewer.id) : [],
      ]);
      // All drivers without an entry, and guests, get the same list.
      return await cache(ownTrackIds.join(), version, () => listTracksAsJson(source.pool, ownTrackIds));
    });
    return sendCached(request, reply, list);
  });

  serve(app, trackEndpoints.get, async ({ params, request }) => {
    const track = await database.read(request, ({ db }) => findDrawnTrack(db, params.trackId));
    if (!track) throw new AppError('not_found', 'There is no such track.');
    return track;
  });
}
