import { connect, createServer, type Socket } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, expect, test } from 'vitest';
import { simulateDrive } from '#engine/simulated/drive.ts';
import { writeGenericCsv } from '#engine/simulated/write-generic-csv.ts';
import { startClubProvider } from '#server/testing/club-provider.ts';
import { findFreePort, startPitboard, type Pitboard } from '../e2e/pitboard.ts';
import { LIBRARY } from '../library.ts';
import { call, sampleFile, signIn, upload, type Client, type SampleFile } from './client.ts';
import { countOpenFiles, openDatabaseElsewhere, openObjectStorage } from './elsewhere.ts';
import { until } from './processes.ts';

// What a server needs goes away and comes back: clear answers meanwhile, everything by itself afterwards, nothing left open.

const onLinux = test.skipIf(process.platform !== 'linux');
const [track] = LIBRARY.filter(({ outline, startFinishLine }) => outline && startFinishLine).toSorted(
  (a, b) => (a.lengthMeters ?? Infinity) - (b.lengthMeters ?? Infinity),
);
const trackId = track?.id ?? '';
const board = `/api/laps/track/${trackId}/best`;

// Connections that are kept for the next call come and go.
const OPEN_FILES_SLACK = 12;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
});

async function start(environment: Record<string, string> = {}, port?: number): Promise<Pitboard> {
  const pitboard = await startPitboard({ environment, ...(port !== undefined && { port }) });
  closers.push(pitboard.remove);
  return pitboard;
}

const ofDatabase = (url: string) => ({
  DATABASE_URL: url,
  DRAIN_SECONDS: '0',
  COOKIE_SECRET: 'the same for every copy of the server',
});

let seed = 0;
function nextFile(): SampleFile {
  if (!track) throw new Error('There is no track to drive on.');
  const startTimeMs = Date.UTC(2026, 4, 16, 9) + ++seed * 3_600_000;
  return sampleFile(
    `drive-${seed}.csv`,
    writeGenericCsv(simulateDrive(track, { seed, laps: 2, startTimeMs })),
  );
}

async function openClient(url: string, account = 'theo.okafor'): Promise<Client> {
  return { url, cookie: await signIn(url, account) };
}

const isStored = (outcome: object) => 'sessionId' in outcome;

test('a database that is stopped and started under load: answers of 503 meanwhile, and everything as before afterwards', async () => {
  const database = await openDatabaseElsewhere();
  closers.push(database.remove);
  const { url } = await start(ofDatabase(database.url));
  const client = await openClient(url);
  const kept: SampleFile[] = [];
  const statuses = new Set<number>();
  const over = new AbortController();
  const read = async () => {
    while (!over.signal.aborted)
      for (const path of [board, '/api/tracks', '/api/auth/user', '/api/user-cars', '/api/ready'])
        statuses.add((await call(client, 'GET', path)).status);
  };
  const write = async () => {
    while (!over.signal.aborted) {
      const file = nextFile();
      if (isStored(await upload(client, trackId, file))) kept.push(file);
    }
  };
  const work = [read(), read(), write()];
  for (let times = 0; times < 3; times++) {
    const before = kept.length;
    await until(() => kept.length > before);
    await database.stop();
    statuses.delete(503);
    await until(() => statuses.has(503));
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    const { status, body } = await call(client, 'GET', '/api/user-cars');
    expect({ status, body }).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    await database.start();
    await until(async () => (await fetch(`${url}/api/ready`)).ok);
  }
  over.abort();
  await Promise.all(work);
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 503]);
  for (const file of kept)
    expect(await upload(client, trackId, file)).toEqual({ sentence: 'This file has already been uploaded.' });
});

onLinux(
  'an object storage that fails, cuts connections or is slow: a sentence, nothing half, nothing left open, and the next try works',
  async () => {
    const database = await openDatabaseElsewhere();
    closers.push(database.remove);
    const storage = await openObjectStorage('laps');
    closers.push(storage.close);
    const { url, processId, dataFolder } = await start({
      ...ofDatabase(database.url),
      S3_ENDPOINT: storage.url,
      S3_REGION: 'here',
      S3_BUCKET: 'laps',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'a secret of the storage',
    });
    const client = await openClient(url);
    expect(isStored(await upload(client, trackId, nextFile()))).toBe(true);
    const openBefore = await countOpenFiles(processId);
    for (const mood of [500, 503, 'cut'] as const) {
      const file = nextFile();
      for (let times = 0; times < 3; times++) {
        storage.mood = mood;
        expect(await upload(client, trackId, file), String(mood)).toEqual({
          sentence: expect.stringMatching(/^[A-Z].* try again.*\.$/),
        });
        // Boards do not need it.
        expect((await call(client, 'GET', board)).status).toBe(200);
      }
      expect(await readdir(join(dataFolder, 'incoming'))).toEqual([]);
      storage.mood = 'well';
      expect(isStored(await upload(client, trackId, file)), String(mood)).toBe(true);
    }
    storage.mood = 'slow';
    expect(isStored(await upload(client, trackId, nextFile()))).toBe(true);
    const kept = [...storage.objects.keys()].filter((key) => key.startsWith('lap-files/'));
    expect(kept).toHaveLength(5);
    await until(async () => (await countOpenFiles(processId)) <= openBefore + OPEN_FILES_SLACK);
  },
);

test('a sign-in provider that is down, or takes calls and never answers: the server starts, and the login page says so', async () => {
  const port = await findFreePort();
  const club = await startClubProvider(`http://localhost:${port}/api/auth/callback`);
  const { issuer, clientId, clientSecret } = club.settings;
  const providerPort = Number(new URL(issuer).port);
  await club.close();
  const environment = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const { url } = await start(environment, port);
  const login = async () => {
    const response = await fetch(`${url}/api/login?returnTo=/upload`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    return response.headers.get('location') ?? '';
  };
  expect(await login()).toBe('/login?error=unavailable&returnTo=%2Fupload');
  expect((await fetch(`${url}/api/tracks`)).status).toBe(200);

  const waiting = new Set<Socket>();
  const silent = createServer((socket) => void waiting.add(socket)).listen(providerPort, '127.0.0.1');
  expect(await login()).toBe('/login?error=unavailable&returnTo=%2Fupload');
  expect(waiting.size).toBe(1);
  for (const socket of waiting) socket.destroy();
  silent.close();
});

onLinux('clients that vanish in the middle of an upload leave no file and no connection', async () => {
  const { url, processId, dataFolder } = await start();
  const client = await openClient(url);
  await upload(client, trackId, nextFile());
  const openBefore = await countOpenFiles(processId);
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 20 }, () => sendHalf(client)));
    await until(async () => (await readdir(join(dataFolder, 'incoming'))).length === 0);
  }
  await until(async () => (await countOpenFiles(processId)) <= openBefore + OPEN_FILES_SLACK);
  expect(isStored(await upload(client, trackId, nextFile()))).toBe(true);
});

/** Sends the beginning of a lap file and goes away once the server has begun to keep it. */
async function sendHalf({ url, cookie }: Client): Promise<void> {
  const { port, host, origin } = new URL(url);
  const socket = connect(Number(port), 'localhost');
  socket.on('error', () => {}); // it ends in the middle, which is the point
  const head = [
    'POST /api/upload HTTP/1.1',
    `host: ${host}`,
    `origin: ${origin}`,
    `cookie: ${cookie}`,
    'content-type: multipart/form-data; boundary=edge',
    'content-length: 50000000',
  ];
  const part = '--edge\r\ncontent-disposition: form-data; name="files"; filename="half.csv"\r\n\r\n';
  socket.write(`${head.join('\r\n')}\r\n\r\n${part}`);
  await new Promise<void>((resolve) => void socket.write('nothing\n'.repeat(100_000), () => resolve()));
  socket.destroy();
}
