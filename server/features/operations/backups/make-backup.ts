import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { IMAGES_PREFIX } from '#server/model/images/image-key.ts';
import { LAP_FILES_PREFIX } from '#server/model/laps/lap-file-key.ts';
import { type BackupKey, signManifest } from './backup-signature.ts';
import { writeTables } from './dump-store.ts';
import { type Manifest, manifestKey, sharedKey, tableKey } from './manifest.ts';
import { hashObject, saveObject, saveText } from './stored-objects.ts';

export type BackupDeps = {
  connectionString: string;
  /** This storage of the server holds lap files and images. */
  storage: Storage;
  /** The backup is written here. */
  target: Storage;
  version: string;
  /** Signs the manifest. */
  key: BackupKey;
  /** Holds files while they are written. Nothing in it outlives a start, so a killed server leaves nothing behind. */
  workFolder: string;
};

type MakeBackupOptions = {
  /** True if nothing can change meanwhile, because the caller holds the tables. */
  isHeld?: boolean;
};

/** Makes a backup of the database, as of one moment, and of all files, while changes continue. Returns its name. */
export async function makeBackup(
  deps: BackupDeps,
  now: Date,
  { isHeld = false }: MakeBackupOptions = {},
): Promise<string> {
  const name = `backup-${now.toISOString().replaceAll(/[-:Z]/g, '').replaceAll(/[T.]/g, '-')}`;
  const folder = await mkdtemp(join(deps.workFolder, 'backup-'));
  const files = new Map<string, Manifest['files'][number]>();
  try {
    // Files are copied before the database, so that the backup has a file whose row is removed later, and after it for files
    // that were added.
    await copyFiles(deps, files, folder);
    const written = await writeTables(deps.connectionString, {
      onTable: (table, path) => deps.target.put(tableKey(name, table), path),
      folder,
      isHeld,
    });
    await copyFiles(deps, files, folder);
    const manifest = {
      name,
      createdAt: now.toISOString(),
      version: deps.version,
      ...written,
      files: [...files.values()],
    };
    // The manifest is written last: a backup without one is incomplete.
    await saveText(deps, manifestKey(name), JSON.stringify(signManifest(manifest, deps.key)));
    return name;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyFiles(
  { storage, target }: BackupDeps,
  files: Map<string, Manifest['files'][number]>,
  folder: string,
): Promise<void> {
  for (const prefix of [LAP_FILES_PREFIX, IMAGES_PREFIX]) {
    for await (const { key } of storage.list(prefix)) {
      if (files.has(key)) continue;
      // The content of a key never changes, so a file that an earlier backup has copied is not read again.
      const kept = await hashObject(target, sharedKey(key));
      const copied =
        kept ?? (await saveObject({ from: storage, to: target }, { key, toKey: sharedKey(key), folder }));
      if (copied) files.set(key, { key, ...copied });
    }
  }
}
