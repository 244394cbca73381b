import type { Storage } from '#server/kernel/storage/storage.ts';
import { listBackupNames, readJson } from './list-backups.ts';
import { BACKUPS_PREFIX, manifestKey, manifestSchema, sharedKey, SHARED_PREFIX } from './manifest.ts';

const isManifest = (key: string): boolean => key.endsWith('/manifest.json');

/**
 * Deletes all but the newest `keep` backups that are not damaged, whatever is older than those, and the files that none of
 * them has. While the storage cannot read a manifest, no file is deleted that it may name.
 */
export async function pruneBackups(target: Storage, keep: number): Promise<void> {
  const { names, files, isComplete } = await findKept(target, keep);
  const oldest = names[keep - 1];
  if (oldest === undefined) return;
  const removed: string[] = [];
  for await (const { key } of target.list(BACKUPS_PREFIX)) {
    const [, name] = key.split('/');
    if (name !== undefined && name < oldest) removed.push(key);
  }
  // A backup without its manifest is incomplete, so that goes first.
  for (const key of removed.filter(isManifest)) await target.remove(key);
  for (const key of removed) await target.remove(key);
  if (removed.length === 0 || !isComplete) return;
  for await (const { key } of target.list(SHARED_PREFIX)) if (!files.has(key)) await target.remove(key);
}

/** Finds the backups to keep, newest first, and the keys of their files; `isComplete` is false if a manifest could not be read. */
async function findKept(target: Storage, keep: number) {
  const kept = { names: new Array<string>(), files: new Set<string>(), isComplete: true };
  for (const name of await listBackupNames(target)) {
    if (kept.names.length === keep) break;
    const manifest = await readJson(target, manifestKey(name), manifestSchema).catch(() => null);
    if (manifest === null) kept.isComplete = false;
    if (manifest === null || manifest === 'damaged') continue;
    kept.names.push(name);
    for (const { key } of manifest.files) kept.files.add(sharedKey(key));
  }
  return kept;
}
