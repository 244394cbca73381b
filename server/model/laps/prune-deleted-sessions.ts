import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { takeOverdueSessions } from './deleted-session-store.ts';
import { deleteLapFile } from './trace-storage.ts';

/** Deletes for good the sessions that can no longer be restored. */
export const pruneDeletedSessionsJob = defineJob({ name: 'prune-deleted-sessions', payload: z.object({}) });

type PruneDeps = { db: Database; storage: Storage };

export function pruneDeletedSessionsOnTime(deps: PruneDeps): JobHandler {
  return handleJob(pruneDeletedSessionsJob, () => pruneDeletedSessions(deps));
}

/** Deletes the rows and the files of sessions whose minute is over. A sweep finds the files of a killed server. */
export async function pruneDeletedSessions({ db, storage }: PruneDeps): Promise<void> {
  for (const storageKey of await takeOverdueSessions(db)) await deleteLapFile(storage, storageKey);
}
