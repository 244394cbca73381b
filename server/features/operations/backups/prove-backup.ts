import type { Backup } from '#contract/operations/backups.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { fillDatabase, withThrowAwayDatabase } from './dump-store.ts';
import type { BackupDeps } from './make-backup.ts';
import {
  BACKUPS_PREFIX,
  type Manifest,
  manifestKey,
  manifestSchema,
  type Proof,
  proofKey,
  proofSchema,
  sharedKey,
} from './manifest.ts';
import { hashObject, readText, saveText } from './stored-objects.ts';

const HOUR_TENTH_MS = 360_000;

/**
 * Reads the manifest of a backup.
 * @throws where the backup does not exist
 */
export async function readManifest(target: Storage, name: string): Promise<Manifest> {
  const text = await readText(target, manifestKey(name));
  if (text === null) throw new Error(`There is no backup ${name}.`);
  return manifestSchema.parse(JSON.parse(text));
}

/** Lists the names of all complete backups, newest first. */
export async function listBackupNames(target: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of target.list(BACKUPS_PREFIX)) {
    const [, name, file] = key.split('/');
    if (name !== undefined && file === 'manifest.json') names.push(name);
  }
  return names.toSorted().toReversed();
}

/** Lists all backups with the results of their proofs, newest first. */
export async function listBackups(target: Storage): Promise<Backup[]> {
  const backups: Backup[] = [];
  for (const name of await listBackupNames(target)) {
    const { createdAt, version, tables, files } = await readManifest(target, name);
    const proof = await readText(target, proofKey(name));
    backups.push({
      name,
      createdAt,
      version,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      proof: proof === null ? null : proofSchema.parse(JSON.parse(proof)),
    });
  }
  return backups;
}

export type LatestBackup = { ageHours: number; isProven: boolean };

/** Finds the newest backup; null where there is none. */
export async function findLatestBackup(target: Storage, now: Date): Promise<LatestBackup | null> {
  const [name] = await listBackupNames(target);
  if (name === undefined) return null;
  const { createdAt } = await readManifest(target, name);
  const proof = await readText(target, proofKey(name));
  const ageMs = now.getTime() - Date.parse(createdAt);
  return {
    ageHours: Math.round(ageMs / HOUR_TENTH_MS) / 10,
    isProven: proof !== null && proofSchema.parse(JSON.parse(proof)).problem === null,
  };
}

/** Restores a backup into a temporary database, reads all of its files, and stores the result. */
export async function proveBackup(
  { connectionString, target }: Pick<BackupDeps, 'connectionString' | 'target'>,
  name: string,
  now: Date,
): Promise<Proof> {
  const problem = await findProblem({ connectionString, target }, name).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  const proof: Proof = { provenAt: now.toISOString(), problem };
  await saveText(target, proofKey(name), JSON.stringify(proof));
  return proof;
}

async function findProblem(
  { connectionString, target }: Pick<BackupDeps, 'connectionString' | 'target'>,
  name: string,
): Promise<string | null> {
  const manifest = await readManifest(target, name);
  await withThrowAwayDatabase(connectionString, (empty) => fillDatabase(empty, { target, name, manifest }));
  for (const { key, sha256 } of manifest.files) {
    const found = await hashObject(target, sharedKey(key));
    if (found?.sha256 !== sha256) return `The file ${key} is ${found === null ? 'missing' : 'damaged'}.`;
  }
  return null;
}
