import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '#server/kernel/storage/storage.ts';
import type { FoundBackup } from './dump-store.ts';
import { sharedKey } from './manifest.ts';
import { hashObject, saveObject } from './stored-objects.ts';

/** Restores the files of a backup that are missing or damaged. */
export async function restoreFiles(
  { target, manifest }: FoundBackup,
  { storage, workFolder }: { storage: Storage; workFolder: string },
): Promise<void> {
  const folder = await mkdtemp(join(workFolder, 'restore-'));
  try {
    for (const { key, sha256 } of manifest.files) {
      if ((await hashObject(storage, key))?.sha256 === sha256) continue;
      const objects = { key: sharedKey(key), toKey: key, folder };
      const copied = await saveObject({ from: target, to: storage }, objects);
      if (copied?.sha256 !== sha256) throw new Error(`The file ${key} is missing or damaged in the backup.`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
