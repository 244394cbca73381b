import { rm, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { COMPRESSED_ENDING } from '#server/kernel/storage/compressed.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { deleteUnnamed } from '#server/kernel/storage/storage-unavailable.ts';

/** Names the folder of the traces: one object for each lap file, rebuilt from it when it is missing. */
export const TRACES_PREFIX = 'lap-traces';

/** Returns the key of the traces of a lap file from the key of the file. */
export function tracesKey(lapFileKey: string): string {
  const name = lapFileKey.slice(lapFileKey.indexOf('/'));
  return `${TRACES_PREFIX}${name.endsWith(COMPRESSED_ENDING) ? name.slice(0, -COMPRESSED_ENDING.length) : name}`;
}

/** Stores the traces of a lap file; they go through a file at `workPath`. */
export async function putTraces(
  storage: Storage,
  lapFileKey: string,
  { traces, workPath }: { traces: Uint8Array; workPath: string },
): Promise<void> {
  try {
    await writeFile(workPath, traces, { flag: 'wx', mode: 0o600 });
    await storage.put(tracesKey(lapFileKey), workPath);
  } finally {
    await rm(workPath, { force: true });
  }
}

export async function readTraces(storage: Storage, lapFileKey: string): Promise<Uint8Array | null> {
  const stored = await storage.openRead(tracesKey(lapFileKey));
  return stored && (await buffer(stored.content));
}

/** Removes a lap file that no row names any more, and its traces. What the storage cannot remove now is swept later. */
export async function deleteLapFile(storage: Storage, lapFileKey: string): Promise<void> {
  await deleteUnnamed(storage, lapFileKey);
  await deleteUnnamed(storage, tracesKey(lapFileKey));
}
