import type { FastifyInstance } from 'fastify';
import { trackAdministrationEndpoints } from '#contract/admin-tracks.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { listAuditEntries } from '../audit/audit-store.ts';
import { listAdministeredTracks } from './administration-store.ts';
import { correctTrack, removeTrack } from './correct-track.ts';

// Some 30 MB.
const EXPORTED_ENTRIES_MAX = 100_000;

/** Tracks of the library are corrected and deleted here, and what administrators did is read. */
export function mountTrackAdministration(app: FastifyInstance, { db }: OpenDatabase): void {
  serve(app, trackAdministrationEndpoints.correctTrack, ({ viewer, params, body }) =>
    correctTrack(db, viewer.id, params.trackId, body),
  );

  serve(app, trackAdministrationEndpoints.removeTrack, async ({ viewer, params }) => {
    await removeTrack(db, viewer.id, params.trackId);
    return { removed: true as const };
  });

  serve(app, trackAdministrationEndpoints.listTracks, ({ query }) => listAdministeredTracks(db, query));

  serve(app, trackAdministrationEndpoints.auditLog, ({ query }) => listAuditEntries(db, query));

  serve(app, trackAdministrationEndpoints.exportAuditLog, async ({ query, reply }) => {
    void reply.header('content-disposition', 'attachment; filename="audit-log.json"');
    return (await listAuditEntries(db, { ...query, limit: EXPORTED_ENTRIES_MAX, offset: 0 })).entries;
  });
}
