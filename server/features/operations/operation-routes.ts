import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { operationEndpoints } from '#contract/operations/schemas.ts';
import { findFreeBytes } from '#server/kernel/files/disk-space.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { watchUpdates } from './find-update.ts';
import { measureStored } from './operation-store.ts';

/** Serves the state of the server for administrators. */
export function mountOperationRoutes(
  app: FastifyInstance,
  { database: { db, notifications }, incomingFolder, settings: { version, updateUrl } }: Services,
): void {
  const findUpdate = watchUpdates(updateUrl, version, (error) =>
    app.log.warn({ err: error }, 'Whether there is a newer version could not be found out'),
  );
  serve(app, operationEndpoints.status, async () => ({
    version,
    update: { isChecked: updateUrl !== null, latest: await findUpdate() },
    isBehindPooler: notifications.isBehindPooler(),
    disk: { freeBytes: await findFreeBytes(incomingFolder), ...(await measureStored(db)) },
  }));
}
