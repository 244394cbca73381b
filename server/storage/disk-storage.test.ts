import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

let folder: string;
let storage: Storage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-storage-'));
  storage = openDiskStorage(join(folder, 'files'));
});
afterAll(() => rm(folder, { recursive: true }));

async function put(key: string, content: string): Promise<string> {
  const path = join(folder, 'incoming');
  await writeFile(path, content);
  await storage.put(key, path);
  return path;
}

async function read(key: string): Promise<string> {
  return Buffer.concat(await storage.openRead(key).toArray()).toString();
}

async function list(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.toSorted();
}

test('what is put under a key is read under it, and is no longer where it came from', async () => {
  const path = await put('lap-files/ab/one.csv', 'first');
  expect(await read('lap-files/ab/one.csv')).toBe('first');
  expect(existsSync(path)).toBe(false);
});

test('a list has the keys below a folder, and nothing where there is no such folder', async () => {
  await put('lap-files/cd/two.csv', 'second');
  await put('photos/three', 'third');
  expect(await list('lap-files')).toEqual(['lap-files/ab/one.csv', 'lap-files/cd/two.csv']);
  expect(await list('nothing')).toEqual([]);
});

test('a removed object is gone; removing it again does no harm', async () => {
  await storage.remove('photos/three');
  await storage.remove('photos/three');
  expect(await list('photos')).toEqual([]);
  await expect(read('photos/three')).rejects.toThrow('ENOENT');
});

test.each(['', '../x', 'a/../../x', '/etc/x', 'a//b', '.hidden', 'a\\b', 'a/'])(
  '%j is no key',
  async (key) => {
    await expect(put(key, 'x')).rejects.toThrow('is not a storage key');
  },
);
