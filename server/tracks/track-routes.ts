import type { FastifyInstance } from 'fastify';
import { trackEndpoints } from '#contract/tracks.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { forEachSource } from '#server/kernel/database/for-each-source.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { keepFinishedBoards } from '#server/boards/response-cache.ts';
import { sendFinished } from '#server/boards/conditional-get.ts';
import { shareQuestions } from '../kernel/single-flight.ts';
import { openTrackList } from './track-list.ts';
import { findTrackFingerprints, listOwnTrackIds, writeTracks } from './track-list-store.ts';
import { findDrawnTrack } from './track-store.ts';

export function mountTrackRoutes(app: FastifyInstance, database: OpenDatabase): void {
  const lists = keepFinishedBoards();
  const partsOf = forEachSource(({ pool }) => ({
    findFingerprints: shareQuestions(() => findTrackFingerprints(pool)),
    writeList: openTrackList((groups) => writeTracks(pool, groups)),
  }));

  serve(app, trackEndpoints.list, async ({ viewer, request, reply }) => {
    const list = await database.read(request, async (source) => {
      const { findFingerprints, writeList } = partsOf(source);
      const [fingerprints, ownTrackIds] = await Promise.all([
        findFingerprints(),
        viewer ? listOwnTrackIds(source.pool, viewer.id) : [],
      ]);
      // Everybody without an entry, guests included, sees the same list.
      const version = [...fingerprints].join();
      return await lists.get(ownTrackIds.join(), version, () => writeList(fingerprints, ownTrackIds));
    });
    return sendFinished(request, reply, list);
  });

  serve(app, trackEndpoints.get, async ({ params, request }) => {
    const track = await database.read(request, ({ db }) => findDrawnTrack(db, params.trackId));
    if (!track) throw new AppError('not_found', 'There is no such track.');
    return track;
  });
}
