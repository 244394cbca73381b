import type { FastifyInstance } from 'fastify';
import { trackEndpoints } from '#contract/tracks.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { listBoard } from '#server/boards/board-store.ts';
import { findDrawnTrack } from '#server/tracks/track-store.ts';
import { drawTrackPreview } from './draw-social-card.ts';
import { etagOf, keepPreviews } from './social-card-cache.ts';

// Whoever shows a link asks once; somebody who asks for hundreds wants to keep the processor busy.
const CALLS_PER_MINUTE = 120;
// Everybody sees the same picture, and nobody minds a record that is some minutes old where a link was shared.
const CACHE_CONTROL = 'public, max-age=300';

const RECORD_ONLY = { limit: 1, offset: 0, ownUserId: null };

/** Draws the pictures of links to tracks. */
export function mountPreviewRoutes(app: FastifyInstance, database: OpenDatabase): void {
  const previews = keepPreviews();

  serve(
    app,
    trackEndpoints.preview,
    async ({ params: { trackId }, request, reply }) => {
      const svg = await database.read(request, async ({ db, pool }) => {
        const track = await findDrawnTrack(db, trackId);
        if (!track) throw new AppError('not_found', 'There is no such track.');
        const [record] = await listBoard(pool, trackId, {}, RECORD_ONLY);
        return drawTrackPreview(track, record);
      });
      const etag = etagOf(svg);
      reply.header('cache-control', CACHE_CONTROL).header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(trackEndpoints.preview.response).send(await previews.get(svg));
    },
    { callsPerMinute: CALLS_PER_MINUTE },
  );
}
