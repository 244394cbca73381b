import type { FastifyInstance } from 'fastify';
import type { OpenDatabase } from '#server/db/database.ts';

/** Sees to it that drivers find what a call of theirs has changed, wherever they read from then on. */
export function noteChanges(app: FastifyInstance, database: OpenDatabase): void {
  if (database.replicaPool === null) return;
  app.addHook('onSend', async ({ method, viewer }, { statusCode }) => {
    if (viewer && !['GET', 'HEAD'].includes(method) && statusCode < 400) await database.noteChange(viewer.id);
  });
}
