import type { UserId } from '#contract/ids.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { removeLapFile } from '#server/model/laps/trace-storage.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { markDemoRemoved } from '#server/model/demo/demo-store.ts';
import { removeDemoRows } from './demo-driver-store.ts';

/**
 * Removes the demo community with its lap files, for good. `administratorId` is null for somebody at the terminal.
 * @throws AppError where there is none
 */
export async function removeDemo(
  { db, storage }: { db: Database; storage: Storage },
  administratorId: UserId | null,
): Promise<{ drivers: number; sessions: number }> {
  // Before the rows go, in a transaction of its own: who is preparing the community sees it, and stops.
  if (!(await markDemoRemoved(db))) throw new AppError('not_found', 'There is no demo community.');
  const { drivers, sessions, storageKeys } = await removeDemoRows(db, administratorId);
  // Should this fail, the files are swept later: no row names them any more.
  for (const key of storageKeys) await removeLapFile(storage, key);
  return { drivers, sessions };
}
