import type { FastifyInstance } from 'fastify';
import { trackAdministrationEndpoints } from '#contract/admin-tracks.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import type { LapWorkers } from '#server/timing/lap-workers.ts';
import { listAuditEntries } from '../audit/audit-store.ts';
import { correctTrack, removeTrack } from './correct-track.ts';
import { openRetiming } from './retime-due-tracks.ts';

export type TrackAdministrationDependencies = {
  database: OpenDatabase;
  storage: Storage;
  lapWorkers: LapWorkers;
  incomingFolder: string;
};

/** Tracks of the library are corrected and deleted here, and what administrators did is read. */
export function mountTrackAdministration(
  app: FastifyInstance,
  { database: { db }, ...rest }: TrackAdministrationDependencies,
): void {
  const retiming = openRetiming({ db, ...rest, log: app.log });
  // What a server that ended left undone.
  app.addHook('onListen', async () => retiming.start());
  app.addHook('onClose', () => retiming.close());

  serve(app, trackAdministrationEndpoints.correctTrack, async ({ viewer, params, body }) => {
    const answer = await correctTrack(db, viewer.id, params.trackId, body);
    if (answer.sessionsToRetime > 0) retiming.start();
    return answer;
  });

  serve(app, trackAdministrationEndpoints.removeTrack, async ({ viewer, params }) => {
    await removeTrack(db, viewer.id, params.trackId);
    return { removed: true as const };
  });

  serve(app, trackAdministrationEndpoints.auditLog, ({ query }) => listAuditEntries(db, query));
}
