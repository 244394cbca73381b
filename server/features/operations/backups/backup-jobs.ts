import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { type BackupDeps, makeBackup } from './make-backup.ts';
import { proveBackup } from './prove-backup.ts';
import { pruneBackups } from './prune-backups.ts';

/** Makes a backup, proves it and deletes the oldest ones. */
export const backupJob = defineJob({
  name: 'make-backup',
  payload: z.object({}),
  queue: 'backups',
  attemptsMax: 3,
});

export function makeBackups(deps: BackupDeps & { keep: number; log: FastifyBaseLogger }): JobHandler {
  return handleJob(backupJob, async () => {
    const { target, keep, log } = deps;
    const name = await makeBackup(deps, new Date());
    const { problem } = await proveBackup(deps, name, new Date());
    if (problem !== null) log.error({ backup: name, problem }, 'A backup could not be restored');
    // A backup that failed its proof causes no deletion: the older ones may be good.
    else await pruneBackups(target, keep);
  });
}
