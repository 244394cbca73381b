import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, symlink, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#server/testing/test-database.ts';
import { describeError } from './describe-error.ts';
import { openLogFile } from './log-file.ts';
import { openLog } from './logging.ts';

let folder: string;
const own = useTestDatabase();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-log-'));
});
afterEach(async () => {
  spawnSync('umount', ['-l', folder]);
  await rm(folder, { recursive: true, force: true });
});

const mount = (...options: string[]) => spawnSync('mount', [...options, folder]).status === 0;
// Only root may make a disk of its own size.
const onSmallDisk = test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0);

const linesOf = async (file: string) => (await readFile(file, 'utf8')).split('\n').filter(Boolean);

test.skipIf(process.platform !== 'linux')('a full disk loses log lines and nothing else', async () => {
  const path = join(folder, 'pitboard.log');
  await symlink('/dev/full', path); // every write to it ends with ENOSPC
  const log = openLog({ level: 'info', folder });
  for (let count = 0; count < 100; count++) log.info('a line');
  expect((await stat(path)).size).toBe(0);
});

onSmallDisk('lines that were lost are counted in the first one that can be written again', async () => {
  if (!mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs')) return;
  const path = join(folder, 'pitboard.log');
  const stream = openLogFile(path);
  const line = `${JSON.stringify({ msg: 'a'.repeat(10_000) })}\n`;
  for (let count = 0; count < 20; count++) stream.write(line); // the disk has room for six
  await truncate(path, 0);
  stream.write('{"msg":"there is room again"}\n');
  const lines = (await linesOf(path)).map((text): unknown => JSON.parse(text));
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'Log lines could not be written', lostLines: expect.any(Number) }),
    { msg: 'there is room again' },
  ]);
});

test('a log that is too large or too old is set aside, and only a few old ones are kept', async () => {
  const path = join(folder, 'pitboard.log');
  const stream = openLogFile(path, { bytesMax: 1_000, ageMaxMs: 3_600_000 });
  for (let count = 0; count < 2_000; count++) stream.write(`{"count":${count}}\n`);
  const names = (await readdir(folder)).toSorted();
  expect(names).toEqual([
    'pitboard.log',
    'pitboard.log.1',
    'pitboard.log.2',
    'pitboard.log.3',
    'pitboard.log.4',
  ]);
  for (const name of names) expect((await stat(join(folder, name))).size).toBeLessThan(1_100);
  expect((await linesOf(`${path}.1`)).length).toBeGreaterThan(10);

  openLogFile(path, { bytesMax: 1_000_000, ageMaxMs: 0 }).write('{"msg":"the first of a new day"}\n');
  expect(await linesOf(path)).toEqual(['{"msg":"the first of a new day"}']);
});

test('long URLs are cut in the log, and queries are left out', async () => {
  const log = openLog({ level: 'info', folder });
  const url = `/api/${'a'.repeat(16_000)}?token=secret`;
  log.info({ req: { method: 'GET', url, ip: '127.0.0.1' } }, 'incoming request');
  const [line = ''] = await linesOf(join(folder, 'pitboard.log'));
  expect(line.length).toBeLessThan(500);
  expect(line).toContain('/api/aaa');
  expect(line).not.toContain('secret');
});

test('a query that fails is logged without its values', async () => {
  const { db } = own.database;
  const failures = [
    db.execute(sql`SELECT ${'a private name'}::int`),
    db.execute(sql`INSERT INTO tracks (id) VALUES (${'a private name'})`),
  ];
  for (const failure of failures) {
    const error: unknown = await failure.then(
      () => null,
      (reason: unknown) => reason,
    );
    const text = JSON.stringify(describeError(error));
    expect(text).toContain('Failed query');
    expect(text).toContain('DrizzleQueryError');
    expect(text).toMatch(/"code":"2\w{4}"/);
    expect(text).not.toContain('a private name');
  }
});

test('other fields of an error are not logged, and no message fills the disk', () => {
  const error = Object.assign(new Error('a'.repeat(100_000), { cause: new TypeError('why') }), {
    code: 'ECONNRESET',
    config: { headers: { authorization: 'a secret' } },
  });
  const described = describeError(error);
  expect(described).toMatchObject({ type: 'Error', code: 'ECONNRESET', cause: { message: 'why' } });
  expect(JSON.stringify(described).length).toBeLessThan(6_000);
  expect(JSON.stringify(described)).not.toContain('a secret');
});
