import type { FastifyInstance } from 'fastify';
import { operationEndpoints } from '#contract/operations.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { findFreeBytes } from '#server/kernel/disk-space.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { watchUpdates } from './find-update.ts';
import { measureStored } from './operation-store.ts';

type OperationParts = {
  database: OpenDatabase;
  /** On the disk whose free space counts. */
  incomingFolder: string;
  settings: { version: string; updateUrl: string | null };
};

/** What administrators want to know of the server itself. */
export function mountOperationRoutes(
  app: FastifyInstance,
  { database: { db }, incomingFolder, settings: { version, updateUrl } }: OperationParts,
): void {
  const findUpdate = watchUpdates(updateUrl, version, (error) =>
    app.log.warn({ err: error }, 'Whether there is a newer version could not be found out'),
  );
  serve(app, operationEndpoints.status, async () => ({
    version,
    update: { isChecked: updateUrl !== null, latest: await findUpdate() },
    disk: { freeBytes: await findFreeBytes(incomingFolder), ...(await measureStored(db)) },
  }));
}
