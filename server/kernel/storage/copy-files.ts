import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Storage } from './storage.ts';

/** What became of the files of one storage. */
export type CopiedFiles = { files: number; bytes: number };

/**
 * Copies all objects below `prefix` from one storage into another, by way of `workFolder`, and reads each back to compare it.
 * `expected` knows the SHA-256 of those whose content is on record.
 */
export async function copyFiles(
  storages: { from: Storage; to: Storage },
  options: { prefix: string; workFolder: string; expected: ReadonlyMap<string, string> },
): Promise<CopiedFiles> {
  const { prefix, workFolder, expected } = options;
  const copied = { files: 0, bytes: 0 };
  for await (const { key } of storages.from.list(prefix)) {
    const path = join(workFolder, 'copy');
    const before = await readWhole(storages.from, key, path);
    if ((expected.get(key) ?? before.sha256) !== before.sha256) throw new Error(`${key} is damaged.`);
    await storages.to.put(key, path);
    const after = await readWhole(storages.to, key);
    if (after.sha256 !== before.sha256) throw new Error(`${key} is not the same after it was copied.`);
    copied.files += 1;
    copied.bytes += before.bytes;
  }
  return copied;
}

/** The keys of `expected` that the storage does not have, or not with that SHA-256. */
export async function listDamaged(
  storage: Storage,
  expected: ReadonlyMap<string, string>,
): Promise<string[]> {
  const damaged: string[] = [];
  for (const [key, sha256] of expected) {
    const found = await readWhole(storage, key).catch(() => null);
    if (found?.sha256 !== sha256) damaged.push(key);
  }
  return damaged;
}

/** Reads an object to its end, into a file where one is named. @throws where there is no such object */
async function readWhole(
  storage: Storage,
  key: string,
  path?: string,
): Promise<{ sha256: string; bytes: number }> {
  const stored = await storage.openRead(key);
  if (stored === null) throw new Error(`${key} is missing.`);
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, path === undefined ? undefined : chunk);
    },
  });
  if (path === undefined) await pipeline(stored.content, count.resume());
  else await pipeline(stored.content, count, createWriteStream(path, { mode: 0o600 }));
  return { sha256: hash.digest('hex'), bytes };
}
