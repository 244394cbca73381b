import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { openContent } from '#server/kernel/storage/compressed.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { phonePhoto } from '#server/testing/images.ts';
import { createTestBucket, TEST_S3_ENDPOINT } from '#server/testing/test-storage.ts';
import { signIn, type SampleFile } from '../faults/client.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { insertKartTrack, nextFile, send } from './drives.ts';
import { queryOnce, startPostgresPair, type PostgresPair } from './postgres-pair.ts';

let pair: PostgresPair;
let pitboard: Pitboard;
let s3: Awaited<ReturnType<typeof createTestBucket>> | null = null;
// The server to move from has the PostgreSQL among its packages, whichever the other one is.
const environment: Record<string, string> = { PITBOARD_POSTGRES_BIN: '' };

beforeAll(async () => {
  pair = await startPostgresPair();
  pitboard = await startPitboard({ environment });
  if (TEST_S3_ENDPOINT === null) return;
  s3 = await createTestBucket(TEST_S3_ENDPOINT);
  Object.assign(environment, {
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  });
});

afterAll(async () => {
  await pitboard?.remove();
  await pair?.remove();
});

/** Runs the command as a person does; gives what it printed, or throws it. */
async function migrateData(more: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/command.mjs', 'migrate-data', '--to', pair.primary.connectionString],
    { env: { ...process.env, PITBOARD_DATA: pitboard.dataFolder, ...environment, ...more } },
  ).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout;
}

async function ask(cookie: string, path: string): Promise<{ status: number; text: string; bytes: Buffer }> {
  const response = await fetch(`${pitboard.url}${path}`, { headers: { cookie } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, text: bytes.toString(), bytes };
}

/** Puts the kart track into the embedded database of the running server. */
async function insertKartTrackHere(): Promise<void> {
  const running = await readFile(join(pitboard.dataFolder, 'running.json'), 'utf8');
  const { connectionString } = z.object({ connectionString: z.string() }).parse(JSON.parse(running));
  await insertKartTrack({ query: (text, values) => queryOnce(connectionString, text, values) });
}

/** Gives the driver a picture; gives the path where it is shown. */
async function uploadPicture(cookie: string): Promise<string> {
  const headers = { cookie, origin: pitboard.url };
  const asked = await fetch(`${pitboard.url}/api/objects/upload`, { method: 'POST', headers });
  const { uploadURL } = z.object({ uploadURL: z.string() }).parse(await asked.json());
  const photo = new Uint8Array(await phonePhoto());
  await fetch(uploadURL, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: photo });
  const adopted = await fetch(`${pitboard.url}/api/user/avatar`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ avatarURL: uploadURL }),
  });
  expect(adopted.status).toBe(200);
  const { text } = await ask(cookie, '/api/auth/user');
  return /\/api\/images\/[\w-]+/.exec(text)?.[0] ?? '';
}

/** Every lap file is in the storage of the new server, byte for byte. */
async function expectSameFiles(files: SampleFile[]): Promise<void> {
  const storage = await openStorage({ s3 }, pitboard.dataFolder);
  for (const { sha256, content } of files) {
    const [row] = await pair.primary.query<{ key: string }>(
      'SELECT storage_key AS key FROM lap_files WHERE sha256 = $1',
      [sha256],
    );
    const stored = await openContent(storage, row?.key ?? '');
    expect(stored && (await buffer(stored)).toString()).toBe(content);
  }
}

test('everything moves to another PostgreSQL: boards, lap files, photos and sign-ins are the same there', async () => {
  const cookie = await signIn(pitboard.url, 'theo.okafor');
  await insertKartTrackHere();
  const files = [nextFile(), nextFile(), nextFile()];
  for (const file of files) expect(await send(pitboard.url, cookie, file)).toHaveProperty('sessionId');
  const picture = await uploadPicture(cookie);
  const paths = [
    `/api/laps/track/${KART_TRACK.id}/best`,
    `/api/laps/track/${KART_TRACK.id}/summary`,
    '/api/tracks',
    '/api/auth/user',
    picture,
  ];
  const before = await Promise.all(paths.map((path) => ask(cookie, path)));
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);

  await expect(migrateData()).rejects.toThrow(`Pitboard is already running on ${pitboard.dataFolder}`);
  const { dataFolder } = pitboard;
  await pitboard.stop();
  await pair.primary.query('CREATE TABLE notes (text text)');
  await expect(migrateData()).rejects.toThrow("has 1 tables that are not Pitboard's");
  await pair.primary.query('DROP TABLE notes');
  const said = await migrateData();
  expect(said).toContain('lap_files: 3 rows, compared');
  expect(said).toContain('Everything was moved.');
  await expect(migrateData()).rejects.toThrow('a server has run on it');

  pitboard = await startPitboard({
    dataFolder,
    environment: {
      ...environment,
      DATABASE_URL: pair.primary.connectionString,
      COOKIE_SECRET: 'a secret for the server on its new database',
      DRAIN_SECONDS: '0',
    },
  });
  const after = await Promise.all(paths.map((path) => ask(cookie, path)));
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  expect(after.at(-1)?.bytes.equals(before.at(-1)?.bytes ?? Buffer.alloc(0))).toBe(true);
  await expectSameFiles(files);
  // And it takes more.
  expect(await send(pitboard.url, cookie, nextFile())).toHaveProperty('sessionId');
});
