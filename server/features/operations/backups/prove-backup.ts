import { fillDatabase } from './dump-store.ts';
import { readManifest } from './list-backups.ts';
import type { BackupDeps } from './make-backup.ts';
import { type Proof, proofKey, sharedKey } from './manifest.ts';
import { hashObject, saveText } from './stored-objects.ts';
import { withThrowAwayDatabase } from './throw-away-database.ts';

type ProveDeps = Pick<BackupDeps, 'connectionString' | 'target' | 'workFolder'>;

/** Restores a backup into a temporary database, reads all of its files, and stores the result. */
export async function proveBackup(deps: ProveDeps, name: string, now: Date): Promise<Proof> {
  const problem = await findProblem(deps, name).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  const proof: Proof = { provenAt: now.toISOString(), problem };
  await saveText(deps, proofKey(name), JSON.stringify(proof));
  return proof;
}

async function findProblem({ connectionString, target }: ProveDeps, name: string): Promise<string | null> {
  const manifest = await readManifest(target, name);
  await withThrowAwayDatabase(connectionString, (empty) => fillDatabase(empty, { target, name, manifest }));
  for (const { key, sha256 } of manifest.files) {
    const found = await hashObject(target, sharedKey(key));
    if (found?.sha256 !== sha256) return `The file ${key} is ${found === null ? 'missing' : 'damaged'}.`;
  }
  return null;
}
