import type { UserId } from '#contract/ids.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { deleteLapFile } from '#server/model/laps/trace-storage.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { markDemoRemoved } from '#server/model/demo/demo-store.ts';
import { deleteDemoRows } from './demo-driver-store.ts';

/**
 * Deletes the demo community with its lap files for good. `administratorId` is null at the terminal.
 * @throws AppError where there is none
 */
export async function deleteDemo(
  { db, storage }: { db: Database; storage: Storage },
  administratorId: UserId | null,
): Promise<{ drivers: number; sessions: number }> {
  // This transaction comes before the deletion of rows: a preparation in progress sees it, and stops.
  if (!(await markDemoRemoved(db))) throw new AppError('not_found', 'There is no demo community.');
  const { drivers, sessions, storageKeys } = await deleteDemoRows(db, administratorId);
  // If this fails, a later sweep deletes the files: no row names them.
  for (const key of storageKeys) await deleteLapFile(storage, key);
  return { drivers, sessions };
}
