import type { FastifyInstance } from 'fastify';
import { sessionEndpoints } from '#contract/sessions.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { checkDriverExists } from '#server/boards/driver-store.ts';
import { removeSession } from './remove-session.ts';
import { listSessions } from './session-store.ts';

export function mountSessionRoutes(
  app: FastifyInstance,
  { database, storage }: { database: OpenDatabase; storage: Storage },
): void {
  serve(app, sessionEndpoints.listOfUser, ({ viewer, params, request }) =>
    database.read(request, async ({ db, pool }) => {
      await checkDriverExists(db, params.userId);
      return await listSessions(pool, params.userId, viewer.id);
    }),
  );

  serve(app, sessionEndpoints.remove, async ({ viewer, params }) => {
    await removeSession({ db: database.db, storage }, viewer.id, params.id);
    return { removed: true as const };
  });
}
