import type { FastifyInstance } from 'fastify';
import { backupEndpoints } from '#contract/backups.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { backupJob } from './backup-jobs.ts';
import type { BackupTarget } from './open-target.ts';
import { listBackups } from './prove-backup.ts';

/** Administrators see which backups there are, and make one. */
export function mountBackupRoutes(
  app: FastifyInstance,
  { db }: OpenDatabase,
  target: BackupTarget | null,
): void {
  serve(app, backupEndpoints.list, async () => ({
    target: target?.name ?? null,
    backups: target ? await listBackups(target.storage) : [],
  }));

  serve(app, backupEndpoints.create, async () => {
    if (!target) throw new AppError('conflict', 'Set BACKUP_TARGET to a folder or a bucket first.');
    await addJob(db, backupJob, {}, { key: backupJob.name });
    return { started: true as const };
  });
}
