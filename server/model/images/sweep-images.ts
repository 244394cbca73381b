import type { Database } from '#server/kernel/database/database.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { imageStorageKey, IMAGES_PREFIX, INCOMING_PREFIX } from './image-key.ts';
import { deleteTakenUploads, listImageKeys } from './image-store.ts';

// An upload URL is valid for a quarter of an hour; an image that is not used by then was given up.
const UNUSED_MAX_MS = 60 * 60 * 1000;

/**
 * Removes what was sent and never used, and images that no row names: those of a server that was killed between
 * keeping an image and showing it. Images younger than `olderThanMs` stay. Gives how many were removed.
 */
export async function sweepImages(storage: Storage, db: Database, olderThanMs: number): Promise<number> {
  const unused = await listOlder(storage, INCOMING_PREFIX, UNUSED_MAX_MS);
  const found = await listOlder(storage, IMAGES_PREFIX, olderThanMs);
  // Asked after the files: a row that came in between would otherwise be missed.
  const shown = new Set([...(await listImageKeys(db))].map(imageStorageKey));
  const orphans = [...unused, ...found.filter((key) => !shown.has(key))];
  for (const key of orphans) await storage.remove(key);
  await deleteTakenUploads(db, UNUSED_MAX_MS);
  return orphans.length;
}

async function listOlder(storage: Storage, prefix: string, olderThanMs: number): Promise<string[]> {
  const storedBeforeMs = Date.now() - olderThanMs;
  const keys: string[] = [];
  for await (const { key, storedAt } of storage.list(prefix)) {
    if (storedAt.getTime() <= storedBeforeMs) keys.push(key);
  }
  return keys;
}
