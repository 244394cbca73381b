import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { phonePhoto } from '#server/testing/images.ts';
import { LIBRARY } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { call, sampleFile, signIn, upload, type Client, type SampleFile } from './client.ts';
import { countOpenFiles, openDatabaseElsewhere, openObjectStorage } from './elsewhere.ts';
import { onLinux, until, untilEmpty } from './processes.ts';

// The database and the storage go away and come back: the server gives clear answers meanwhile, everything by itself afterwards, nothing left open.

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

async function start(environment: Record<string, string> = {}): Promise<Pitboard> {
  const pitboard = await startPitboard({ environment });
  closers.push(pitboard.remove);
  return pitboard;
}

const ofDatabase = (url: string) => ({
  DATABASE_URL: url,
  DRAIN_SECONDS: '0',
  COOKIE_SECRET: 'the same for every copy of the server',
});

const ofStorage = (url: string) => ({
  S3_ENDPOINT: url,
  S3_REGION: 'here',
  S3_BUCKET: 'laps',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'a secret of the storage',
});

const FILES_UNAVAILABLE = /^503: .*"Files cannot be kept or read just now\. Please try again in a minute\."/;

let seed = 0;
function nextFile(laps = 2): SampleFile {
  if (!track) throw new Error('There is no track to drive on.');
  const startTimeMs = Date.UTC(2026, 4, 16, 9) + ++seed * 3_600_000;
  return sampleFile(`drive-${seed}.csv`, writeGenericCsv(simulateDrive(track, { seed, laps, startTimeMs })));
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
  const refusals = new Set<string>();
  const over = new AbortController();
  const read = async () => {
    while (!over.signal.aborted)
      for (const path of [board, '/api/tracks', '/api/auth/user', '/api/user-cars', '/api/ready'])
        statuses.add((await call(client, 'GET', path)).status);
  };
  const write = async () => {
    while (!over.signal.aborted) {
      const file = nextFile();
      const outcome = await upload(client, trackId, file);
      if ('sentence' in outcome) refusals.add(outcome.sentence);
      else if (isStored(outcome)) kept.push(file);
    }
  };
  const work = [read(), read(), write()];
  for (let times = 0; times < 3; times++) {
    const before = kept.length;
    await until(() => kept.length > before);
    await database.stop();
    statuses.delete(503);
    await until(() => statuses.has(503) && refusals.size > 0);
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    const { status, body } = await call(client, 'GET', '/api/user-cars');
    expect({ status, body }).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    await database.start();
    await until(async () => (await fetch(`${url}/api/ready`)).ok);
  }
  over.abort();
  await Promise.all(work);
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 503]);
  // The same holds for an upload, whatever it was doing when the database went.
  expect([...refusals]).toEqual([
    expect.stringMatching(/^503: .*"The database does not answer just now\. Please try again/),
  ]);
  for (const file of kept)
    expect(await upload(client, trackId, file)).toEqual({ sentence: 'This file has already been uploaded.' });
});

/** A server whose files are elsewhere, as is its database, with a driver who has uploaded once. */
async function startOnStorage() {
  const database = await openDatabaseElsewhere();
  closers.push(database.remove);
  const storage = await openObjectStorage('laps');
  closers.push(storage.close);
  const server = await start({ ...ofDatabase(database.url), ...ofStorage(storage.url) });
  const client = await openClient(server.url);
  expect(isStored(await upload(client, trackId, nextFile()))).toBe(true);
  return { ...server, storage, client };
}

onLinux(
  'an object storage that fails, cuts connections or is slow: a sentence, nothing half, nothing left open, and the next try works',
  async () => {
    const { storage, client, processId, dataFolder } = await startOnStorage();
    const openBefore = await countOpenFiles(processId);
    for (const mood of [500, 503, 'cut'] as const) {
      const file = nextFile();
      for (let times = 0; times < 3; times++) {
        storage.mood = mood;
        expect(await upload(client, trackId, file), String(mood)).toEqual({
          sentence: expect.stringMatching(FILES_UNAVAILABLE),
        });
        // Boards do not need it.
        expect((await call(client, 'GET', board)).status).toBe(200);
      }
      await untilEmpty(join(dataFolder, 'incoming'));
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

onLinux(
  'an object storage that falls silent in the middle of what it takes or gives: 503 or a broken answer, nothing left open, and as before afterwards',
  async () => {
    const { storage, client, processId, dataFolder } = await startOnStorage();
    const picture = await setAvatar(client);
    const unused = await sendPhoto(client);
    const openBefore = await countOpenFiles(processId);
    // More than what sockets hold on the way: the storage stops taking it.
    const long = nextFile(200);
    expect(long.content.length).toBeGreaterThan(5_000_000);

    storage.mood = 'half';
    const [sent, avatar, shown, exported, ...others] = await Promise.all([
      upload(client, trackId, long),
      call(client, 'PUT', '/api/user/avatar', { avatarURL: unused }),
      readBytes(client, picture),
      readBytes(client, '/api/account/export'),
      upload(client, trackId, nextFile()),
      upload(client, trackId, nextFile()),
    ]);
    for (const outcome of [sent, ...others])
      expect(outcome).toEqual({ sentence: expect.stringMatching(FILES_UNAVAILABLE) });
    expect(avatar).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    expect([shown, exported]).toEqual(['broken off', 'broken off']);
    expect((await call(client, 'GET', board)).status).toBe(200);
    await untilEmpty(join(dataFolder, 'incoming'));
    storage.mood = 'well';
    expect(isStored(await upload(client, trackId, long))).toBe(true);
    expect((await call(client, 'PUT', '/api/user/avatar', { avatarURL: unused })).status).toBe(200);
    expect(await readBytes(client, '/api/account/export')).toBe(200);
    await until(async () => (await countOpenFiles(processId)) <= openBefore + OPEN_FILES_SLACK);
  },
);

test('an object storage that goes away within a call: the response lists what was stored, the rest may be sent again; a call of which nothing was stored answers 503', async () => {
  const database = await openDatabaseElsewhere();
  closers.push(database.remove);
  const storage = await openObjectStorage('laps');
  closers.push(storage.close);
  const { url } = await start({ ...ofDatabase(database.url), ...ofStorage(storage.url) });
  const client = await openClient(url);
  const files = [nextFile(), nextFile(), nextFile()];
  const send = async () => {
    const form = new FormData();
    form.set('trackId', trackId);
    for (const { name, content } of files) form.append('files', new File([content], name));
    const headers = { cookie: client.cookie, origin: url };
    const response = await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    };
  };
  const UNAVAILABLE = 'Files cannot be kept or read just now. Please try again in a minute.';
  storage.mood = 503;
  expect(await send()).toEqual({
    status: 503,
    retryAfter: '60',
    body: { error: UNAVAILABLE, message: UNAVAILABLE },
  });
  storage.mood = 'last';
  expect(await send()).toMatchObject({
    status: 200,
    body: {
      results: [
        { success: true },
        { success: false, error: UNAVAILABLE },
        { success: false, error: UNAVAILABLE },
      ],
    },
  });
  storage.mood = 'well';
  expect(await send()).toMatchObject({
    status: 200,
    body: {
      results: [{ error: 'This file has already been uploaded.' }, { success: true }, { success: true }],
    },
  });
});

onLinux('clients that vanish in the middle of an upload leave no file and no connection', async () => {
  const { url, processId, dataFolder } = await start();
  const client = await openClient(url);
  await upload(client, trackId, nextFile());
  const openBefore = await countOpenFiles(processId);
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 20 }, () => sendHalf(client)));
    await untilEmpty(join(dataFolder, 'incoming'));
  }
  await until(async () => (await countOpenFiles(processId)) <= openBefore + OPEN_FILES_SLACK);
  expect(isStored(await upload(client, trackId, nextFile()))).toBe(true);
});

const addressSchema = z.object({ uploadURL: z.url() });

/** Sends a photo to the storage; gives its address. */
async function sendPhoto(client: Client): Promise<string> {
  const { uploadURL } = addressSchema.parse((await call(client, 'POST', '/api/objects/upload')).body);
  const body = new Uint8Array(await phonePhoto());
  expect((await fetch(uploadURL, { method: 'PUT', body })).status).toBe(200);
  return uploadURL;
}

/** Gives the driver a picture; gives the path where it is shown. */
async function setAvatar(client: Client): Promise<string> {
  const avatarURL = await sendPhoto(client);
  const { body } = await call(client, 'PUT', '/api/user/avatar', { avatarURL });
  return z.object({ profileImageUrl: z.string() }).parse(body).profileImageUrl;
}

/** The status of an answer that came whole. */
async function readBytes({ url, cookie }: Client, path: string): Promise<number | 'broken off'> {
  try {
    const response = await fetch(`${url}${path}`, { headers: { cookie } });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'broken off';
  }
}

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
