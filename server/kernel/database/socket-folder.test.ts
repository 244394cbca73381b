import { createHash } from 'node:crypto';
import { chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeSocketFolder, deleteSocketFolder } from './socket-folder.ts';

const CLUSTER_FOLDER = '/srv/pitboard/database';
const HASH = createHash('sha256').update(CLUSTER_FOLDER).digest('hex');
const UNPRIVILEGED_ID = 65_534;
const onlyRoot = test.skipIf(process.getuid?.() !== 0);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pb-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('a link with a predictable name leads nowhere, and what it leads to keeps its files', async () => {
  const precious = join(folder, 'precious');
  await mkdir(precious);
  await writeFile(join(precious, 'letter.txt'), 'mine');
  for (const name of [`pitboard-${HASH.slice(0, 16)}`, `pitboard-${HASH.slice(0, 8)}-planted`])
    await symlink(precious, join(folder, name));

  const socketFolder = await makeSocketFolder(CLUSTER_FOLDER, null);
  await deleteSocketFolder(socketFolder);
  expect(await readdir(precious)).toEqual(['letter.txt']);
  expect((await readdir(folder)).filter((name) => name.startsWith('pitboard-'))).toHaveLength(2);
});

test('the folder is private and another one at every start; an empty one of a killed server goes', async () => {
  const first = await makeSocketFolder(CLUSTER_FOLDER, null);
  expect((await stat(first)).mode & 0o777).toBe(0o700);
  const second = await makeSocketFolder(CLUSTER_FOLDER, null);
  expect(second).not.toBe(first);
  await expect(stat(first)).rejects.toThrow('ENOENT');
  await writeFile(join(second, 'in-use'), '');
  await makeSocketFolder(CLUSTER_FOLDER, null);
  expect(await readdir(second)).toEqual(['in-use']);
});

onlyRoot('a folder that another user planted is left alone and stops no start', async () => {
  const planted = [`pitboard-${HASH.slice(0, 16)}`, `pitboard-${HASH.slice(0, 8)}-AAAAAA`];
  for (const name of planted) {
    await mkdir(join(folder, name));
    await chown(join(folder, name), UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  }
  await makeSocketFolder(CLUSTER_FOLDER, null);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(planted));
});
