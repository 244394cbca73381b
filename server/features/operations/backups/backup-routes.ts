import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { backupEndpoints } from '#contract/operations/backups.ts';
import { signInEndpoints } from '#contract/people/schemas.ts';
import { getAuthSession } from '#server/model/people/recent-sign-in.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError, StartError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { SAFE_METHODS } from '#server/kernel/http/safe-methods.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { backupJob } from './backup-jobs.ts';
import { deriveBackupKey, requireSignature } from './backup-signature.ts';
import { requireSameTables } from './dump-store.ts';
import type { BackupTarget } from './open-target.ts';
import { listBackups, readManifest } from './list-backups.ts';
import { isRestoring } from './restore-store.ts';
import { findRestore, HOW_TO_ACCEPT, startRestore, STATE_KEY } from './restore-job.ts';

/** Serves the calls with which administrators list and make backups, and owners restore one. */
export function mountBackupRoutes(app: FastifyInstance, services: Services): void {
  const { database, backupTarget: target, settings, incomingFolder } = services;
  const key = deriveBackupKey(settings.cookieSecret);
  serve(app, backupEndpoints.list, async () => {
    if (target === null) return { target: null, backups: [], damaged: [], restore: null };
    const { backups, damaged } = await listBackups(target.storage, key);
    const restore = await findRestore(database, target.storage);
    return restore === 'damaged'
      ? { target: target.name, backups, damaged: [...damaged, STATE_KEY], restore: null }
      : { target: target.name, backups, damaged, restore };
  });

  serve(app, backupEndpoints.create, async ({ audit }) => {
    requireTarget(target);
    await database.db.transaction(async (tx) => {
      await addJob(tx, backupJob, {}, { key: backupJob.name });
      await audit(tx, {});
    });
    return { started: true as const };
  });

  serve(app, backupEndpoints.restore, async ({ viewer, params: { name }, query: { word }, request }) => {
    const session = await getAuthSession(services, request);
    const { storage } = requireTarget(target);
    const { backups } = await listBackups(storage, key);
    const backup = backups.find((one) => one.name === name);
    if (!backup) throw new AppError('not_found', 'There is no such backup.');
    if (backup.proof?.problem) throw new AppError('conflict', 'This backup does not restore.');
    const manifest = await readManifest(storage, name);
    const acceptsUnsigned = word === 'unsigned';
    try {
      requireSignature({ manifest, name }, key, { isAccepted: acceptsUnsigned, how: HOW_TO_ACCEPT });
      await requireSameTables(database.pool, manifest);
    } catch (error) {
      throw error instanceof StartError ? new AppError('conflict', error.message, { cause: error }) : error;
    }
    const deps = { target: storage, workFolder: incomingFolder };
    await startRestore(database, deps, {
      name,
      userId: viewer.id,
      signInId: session.id,
      acceptsUnsigned,
    });
    return { started: true as const };
  });
}

function requireTarget(target: BackupTarget | null): BackupTarget {
  if (target) return target;
  throw new AppError('conflict', 'Set BACKUP_TARGET to a folder or a bucket first.');
}

/** Refuses changes while a backup is being restored, which would lose them. */
export function refuseChangesDuringRestore(app: FastifyInstance, { pool }: OpenDatabase): void {
  app.addHook('onRequest', async ({ method, url, routeOptions }) => {
    if (SAFE_METHODS.has(method) || !url.startsWith('/api/') || url === signInEndpoints.logout.path) return;
    // A restore has its own error message.
    if (routeOptions.config.endpoint === backupEndpoints.restore) return;
    if (await isRestoring(pool)) throw new AppError('unavailable', RESTORING);
  });
}

const RESTORING =
  'A backup is being restored, so nothing can be saved just now. Please try again in a few minutes.';
