import { readdirSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { PendingFile } from '#contract/upload/pending-files.ts';
import type { Analysis } from '#contract/upload/schemas.ts';
import { insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import type { TestFile } from '#server/testing/form.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { listKeys } from '#server/testing/test-storage.ts';
import { sweepPendingFiles } from './pending-files.ts';

const app = useTestApp();
let driver: SignedIn;
let trackId: string;

beforeEach(async () => {
  driver = await insertSignedIn(app.db);
  trackId = await insertKartTrack(app.db);
});

const PART_BYTES = LIMITS.pendingPartBytesMin;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const analyze = async (file: TestFile | string, who: Person = driver) =>
  await app.as(who).postForm('/api/analyze-gps', [['file', file]]);
const tokenOf = async (file: TestFile) => (await analyze(file)).json<Analysis>().fileToken ?? '';
const upload = async (files: (TestFile | string)[], who: Person = driver) =>
  await app.as(who).uploadLaps(trackId, files);
const listPending = () => listKeys(app.storage, 'pending-files');
const begin = async (byteCount: number, who: Person = driver) =>
  await app.as(who).post('/api/pending-files', { fileName: 'day.csv', byteCount });
const sendPart = async (
  fileToken: string,
  { offset, bytes, who = driver }: { offset: number; bytes: Buffer; who?: Person },
) =>
  await app.as(who).put(`/api/pending-files/${fileToken}?offset=${offset}`, bytes, {
    'content-type': 'application/octet-stream',
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
  expect(readdirSync(app.incomingFolder)).toEqual([]);
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
  const far = await insertTrack(app.db);
  const failed = (await app.as(driver).uploadLaps(far, fileToken)).json();
  expect(failed.results).toMatchObject([{ success: false }]);
  expect((await upload([fileToken])).json().results).toMatchObject([{ success: true }]);
});

test('a token is worth nothing to guests and other drivers, and one that is made up or old gives a sentence', async () => {
  const fileToken = await tokenOf(kartCsv());
  const other = await insertSignedIn(app.db);
  for (const send of [analyze, (token: string, who?: Person) => upload([token], who)]) {
    expect((await send(fileToken, null)).statusCode).toBe(401);
    expect((await send(fileToken, other)).statusCode).toBe(403);
    const elsewhere = { headers: { ...driver.headers, origin: 'https://elsewhere.example' } };
    expect((await send(fileToken, elsewhere)).statusCode).toBe(403);
    expect((await send('a token')).statusCode).toBe(400);
    const unknown = await send(UNKNOWN);
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({
      message: 'The server does not keep this file any more. Please send it again.',
      fields: { fileToken: expect.any(String) },
    });
  }
  await app.database.pool.query(
    "UPDATE pending_files SET sent_at = now() - interval '25 hours' WHERE id = $1",
    [fileToken],
  );
  expect((await upload([fileToken])).statusCode).toBe(404);
  await sweepPendingFiles(app.storage, app.db, 0);
  expect((await listPending()).filter((key) => key.includes(fileToken))).toEqual([]);
  expect(readdirSync(app.incomingFolder)).toEqual([]);
});

test('a form takes no more tokens than files, and an empty token is refused', async () => {
  const fileToken = await tokenOf(kartCsv());
  const many = Array.from({ length: LIMITS.lapFilesPerUploadMax + 1 }, () => fileToken);
  expect((await upload(many)).statusCode).toBe(413);
  expect((await upload(many.slice(1))).json().results).toHaveLength(LIMITS.lapFilesPerUploadMax);
  expect((await upload([''])).statusCode).toBe(400);
});

test('a file that comes in parts goes on where it broke off, and is the same file at the end', async () => {
  const { content } = kartCsv();
  const bytes = Buffer.concat([Buffer.from(content), Buffer.alloc(2 * PART_BYTES, '\n')]);
  const { fileToken, receivedBytes } = (await begin(bytes.length)).json<PendingFile>();
  expect(receivedBytes).toBe(0);
  const first = bytes.subarray(0, PART_BYTES);
  expect((await sendPart(fileToken, { offset: 0, bytes: first })).json()).toMatchObject({
    receivedBytes: PART_BYTES,
  });
  expect((await analyze(fileToken)).statusCode).toBe(404);
  // The answer to a part was lost: it comes again, with other bytes even.
  expect((await sendPart(fileToken, { offset: 0, bytes: Buffer.alloc(500) })).json()).toMatchObject({
    receivedBytes: PART_BYTES,
  });
  expect((await sendPart(fileToken, { offset: 2 * PART_BYTES, bytes })).statusCode).toBe(409);
  const state = await app.as(driver).get(`/api/pending-files/${fileToken}`);
  expect(state.json()).toEqual({ fileToken, byteCount: bytes.length, receivedBytes: PART_BYTES });
  expect((await sendPart(fileToken, { offset: PART_BYTES, bytes })).statusCode).toBe(413);
  await sendPart(fileToken, { offset: PART_BYTES, bytes: bytes.subarray(PART_BYTES) });
  expect((await analyze(fileToken)).json<Analysis>()).toMatchObject({ gpsRateHz: 10, fileToken });
  expect((await upload([fileToken])).json().results).toMatchObject([{ file: 'day.csv', success: true }]);
  // The answer to the upload was lost: it comes again.
  const again = (await upload([{ name: 'day.csv', content: bytes }])).json();
  expect(again.results).toMatchObject([{ success: false, alreadyUploaded: true }]);
  expect(readdirSync(app.incomingFolder)).toEqual([]);
});

test('parts are refused to guests, to other drivers, over the limit and for files that are not there', async () => {
  const other = await insertSignedIn(app.db);
  const { fileToken } = (await begin(1000)).json<PendingFile>();
  const part = { offset: 0, bytes: Buffer.alloc(1000) };
  expect((await begin(1000, null)).statusCode).toBe(401);
  expect((await begin(0)).statusCode).toBe(400);
  expect((await begin(LIMITS.lapFileBytesMax + 1)).statusCode).toBe(400);
  expect((await sendPart(fileToken, { ...part, who: null })).statusCode).toBe(401);
  expect((await sendPart(fileToken, { ...part, who: other })).statusCode).toBe(403);
  expect((await sendPart(UNKNOWN, part)).statusCode).toBe(404);
  expect((await sendPart('made-up', part)).statusCode).toBe(400);
  expect((await sendPart(fileToken, { ...part, offset: -1 })).statusCode).toBe(400);
  expect((await sendPart(fileToken, { ...part, bytes: Buffer.alloc(1001) })).statusCode).toBe(413);
  const url = `/api/pending-files/${fileToken}`;
  expect((await app.asGuest().get(url)).statusCode).toBe(401);
  expect((await app.as(other).get(url)).statusCode).toBe(403);
  expect(readdirSync(app.incomingFolder)).toEqual([]);
});

test('a driver cannot fill the storage: files over the limit are not kept, and the upload works without them', async () => {
  await app.database.pool.query(
    `INSERT INTO pending_files (id, user_id, file_name, byte_count, received_bytes)
     SELECT gen_random_uuid(), $1, 'full.csv', $2, $2 FROM generate_series(1, 4)`,
    [driver.userId, LIMITS.lapFileBytesMax],
  );
  const { fileToken } = (await begin(1)).json<PendingFile>();
  expect((await sendPart(fileToken, { offset: 0, bytes: Buffer.alloc(1) })).statusCode).toBe(413);
  const analysis = (await analyze(kartCsv())).json<Analysis>();
  expect(analysis.gpsRateHz).toBe(10);
  expect(analysis.fileToken).toBeUndefined();
  const other = await insertSignedIn(app.db);
  expect((await begin(1000, other)).statusCode).toBe(200);
});
