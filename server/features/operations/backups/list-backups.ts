import type { z } from 'zod';
import type { Backup } from '#contract/operations/backups.ts';
import { StartError } from '#server/kernel/errors.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { type BackupKey, checkSignature } from './backup-signature.ts';
import {
  BACKUPS_PREFIX,
  type Manifest,
  manifestKey,
  manifestSchema,
  type Proof,
  proofKey,
  proofSchema,
} from './manifest.ts';
import { readText } from './stored-objects.ts';

const HOUR_TENTH_MS = 360_000;

/**
 * Reads the manifest of a backup.
 * @throws StartError where the backup does not exist, or its manifest is damaged
 */
export async function readManifest(target: Storage, name: string): Promise<Manifest> {
  const found = await readJson(target, manifestKey(name), manifestSchema);
  if (found === null) throw new StartError(`There is no backup ${name}.`);
  if (found === 'damaged') throw new StartError(`The manifest of ${name} is damaged.`);
  return found;
}

/**
 * Reads a small file of the target; null where it does not exist. A copy that was cut off and a bad disk damage it.
 * @throws what the storage throws
 */
export async function readJson<Schema extends z.ZodType>(
  target: Storage,
  key: string,
  schema: Schema,
): Promise<z.output<Schema> | 'damaged' | null> {
  const text = await readText(target, key);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return 'damaged';
  }
}

/** Reads a small file of the target, and takes one that the storage cannot read for a damaged one. */
async function readJsonIfReadable<Schema extends z.ZodType>(target: Storage, key: string, schema: Schema) {
  return await readJson(target, key, schema).catch(() => 'damaged' as const);
}

/** Lists the names of all complete backups, newest first, among them those with a damaged manifest. */
export async function listBackupNames(target: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of target.list(BACKUPS_PREFIX)) {
    const [, name, file] = key.split('/');
    if (name !== undefined && file === 'manifest.json') names.push(name);
  }
  return names.toSorted().toReversed();
}

/** Lists all backups with the results of their proofs, newest first, and the keys of the files that are damaged. */
export async function listBackups(
  target: Storage,
  key: BackupKey,
): Promise<{ backups: Backup[]; damaged: string[] }> {
  const backups: Backup[] = [];
  const damaged: string[] = [];
  for (const name of await listBackupNames(target)) {
    const manifest = await readJsonIfReadable(target, manifestKey(name), manifestSchema);
    const proof = await readJsonIfReadable(target, proofKey(name), proofSchema);
    if (manifest === 'damaged') damaged.push(manifestKey(name));
    if (proof === 'damaged') damaged.push(proofKey(name));
    if (manifest === 'damaged' || manifest === null) continue;
    const signature = checkSignature(manifest, name, key);
    backups.push({ ...describeBackup(name, manifest, proof === 'damaged' ? null : proof), signature });
  }
  return { backups, damaged };
}

function describeBackup(name: string, { createdAt, version, tables, files }: Manifest, proof: Proof | null) {
  return {
    name,
    createdAt,
    version,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    proof,
  };
}

type ReadBackup = { ageHours: number; isProven: boolean };
export type LatestBackup = ReadBackup | (Partial<ReadBackup> & { problem: string });

/** Finds the newest backup that is not damaged, and says how many are; null where there is none at all. */
export async function findLatestBackup(target: Storage, now: Date): Promise<LatestBackup | null> {
  const names = await listBackupNames(target);
  let damaged = 0;
  let latest: ReadBackup | null = null;
  for (const name of names) {
    const manifest = await readJsonIfReadable(target, manifestKey(name), manifestSchema);
    if (manifest === 'damaged') damaged += 1;
    else if (manifest !== null && latest === null) {
      const proof = await readJsonIfReadable(target, proofKey(name), proofSchema);
      const ageMs = now.getTime() - Date.parse(manifest.createdAt);
      latest = {
        ageHours: Math.round(ageMs / HOUR_TENTH_MS) / 10,
        isProven: proof !== null && proof !== 'damaged' && proof.problem === null,
      };
    }
  }
  if (damaged === 0) return latest;
  return { ...latest, problem: `${damaged} of ${names.length} backups are damaged.` };
}
