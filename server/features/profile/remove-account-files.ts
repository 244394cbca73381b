import type { FastifyBaseLogger } from 'fastify';
import { imageStorageKey, incomingPrefix } from '#server/model/images/image-key.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { removeLapFile } from '#server/model/laps/trace-storage.ts';
import type { AccountFiles } from './account-store.ts';

type RemovedAccount = { userId: string; files: AccountFiles; log: FastifyBaseLogger };

/** Removes what a user had in the storage. The account is gone by then: what cannot be removed now is swept later, because no row names it. */
export async function removeAccountFiles(
  storage: Storage,
  { userId, files: { storageKeys, imageKeys }, log }: RemovedAccount,
): Promise<void> {
  try {
    for (const key of storageKeys) await removeLapFile(storage, key);
    for (const key of imageKeys) await storage.remove(imageStorageKey(key));
    for await (const { key } of storage.list(incomingPrefix(userId))) await storage.remove(key);
  } catch (error) {
    log.warn({ err: error }, 'files of a removed account could not be removed');
  }
}
