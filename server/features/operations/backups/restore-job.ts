import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { authSessionIdSchema, userIdSchema } from '#contract/ids.ts';
import { type RestoreState, restoreStateSchema } from '#contract/operations/backups.ts';
import { listAuditEntries } from '#server/model/audit/audit-store.ts';
import type { Database, OpenDatabase } from '#server/kernel/database/database.ts';
import { describeError } from '#server/kernel/log/describe-error.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addJob, isUnderWay } from '#server/kernel/jobs/job-store.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { type BackupDeps, makeBackup } from './make-backup.ts';
import { requireSignature } from './backup-signature.ts';
import { readJson, readManifest } from './list-backups.ts';
import { proveBackup } from './prove-backup.ts';
import { isRestoring, lockStart, replaceRows, withTablesHeld } from './restore-store.ts';
import { restoreFiles } from './restore-files.ts';
import { saveText } from './stored-objects.ts';

/** Replaces all data with a backup. The job runs once: if its server is killed, nothing has changed, and the owner decides. */
const restoreJob = defineJob({
  name: 'restore-backup',
  payload: z.object({
    name: z.string(),
    userId: userIdSchema,
    signInId: authSessionIdSchema,
    /** The owner has typed that a backup without a valid signature is restored all the same. */
    acceptsUnsigned: z.boolean().default(false),
  }),
  queue: 'backups',
  attemptsMax: 1,
});

// The state is in the storage of backups, which a restore does not change and all copies of the server see.
export const STATE_KEY = 'restore.json';

type StateDeps = { target: Storage; workFolder: string };

/**
 * Adds a job that restores a backup in the background.
 * @throws AppError `conflict` where a restore is in progress
 */
export async function startRestore(
  { db, pool }: OpenDatabase,
  deps: StateDeps,
  payload: z.infer<typeof restoreJob.payload>,
): Promise<void> {
  await db.transaction(async (tx) => {
    // The second of two concurrent calls finds the restore of the first.
    await lockStart(tx);
    const last = await findRestore({ db: tx, pool }, deps.target);
    const isGoingOn =
      last === 'damaged'
        ? (await isUnderWay(tx, restoreJob)) || (await isRestoring(pool))
        : last !== null && !hasEnded(last);
    if (isGoingOn) throw new AppError('conflict', 'A backup is being restored already.');
    const { name } = payload;
    const startedAt = new Date().toISOString();
    // The state is saved before the job, which continues from it.
    await saveState(deps, { name, startedAt, step: 'waiting', undoName: null, problem: null });
    await addJob(tx, restoreJob, payload);
  });
}

const hasEnded = ({ step }: RestoreState): boolean => step === 'done' || step === 'failed';

/** Finds the last restore, or the one in progress; null where there never was one, `damaged` where its file is. */
export async function findRestore(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  target: Storage,
): Promise<RestoreState | 'damaged' | null> {
  const state = await readJson(target, STATE_KEY, restoreStateSchema);
  if (state === null || state === 'damaged' || state.step === 'done') return state;
  const isGoingOn = state.step === 'waiting' ? await isUnderWay(db, restoreJob) : await isRestoring(pool);
  if (isGoingOn && state.step !== 'failed') return state;
  if (await wasRestored(db, state)) return { ...state, step: 'done', problem: null };
  return { ...state, step: 'failed', problem: state.problem ?? 'The server ended during it.' };
}

/** Tests if the data are those of this restore: its last step in the database is its entry in the audit log. */
async function wasRestored(db: Database, { undoName }: RestoreState): Promise<boolean> {
  if (undoName === null) return false;
  const filter = { action: 'restore-backup', subject: undoName };
  return (await listAuditEntries(db, { ...filter, limit: 1, offset: 0 })).total > 0;
}

export function restoreBackups(deps: BackupDeps & { log: FastifyBaseLogger }): JobHandler {
  const { connectionString, target, log } = deps;
  return handleJob(restoreJob, async ({ name, acceptsUnsigned, ...restore }, signal) => {
    const begun = await readJson(target, STATE_KEY, restoreStateSchema);
    let state: RestoreState = {
      name,
      startedAt: begun === 'damaged' || begun === null ? new Date().toISOString() : begun.startedAt,
      step: 'waiting',
      undoName: null,
      problem: null,
    };
    const save = async (change: Partial<RestoreState>): Promise<void> => {
      state = { ...state, ...change };
      await saveState(deps, state);
    };
    const enter = async (change: Pick<RestoreState, 'step'> & Partial<RestoreState>): Promise<void> => {
      signal.throwIfAborted();
      await save(change);
    };
    try {
      const backup = { target, name, manifest: await readManifest(target, name) };
      requireSignature(backup, deps.key, { isAccepted: acceptsUnsigned, how: HOW_TO_ACCEPT });
      await withTablesHeld(connectionString, async (client) => {
        await enter({ step: 'backing-up' });
        const undoName = await makeBackup(deps, new Date(), { isHeld: true });
        await enter({ step: 'proving', undoName });
        const { problem } = await proveBackup(deps, undoName, new Date());
        if (problem !== null)
          throw new Error(`The backup of what is there now could not be proven. ${problem}`);
        await enter({ step: 'files' });
        await restoreFiles(backup, deps);
        await enter({ step: 'database' });
        await replaceRows(client, backup, { ...restore, undoName });
      });
    } catch (error) {
      await save({ step: 'failed', problem: describeError(error).message });
      throw error;
    }
    await save({ step: 'done' });
    log.info({ backup: name, undo: state.undoName }, 'A backup was restored');
  });
}

/** Says how an owner restores a backup without a valid signature. */
export const HOW_TO_ACCEPT = 'To restore it all the same, type the word unsigned.';

const saveState = (deps: StateDeps, state: RestoreState): Promise<void> =>
  saveText(deps, STATE_KEY, JSON.stringify(state));
