import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testStorage } from '#server/testing/storage-tests.ts';
import { listKeys } from '#server/testing/test-storage.ts';
import { openDiskStorage } from './disk-storage.ts';

testStorage(async (folder) => openDiskStorage(folder));

test('a list leaves out the files of others, whose names are no keys', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-strays-'));
  await mkdir(join(folder, 'images/ab/.Trash'), { recursive: true });
  for (const name of ['one.webp', '.DS_Store', '.nfs00000001', 'one copy.webp', '.Trash/two.webp'])
    await writeFile(join(folder, 'images/ab', name), 'x');
  expect(await listKeys(openDiskStorage(folder), 'images')).toEqual(['images/ab/one.webp']);
  await rm(folder, { recursive: true });
});
