import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { SessionId, UserId } from '#contract/ids.ts';
import { type OwnSession, sessionEndpoints } from '#contract/sessions/schemas.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { checkDriverExists } from '#server/model/people/driver-store.ts';
import { changeSession } from './change-session.ts';
import { deleteSession } from './delete-session.ts';
import { exportSession } from './export-session.ts';
import { restoreSession } from './restore-session.ts';
import { findOwnSession, getStoredSession, listSessions } from '#server/model/laps/session-store.ts';

export function mountSessionRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  serve(app, sessionEndpoints.listOfUser, ({ viewer, params, request }) =>
    database.read(request, async ({ db, pool }) => {
      await checkDriverExists(db, params.userId);
      return await listSessions(pool, params.userId, viewer.id);
    }),
  );

  serve(app, sessionEndpoints.getOwn, async ({ viewer, params }) => {
    await getStoredSession(database.db, viewer.id, params.id);
    return await getSession(viewer.id, params.id);
  });

  serve(app, sessionEndpoints.change, async ({ viewer, params, body }) => {
    await changeSession(database.db, viewer.id, params.id, body);
    return await getSession(viewer.id, params.id);
  });

  serve(app, sessionEndpoints.remove, async ({ viewer, params }) => {
    await deleteSession(database.db, viewer.id, params.id);
    return { removed: true as const };
  });

  serve(app, sessionEndpoints.restore, async ({ viewer, params }) => {
    await restoreSession(database.db, viewer.id, params.id);
    return { restored: true as const };
  });

  serve(app, sessionEndpoints.export, ({ viewer, params, query, request, reply }) =>
    exportSession({ ...services, db: database.db, log: request.log }, reply, {
      viewer,
      sessionId: params.id,
      format: query.as,
    }),
  );

  async function getSession(userId: UserId, sessionId: SessionId): Promise<OwnSession> {
    return found(await findOwnSession(database.pool, userId, sessionId), sessionEndpoints.getOwn);
  }
}
