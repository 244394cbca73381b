import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, expect, test } from 'vitest';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';
import { LIBRARY } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { call, sampleFile, signIn, upload, type Client } from './client.ts';
import { openDatabaseElsewhere, openObjectStorage } from './elsewhere.ts';
import { until } from './processes.ts';
import { openSwallowingProxy } from './swallowing-proxy.ts';

// A server stops within DRAIN_SECONDS and ten seconds, whatever it waits for.

const DRAIN_SECONDS = 1;
const STOP_MS = 10_000;
// A busy machine ends a process late; one that waited for something would never end.
const SLACK_MS = 20_000;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
});

async function openDatabase() {
  const database = await openDatabaseElsewhere();
  closers.push(database.remove);
  const proxy = await openSwallowingProxy(database.url);
  closers.push(proxy.close);
  return { database, proxy };
}

async function start(databaseUrl: string, environment: Record<string, string> = {}): Promise<Pitboard> {
  const pitboard = await startPitboard({
    environment: {
      DATABASE_URL: databaseUrl,
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      COOKIE_SECRET: 'the same for every copy of the server',
      ...environment,
    },
  });
  closers.push(pitboard.remove);
  return pitboard;
}

async function expectToStopInTime(pitboard: Pitboard, drainSeconds = DRAIN_SECONDS): Promise<void> {
  const beganMs = performance.now();
  await pitboard.stop();
  const tookMs = performance.now() - beganMs;
  expect(tookMs, pitboard.output()).toBeLessThan(drainSeconds * 1_000 + STOP_MS + SLACK_MS);
  expect(pitboard.output()).toMatch(/Stopped\.$/m);
}

/** Calls that need the database; their answers are not waited for. */
function callMuch({ url }: Pitboard): void {
  for (let count = 0; count < 20; count += 1)
    void fetch(`${url}/api/tracks?search=${count}`).catch(() => undefined);
}

test('while the database is away', async () => {
  const { database } = await openDatabase();
  const pitboard = await start(database.url);
  await database.stop();
  await until(async () => (await fetch(`${pitboard.url}/api/ready`)).status === 503);
  callMuch(pitboard);
  await expectToStopInTime(pitboard);
});

test('while the database takes everything and answers nothing', async () => {
  const { proxy } = await openDatabase();
  const pitboard = await start(proxy.url);
  proxy.swallow(true);
  callMuch(pitboard);
  await expectToStopInTime(pitboard);
});

test('after the database has moved to another machine, and the old connections are silent', async () => {
  const { proxy } = await openDatabase();
  const pitboard = await start(proxy.url);
  proxy.swallow(false);
  callMuch(pitboard);
  await expectToStopInTime(pitboard);
});

test('while it starts and its database answers nothing', async () => {
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const dataFolder = await mkdtemp(join(tmpdir(), 'pitboard-stopping-'));
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    env: {
      ...process.env,
      PORT: String(await findFreePort()),
      PITBOARD_DATA: dataFolder,
      DATABASE_URL: `postgresql://pitboard@127.0.0.1:${port}/postgres`,
      DRAIN_SECONDS: '0',
      COOKIE_SECRET: 'the same for every copy of the server',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(silent, 'connection');
  const beganMs = performance.now();
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(performance.now() - beganMs).toBeLessThan(STOP_MS + SLACK_MS);
  silent.close();
  await rm(dataFolder, { recursive: true });
});

const ofStorage = (url: string) => ({
  S3_ENDPOINT: url,
  S3_REGION: 'here',
  S3_BUCKET: 'laps',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'a secret of the storage',
});

async function openClient({ url }: Pitboard, account: string): Promise<Client> {
  return { url, cookie: await signIn(url, account) };
}

test('while the storage takes the beginning of a file and no more, in an upload and in a job', async () => {
  const { database } = await openDatabase();
  const storage = await openObjectStorage('laps');
  closers.push(storage.close);
  const pitboard = await start(database.url, { ...ofStorage(storage.url), BACKUP_TARGET: 's3://laps' });
  const driver = await openClient(pitboard, 'theo.okafor');
  const administrator = await openClient(pitboard, 'mara.lindqvist');
  const [track] = LIBRARY.filter(({ startFinishLine, outline }) => startFinishLine && outline);
  if (!track) throw new Error('There is no track to drive on.');
  const drive = simulateDrive(track, { seed: 1, laps: 2, startTimeMs: Date.UTC(2026, 4, 16, 9) });
  storage.mood = 'half';
  expect((await call(administrator, 'POST', '/api/admin/backups', {})).status).toBe(200);
  void upload(driver, track.id, sampleFile('drive.csv', writeGenericCsv(drive))).catch(() => undefined);
  const running = async () => JSON.stringify((await call(administrator, 'GET', '/api/admin/jobs')).body);
  await until(async () => /"make-backup"/.test(await running()));
  await expectToStopInTime(pitboard);
});

test('while a client sends a body that never ends', async () => {
  const pitboard = await startPitboard();
  closers.push(pitboard.remove);
  const cookie = await signIn(pitboard.url, 'theo.okafor');
  const { port, host, origin } = new URL(pitboard.url);
  const socket = connect(Number(port), 'localhost');
  socket.on('error', () => undefined);
  const head = ['POST /api/user-cars HTTP/1.1', `host: ${host}`, `origin: ${origin}`, `cookie: ${cookie}`];
  socket.write(`${head.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{`);
  await once(socket, 'connect');
  await expectToStopInTime(pitboard, 0);
  socket.destroy();
});
