import type { FastifyInstance } from 'fastify';
import { trackEndpoints } from '#contract/tracks.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { serve } from '#server/endpoints.ts';
import { AppError } from '#server/errors.ts';
import { findTrack, listTracks } from './track-store.ts';

export function mountTrackRoutes(app: FastifyInstance, { db, pool }: OpenDatabase): void {
  serve(app, trackEndpoints.list, ({ viewer }) => listTracks(pool, viewer?.id ?? null));

  serve(app, trackEndpoints.get, async ({ params }) => {
    const track = await findTrack(db, params.trackId);
    if (!track) throw new AppError('not_found', 'There is no such track.');
    return track;
  });
}
