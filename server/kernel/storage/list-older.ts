import type { Storage } from './storage.ts';

/** Lists the keys below a prefix of objects that were stored `olderThanMs` ago or before. */
export async function listOlder(storage: Storage, prefix: string, olderThanMs: number): Promise<string[]> {
  const storedBeforeMs = Date.now() - olderThanMs;
  const keys: string[] = [];
  for await (const { key, storedAt } of storage.list(prefix)) {
    if (storedAt.getTime() <= storedBeforeMs) keys.push(key);
  }
  return keys;
}
