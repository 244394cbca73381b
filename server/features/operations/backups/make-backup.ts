import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { IMAGES_PREFIX } from '#server/model/images/image-key.ts';
import { LAP_FILES_PREFIX } from '#server/model/laps/lap-file-key.ts';
import { writeTables } from './dump-store.ts';
import { BACKUPS_PREFIX, type Manifest, manifestKey, sharedKey, tableKey } from './manifest.ts';
import { hashObject, saveObject, saveText } from './stored-objects.ts';

export type BackupDeps = {
  connectionString: string;
  /** This storage of the server holds lap files and images. */
  storage: Storage;
  /** The backup is written here. */
  target: Storage;
  version: string;
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
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-backup-'));
  const files = new Map<string, Manifest['files'][number]>();
  try {
    // Files are copied before the database, so that the backup has a file whose row is removed later, and after it for files
    // that were added.
    await copyFiles(deps, files, folder);
    const written = await writeTables(deps.connectionString, {
      onTable: (table, path) => deps.target.put(tableKey(name, table), path),
      isHeld,
    });
    await copyFiles(deps, files, folder);
    const manifest: Manifest = {
      createdAt: now.toISOString(),
      version: deps.version,
      ...written,
      files: [...files.values()],
    };
    // The manifest is written last: a backup without one is incomplete.
    await saveText(deps.target, manifestKey(name), JSON.stringify(manifest));
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

/** Deletes all but the newest `keep` backups, and the files that none of those has. */
export async function pruneBackups(
  target: Storage,
  { names, keep }: { names: readonly string[]; keep: number },
  readManifest: (name: string) => Promise<Manifest>,
): Promise<void> {
  const removed = names.toSorted().slice(0, Math.max(0, names.length - keep));
  if (removed.length === 0) return;
  const kept = new Set<string>();
  for (const name of names.filter((one) => !removed.includes(one)))
    for (const { key } of (await readManifest(name)).files) kept.add(sharedKey(key));
  for (const name of removed) {
    const keys: string[] = [];
    for await (const { key } of target.list(`${BACKUPS_PREFIX}/${name}`)) keys.push(key);
    for (const key of keys.toSorted()) await target.remove(key);
  }
  for await (const { key } of target.list('shared')) if (!kept.has(key)) await target.remove(key);
}
