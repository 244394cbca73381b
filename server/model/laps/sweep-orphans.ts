import type { Database } from '#server/kernel/database/database.ts';
import { listOlder } from '#server/kernel/storage/list-older.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { TRACES_PREFIX, tracesKey } from './trace-storage.ts';
import { LAP_FILES_PREFIX } from './lap-file-key.ts';
import { listStorageKeys } from './lap-file-store.ts';

/**
 * Removes stored lap files that no row names, and traces of laps whose lap file is gone: what a server left behind that was killed between keeping a file and writing
 * its session. Files younger than `olderThanMs` stay, because another copy of the server may be about to write their
 * row. Gives how many were removed.
 */
export async function sweepOrphans(storage: Storage, db: Database, olderThanMs: number): Promise<number> {
  const files = await listOlder(storage, LAP_FILES_PREFIX, olderThanMs);
  const found = [...files, ...(await listOlder(storage, TRACES_PREFIX, olderThanMs))];
  // Asked after the files: a row that came in between would otherwise be missed.
  const lapFiles = await listStorageKeys(db);
  const kept = new Set([...lapFiles, ...[...lapFiles].map(tracesKey)]);
  const orphans = found.filter((key) => !kept.has(key));
  for (const key of orphans) await storage.remove(key);
  return orphans.length;
}
