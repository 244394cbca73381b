import type { Database } from '#server/kernel/database/database.ts';
import { listOlder } from '#server/kernel/storage/list-older.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { imageStorageKey, IMAGES_PREFIX, INCOMING_PREFIX } from './image-key.ts';
import { deleteTakenUploads, listImageKeys } from './image-store.ts';

// An upload URL is valid for a quarter of an hour, so an unused image of this age was abandoned.
const UNUSED_MAX_MS = 60 * 60 * 1000;

/** Removes unused uploads and images without a row that are older than `olderThanMs`; returns how many. */
export async function sweepImages(storage: Storage, db: Database, olderThanMs: number): Promise<number> {
  const unused = await listOlder(storage, INCOMING_PREFIX, UNUSED_MAX_MS);
  const found = await listOlder(storage, IMAGES_PREFIX, olderThanMs);
  // The keys are listed after the files, so that the list has the row of every listed file.
  const shown = new Set([...(await listImageKeys(db))].map(imageStorageKey));
  const orphans = [...unused, ...found.filter((key) => !shown.has(key))];
  for (const key of orphans) await storage.remove(key);
  await deleteTakenUploads(db, UNUSED_MAX_MS);
  return orphans.length;
}
