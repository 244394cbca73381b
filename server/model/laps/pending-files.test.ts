import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { PendingFile } from '#contract/pending-files.ts';
import type { Analysis } from '#contract/uploads.ts';
import { insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import type { TestFile } from '#server/testing/form.ts';
import { insertKartTrack, kartCsv, postForm } from '#server/testing/kart-uploads.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { sweepPendingFiles } from './pending-files.ts';

let testApp: TestApp;
let driver: Awaited<ReturnType<typeof insertSignedIn>>;
let trackId: string;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());
beforeEach(async () => {
  driver = await insertSignedIn(testApp.database.db);
  trackId = await insertKartTrack(testApp.database.db);
});

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
type Headers = Record<string, string>;

const analyze = async (file: TestFile | string, headers: Headers = driver.headers) =>
  await postForm(testApp.app, '/api/analyze-gps', [['file', file]], headers);
const tokenOf = async (file: TestFile) => (await analyze(file)).json<Analysis>().fileToken ?? '';
const upload = async (files: (TestFile | string)[], headers: Headers = driver.headers) =>
  await postForm(
    testApp.app,
    '/api/upload',
    [['trackId', trackId], ...files.map((file): [string, TestFile | string] => ['files', file])],
    headers,
  );
async function listPending(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of testApp.storage.list('pending-files')) keys.push(key);
  return keys;
}
const begin = async (byteCount: number, headers: Headers = driver.headers) =>
  await testApp.app.inject({
    method: 'POST',
    url: '/api/pending-files',
    payload: { fileName: 'day.csv', byteCount },
    headers,
  });
const sendPart = async (
  fileToken: string,
  { offset, bytes, headers = driver.headers }: { offset: number; bytes: Buffer; headers?: Headers },
) =>
  await testApp.app.inject({
    method: 'PUT',
    url: `/api/pending-files/${fileToken}?offset=${offset}`,
    payload: bytes,
    headers: { ...headers, 'content-type': 'application/octet-stream' },
  });

test('a file that was analysed is uploaded by its token, under its name, and is kept no longer', async () => {
  const fileToken = await tokenOf(kartCsv({}, 'evening.csv'));
  expect(await listPending()).toContain(`pending-files/${fileToken}/0`);
  const again = await analyze(fileToken);
  expect(again.json<Analysis>()).toMatchObject({ lapCount: 3, fileToken });

  const { results } = (await upload([fileToken, kartCsv({}, 'next.csv')])).json();
  expect(results).toMatchObject([
    { file: 'evening.csv', success: true, lapCount: 3 },
    { file: 'next.csv', success: true },
  ]);
  expect((await listPending()).filter((key) => key.includes(fileToken))).toEqual([]);
  expect((await upload([fileToken])).statusCode).toBe(404);
  expect(readdirSync(testApp.incomingFolder)).toEqual([]);
});

test('the same file analysed again is kept once, and one that cannot be read is not kept', async () => {
  const file = kartCsv();
  const before = (await listPending()).length;
  expect(await tokenOf(file)).toBe(await tokenOf(file));
  expect((await analyze({ name: 'a.csv', content: 'milk,2' })).json()).not.toHaveProperty('fileToken');
  expect((await listPending()).length).toBe(before + 1);
});

test('a file that fails is kept for another try', async () => {
  const fileToken = await tokenOf(kartCsv());
  const far = await insertTrack(testApp.database.db);
  const parts: [string, string][] = [
    ['trackId', far],
    ['files', fileToken],
  ];
  const failed = (await postForm(testApp.app, '/api/upload', parts, driver.headers)).json();
  expect(failed.results).toMatchObject([{ success: false }]);
  expect((await upload([fileToken])).json().results).toMatchObject([{ success: true }]);
});

test('a token is worth nothing to guests and other drivers, and one that is made up or old gives a sentence', async () => {
  const fileToken = await tokenOf(kartCsv());
  const other = await insertSignedIn(testApp.database.db);
  for (const send of [analyze, (token: string, headers?: Headers) => upload([token], headers)]) {
    expect((await send(fileToken, {})).statusCode).toBe(401);
    expect((await send(fileToken, other.headers)).statusCode).toBe(403);
    expect(
      (await send(fileToken, { ...driver.headers, origin: 'https://elsewhere.example' })).statusCode,
    ).toBe(403);
    expect((await send('a token')).statusCode).toBe(400);
    const unknown = await send(UNKNOWN);
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({
      message: 'The server does not keep this file any more. Please send it again.',
      fields: { fileToken: expect.any(String) },
    });
  }
  await testApp.database.pool.query(
    "UPDATE pending_files SET sent_at = now() - interval '25 hours' WHERE id = $1",
    [fileToken],
  );
  expect((await upload([fileToken])).statusCode).toBe(404);
  await sweepPendingFiles(testApp.storage, testApp.database.db, 0);
  expect((await listPending()).filter((key) => key.includes(fileToken))).toEqual([]);
  expect(readdirSync(testApp.incomingFolder)).toEqual([]);
});

test('a form takes no more tokens than files, and an empty one is none', async () => {
  const fileToken = await tokenOf(kartCsv());
  const many = Array.from({ length: LIMITS.lapFilesPerUploadMax + 1 }, () => fileToken);
  expect((await upload(many)).statusCode).toBe(413);
  expect((await upload(many.slice(1))).json().results).toHaveLength(LIMITS.lapFilesPerUploadMax);
  expect((await upload([''])).statusCode).toBe(400);
});

test('a file that comes in parts goes on where it broke off, and is the same file at the end', async () => {
  const { content } = kartCsv();
  const bytes = Buffer.from(content);
  const { fileToken, receivedBytes } = (await begin(bytes.length)).json<PendingFile>();
  expect(receivedBytes).toBe(0);
  expect((await sendPart(fileToken, { offset: 0, bytes: bytes.subarray(0, 10_000) })).json()).toMatchObject({
    receivedBytes: 10_000,
  });
  expect((await analyze(fileToken)).statusCode).toBe(404);
  // The answer to a part was lost: it comes again, with other bytes even.
  expect((await sendPart(fileToken, { offset: 0, bytes: Buffer.alloc(500) })).json()).toMatchObject({
    receivedBytes: 10_000,
  });
  expect((await sendPart(fileToken, { offset: 20_000, bytes })).statusCode).toBe(409);
  const state = await testApp.app.inject({ url: `/api/pending-files/${fileToken}`, headers: driver.headers });
  expect(state.json()).toEqual({ fileToken, byteCount: bytes.length, receivedBytes: 10_000 });
  expect((await sendPart(fileToken, { offset: 10_000, bytes })).statusCode).toBe(413);
  await sendPart(fileToken, { offset: 10_000, bytes: bytes.subarray(10_000) });
  expect((await analyze(fileToken)).json<Analysis>()).toMatchObject({ gpsRateHz: 10, fileToken });
  expect((await upload([fileToken])).json().results).toMatchObject([{ file: 'day.csv', success: true }]);
  // The answer to the upload was lost: it comes again.
  const again = (await upload([{ name: 'day.csv', content }])).json();
  expect(again.results).toMatchObject([{ success: false, alreadyUploaded: true }]);
  expect(readdirSync(testApp.incomingFolder)).toEqual([]);
});

test('parts are refused to guests, to other drivers, over the limit and for files that are not there', async () => {
  const other = await insertSignedIn(testApp.database.db);
  const { fileToken } = (await begin(1000)).json<PendingFile>();
  const part = { offset: 0, bytes: Buffer.alloc(1000) };
  expect((await begin(1000, {})).statusCode).toBe(401);
  expect((await begin(0)).statusCode).toBe(400);
  expect((await begin(LIMITS.lapFileBytesMax + 1)).statusCode).toBe(400);
  expect((await sendPart(fileToken, { ...part, headers: {} })).statusCode).toBe(401);
  expect((await sendPart(fileToken, { ...part, headers: other.headers })).statusCode).toBe(403);
  expect((await sendPart(UNKNOWN, part)).statusCode).toBe(404);
  expect((await sendPart('made-up', part)).statusCode).toBe(400);
  expect((await sendPart(fileToken, { ...part, offset: -1 })).statusCode).toBe(400);
  expect((await sendPart(fileToken, { ...part, bytes: Buffer.alloc(1001) })).statusCode).toBe(413);
  const url = `/api/pending-files/${fileToken}`;
  expect((await testApp.app.inject({ url })).statusCode).toBe(401);
  expect((await testApp.app.inject({ url, headers: other.headers })).statusCode).toBe(403);
  expect(readdirSync(testApp.incomingFolder)).toEqual([]);
});

test('one driver cannot fill the storage: what is too much is not kept, and the upload works without', async () => {
  for (let index = 0; index < 4; index++) expect((await begin(LIMITS.lapFileBytesMax)).statusCode).toBe(200);
  expect((await begin(1)).statusCode).toBe(413);
  const analysis = (await analyze(kartCsv())).json<Analysis>();
  expect(analysis.gpsRateHz).toBe(10);
  expect(analysis.fileToken).toBeUndefined();
  const other = await insertSignedIn(testApp.database.db);
  expect((await begin(1000, other.headers)).statusCode).toBe(200);
});
