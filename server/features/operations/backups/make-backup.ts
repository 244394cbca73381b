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
  /** Of the server: lap files and images. */
  storage: Storage;
  /** Where backups are kept. */
  target: Storage;
  version: string;
};

type MakeBackupOptions = {
  /** Nothing can change meanwhile: the caller holds the tables. */
  isHeld?: boolean;
};

/** Makes a backup of the database, as it is at one moment, and of all files; gives its name. Changes go on meanwhile. */
export async function makeBackup(
  deps: BackupDeps,
  now: Date,
  { isHeld = false }: MakeBackupOptions = {},
): Promise<string> {
  const name = `backup-${now.toISOString().replaceAll(/[-:Z]/g, '').replaceAll(/[T.]/g, '-')}`;
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-backup-'));
  const files = new Map<string, Manifest['files'][number]>();
  try {
    // Before the database, so that a file whose row is removed afterwards is there; after it for those that were added.
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
    // Last: a backup without a manifest is none.
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
      // A key never gets other content, so what an earlier backup has copied is not read again.
      const kept = await hashObject(target, sharedKey(key));
      const copied =
        kept ?? (await saveObject({ from: storage, to: target }, { key, toKey: sharedKey(key), folder }));
      if (copied) files.set(key, { key, ...copied });
    }
  }
}

/** Removes all but the newest `keep` backups, and the files that none of those has. */
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
