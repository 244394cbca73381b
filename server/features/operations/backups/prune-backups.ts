import type { Storage } from '#server/kernel/storage/storage.ts';
import { listBackupNames, readJson } from './list-backups.ts';
import { BACKUPS_PREFIX, manifestKey, manifestSchema, sharedKey, SHARED_PREFIX } from './manifest.ts';

/**
 * Deletes all but the newest `keep` backups that are not damaged, whatever is older than those, and the files that none of
 * them has. While the storage cannot read a manifest, no file is deleted that it may name.
 */
export async function pruneBackups(target: Storage, keep: number): Promise<void> {
  const kept: string[] = [];
  const keptFiles = new Set<string>();
  let knowsAllFiles = true;
  for (const name of await listBackupNames(target)) {
    if (kept.length === keep) break;
    const manifest = await readJson(target, manifestKey(name), manifestSchema).catch(() => null);
    if (manifest === null) knowsAllFiles = false;
    if (manifest === null || manifest === 'damaged') continue;
    kept.push(name);
    for (const { key } of manifest.files) keptFiles.add(sharedKey(key));
  }
  const oldest = kept.at(-1);
  if (oldest === undefined || kept.length < keep) return;
  const removed: string[] = [];
  for await (const { key } of target.list(BACKUPS_PREFIX)) {
    const [, name] = key.split('/');
    if (name !== undefined && name < oldest) removed.push(key);
  }
  // A backup without its manifest is incomplete, so that goes first.
  const isManifest = (key: string): boolean => key.endsWith('/manifest.json');
  for (const key of removed.filter(isManifest)) await target.remove(key);
  for (const key of removed) await target.remove(key);
  if (removed.length === 0 || !knowsAllFiles) return;
  for await (const { key } of target.list(SHARED_PREFIX)) if (!keptFiles.has(key)) await target.remove(key);
}
