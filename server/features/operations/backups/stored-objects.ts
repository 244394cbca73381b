import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '#server/kernel/storage/storage.ts';

export type HashedObject = { sha256: string; bytes: number };

/** Reads an object to its end and hashes it; null where it does not exist. */
export async function hashObject(storage: Storage, key: string): Promise<HashedObject | null> {
  const stored = await storage.openRead(key);
  if (stored === null) return null;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stored.content) {
    const part: Uint8Array = chunk;
    hash.update(part);
    bytes += part.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Copies an object unchanged, and reads the copy back; null where it does not exist. */
export async function saveObject(
  { from, to }: { from: Storage; to: Storage },
  { key, toKey, folder }: { key: string; toKey: string; folder: string },
): Promise<HashedObject | null> {
  const stored = await from.openRead(key);
  if (stored === null) return null;
  const path = join(folder, 'object');
  const hash = createHash('sha256');
  stored.content.on('data', (chunk: Uint8Array) => hash.update(chunk));
  await pipeline(stored.content, createWriteStream(path, { mode: 0o600 }));
  await to.put(toKey, path);
  const copied = await hashObject(to, toKey);
  if (copied?.sha256 !== hash.digest('hex')) throw new Error(`${key} is not the same after it was copied.`);
  return copied;
}

/** Reads the text of a small object; null where it does not exist. */
export async function readText(storage: Storage, key: string): Promise<string | null> {
  const stored = await storage.openRead(key);
  if (stored === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored.content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Stores a small object, and replaces one with the same key. */
export async function saveText(
  { target, workFolder }: { target: Storage; workFolder: string },
  key: string,
  text: string,
): Promise<void> {
  const folder = await mkdtemp(join(workFolder, 'text-'));
  try {
    const path = join(folder, 'text');
    await writeFile(path, text, { mode: 0o600 });
    await target.put(key, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
