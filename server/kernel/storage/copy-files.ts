import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { openContent } from './compressed.ts';
import type { Storage } from './storage.ts';

export type CopiedFiles = { files: number; bytes: number };

/** Copies objects below `prefix` by way of `workFolder`, and compares each with the copy and `expected` SHA-256. */
export async function copyFiles(
  storages: { from: Storage; to: Storage },
  options: { prefix: string; workFolder: string; expected: ReadonlyMap<string, string> },
): Promise<CopiedFiles> {
  const { prefix, workFolder, expected } = options;
  const copied = { files: 0, bytes: 0 };
  for await (const { key } of storages.from.list(prefix)) {
    const path = join(workFolder, 'copy');
    const before = await hashContent(storages.from, key);
    if ((expected.get(key) ?? before.sha256) !== before.sha256) throw new Error(`${key} is damaged.`);
    await download(storages.from, key, path);
    await storages.to.put(key, path);
    const after = await hashContent(storages.to, key);
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
    const found = await hashContent(storage, key).catch(() => null);
    if (found?.sha256 !== sha256) damaged.push(key);
  }
  return damaged;
}

/** Reads an object to its end, decompressed. @throws where there is no such object */
async function hashContent(storage: Storage, key: string): Promise<{ sha256: string; bytes: number }> {
  const content = await openContent(storage, key);
  if (content === null) throw new Error(`${key} is missing.`);
  const hash = createHash('sha256');
  let bytes = 0;
  content.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  await finished(content);
  return { sha256: hash.digest('hex'), bytes };
}

async function download(storage: Storage, key: string, path: string): Promise<void> {
  const stored = await storage.openRead(key);
  if (stored === null) throw new Error(`${key} is missing.`);
  await pipeline(stored.content, createWriteStream(path, { mode: 0o600 }));
}
