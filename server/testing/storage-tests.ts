import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { listKeys } from './test-storage.ts';

/** Tests the rules of every storage. `open` gets an empty folder of its own, which is removed afterwards. */
export function testStorage(open: (folder: string) => Promise<Storage>): void {
  let folder: string;
  let storage: Storage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pitboard-storage-'));
    storage = await open(join(folder, 'files'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function put(key: string, content: string): Promise<string> {
    const path = join(folder, 'arriving');
    await writeFile(path, content);
    await storage.put(key, path);
    return path;
  }

  async function read(key: string): Promise<string | null> {
    const stored = await storage.openRead(key);
    if (stored === null) return null;
    const bytes = Buffer.concat(await stored.content.toArray());
    expect(stored.byteCount).toBe(bytes.length);
    return bytes.toString();
  }

  test('what is put under a key is read under it, and is no longer where it came from', async () => {
    const path = await put('lap-files/ab/one.csv', 'first');
    expect(await read('lap-files/ab/one.csv')).toBe('first');
    expect(existsSync(path)).toBe(false);
    await put('lap-files/ab/empty.csv', '');
    expect(await read('lap-files/ab/empty.csv')).toBe('');
    await storage.remove('lap-files/ab/empty.csv');
  });

  test('where there is nothing, nothing is read', async () => {
    expect(await storage.openRead('lap-files/none')).toBeNull();
  });

  test('a list has the keys below a folder, and nothing where there is no such folder', async () => {
    await put('lap-files/cd/two.csv', 'second');
    await put('lap-files-of-others/ab', 'other');
    await put('photos/three', 'third');
    expect(await listKeys(storage, 'lap-files')).toEqual(['lap-files/ab/one.csv', 'lap-files/cd/two.csv']);
    expect(await listKeys(storage, 'nothing')).toEqual([]);
  });

  test('an object in a list says when it was stored', async () => {
    const beforeMs = Date.now();
    await put('times/now', 'x');
    for await (const { storedAt } of storage.list('times')) {
      // Some storages keep whole seconds only.
      expect(Math.abs(storedAt.getTime() - beforeMs)).toBeLessThan(60_000);
    }
  });

  test('a removed object is gone; removing it again does no harm', async () => {
    await storage.remove('photos/three');
    await storage.remove('photos/three');
    expect(await listKeys(storage, 'photos')).toEqual([]);
    expect(await read('photos/three')).toBeNull();
  });

  test.each(['', '../x', 'a/../../x', '/etc/x', 'a//b', '.hidden', 'a\\b', 'a/'])(
    '%j is no key',
    async (key) => {
      await expect(put(key, 'x')).rejects.toThrow('is not a storage key');
    },
  );
}
