import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { findRunningServer, holdLock, keepCookieSecret, lockDataFolder } from './data-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-data-folder-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const SERVER = { url: 'http://localhost:4100', connectionString: 'postgresql://x' };

/** Takes the lock in another process and resolves once that has it. */
async function lockInAnotherProcess(): Promise<ReturnType<typeof spawn>> {
  const program = `
    import { lockDataFolder } from './server/kernel/files/data-folder.ts';
    const lock = await lockDataFolder(${JSON.stringify(folder)});
    await lock.announce(${JSON.stringify(SERVER)});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('a second server on the same folder is refused with the URL of the first', async () => {
  const lock = await lockDataFolder(folder);
  await lock.announce(SERVER);
  await expect(lockDataFolder(folder)).rejects.toThrow(
    `Pitboard is already running on ${lock.path}: process ${process.pid} at http://localhost:4100.`,
  );
  await lock.release();
});

test('another path to the same folder is the same folder', async () => {
  const lock = await lockDataFolder(folder);
  await symlink(folder, `${folder}-link`);
  await expect(lockDataFolder(`${folder}-link`)).rejects.toThrow('already starting');
  await rm(`${folder}-link`);
  await lock.release();
});

test('exactly one of many starts at once gets the folder', async () => {
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataFolder(folder)));
  const locks = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  expect(locks).toHaveLength(1);
  await locks[0]?.release();
});

test('a released folder can be taken again, and no server is announced there', async () => {
  const first = await lockDataFolder(folder);
  await first.announce(SERVER);
  await first.release();
  expect(await findRunningServer(folder)).toBeNull();
  const second = await lockDataFolder(folder);
  await second.release();
});

test('the lock of a process that was killed is free at once', async () => {
  const child = await lockInAnotherProcess();
  await expect(lockDataFolder(folder)).rejects.toThrow(`process ${child.pid} at http://localhost:4100`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await lockDataFolder(folder);
  expect(await findRunningServer(folder)).toBeNull();
  await lock.release();
});

test('a socket file without a listener is taken over as the lock', async () => {
  const address = join(folder, 'lock');
  const program = `require('net').createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', program]), 'exit');
  expect((await stat(address)).isSocket()).toBe(true);
  const lock = await holdLock(address);
  expect(lock).not.toBeNull();
  expect(await holdLock(address)).toBeNull();
  lock?.close();
});

// 32 random bytes as base64url.
const COOKIE_SECRET = /^[\w-]{43}$/;

test('the cookie secret is made once, is new in each folder, and is readable by its owner only', async () => {
  const lock = await lockDataFolder(folder);
  const secret = await keepCookieSecret(lock);
  expect(secret).toMatch(COOKIE_SECRET);
  expect(await readFile(join(folder, 'cookie-secret'), 'utf8')).toBe(secret);
  expect(await keepCookieSecret(lock)).toBe(secret);
  expect((await stat(join(folder, 'cookie-secret'))).mode & 0o077).toBe(0);
  expect(await readdir(folder)).toEqual(['cookie-secret']);
  await lock.release();
});

test('a cookie secret that was cut short or damaged is refused with a sentence, and kept for the repair', async () => {
  const lock = await lockDataFolder(folder);
  const whole = await keepCookieSecret(lock);
  const file = join(folder, 'cookie-secret');
  const damaged = [
    '',
    ...[1, 31, 32, 42].map((length) => whole.slice(0, length)),
    `${whole}x`,
    '\0'.repeat(43),
  ];
  for (const text of damaged) {
    await writeFile(file, text);
    await expect(keepCookieSecret(lock), JSON.stringify(text)).rejects.toThrow(
      /cookie-secret is damaged: .+ 43 characters/,
    );
    expect(await readFile(file, 'utf8')).toBe(text);
  }
  await writeFile(file, `${whole}\n`);
  expect(await keepCookieSecret(lock)).toBe(whole);
  await rm(join(folder, 'cookie-secret'));
  await lock.release();
});

test.each(['/dev/null/pitboard', '/proc/pitboard', '/proc/pitboard/below/it', '/proc'])(
  'a folder that cannot be made or written to is named in a sentence, without waiting: %s',
  async (path) => {
    await expect(lockDataFolder(path)).rejects.toThrow(
      /^Pitboard cannot use \/[a-z/]+ for its data \(.+\)\. Name/,
    );
  },
);

test('a file is no data folder', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, 'x');
  await expect(lockDataFolder(file)).rejects.toThrow(/for its data \(it is a file\)/);
  await rm(file);
});
