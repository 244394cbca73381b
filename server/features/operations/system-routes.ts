import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Services } from '#server/model/services.ts';
import { systemEndpoints } from '#contract/operations/system.ts';
import { findLatestBackup, type LatestBackup } from './backups/list-backups.ts';
import { checkDatabase } from '#server/kernel/database/database.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';

export function mountSystemRoutes(
  app: FastifyInstance,
  { database, settings, isDraining, backupTarget }: Services,
): void {
  const findBackup = rememberLatestBackup(app.log);
  // The answer does not depend on the database: a restarted server would only be missing when the database comes back.
  serve(app, systemEndpoints.health, async () => ({ status: 'ok' as const, version: settings.version }));

  serve(app, systemEndpoints.ready, async () => {
    if (isDraining()) throw new AppError('unavailable', 'This server is stopping; ask another copy of it.');
    await checkDatabase(database.pool);
    return {
      status: 'ready' as const,
      ...(backupTarget && { backup: await findBackup(backupTarget.storage) }),
    };
  });
}

const REMEMBERED_MS = 60_000;

type BackupState = LatestBackup | null;

const UNKNOWN_BACKUP = {
  problem: 'The backups cannot be read at the moment, so the latest one is unknown.',
};

/**
 * Caches the latest backup: load balancers call every few seconds, and a target that does not answer is no reason to redirect
 * calls.
 */
function rememberLatestBackup(log: FastifyBaseLogger): (target: Storage) => Promise<BackupState> {
  let latest: BackupState = null;
  let askedAtMs = -Infinity;
  return async (target) => {
    const nowMs = Date.now();
    if (nowMs - askedAtMs < REMEMBERED_MS) return latest;
    askedAtMs = nowMs;
    latest = await findLatestBackup(target, new Date(nowMs)).catch((error: unknown) => {
      log.warn({ err: error }, 'The latest backup could not be found');
      return UNKNOWN_BACKUP;
    });
    return latest;
  };
}
