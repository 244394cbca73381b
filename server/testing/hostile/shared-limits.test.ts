import { expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { PendingFile } from '#contract/upload/pending-files.ts';
import { insertSignedIn, type SignedIn } from '../builders.ts';
import { type TestApp, useTestApp } from '../test-app.ts';
import { listKeys } from '../test-storage.ts';

// Every attack in this file was possible once: it makes the server count less than what the attacker takes.

const app = useTestApp();

const { pendingPartBytesMin: PART_BYTES, lapFileBytesMax } = LIMITS;

const begin = async (who: SignedIn, byteCount: number) =>
  await app.as(who).post('/api/pending-files', { fileName: 'day.csv', byteCount });

async function beginFile(who: SignedIn, byteCount: number): Promise<string> {
  return (await begin(who, byteCount)).json<PendingFile>().fileToken;
}

const sendPart = async (who: SignedIn, fileToken: string, part: { offset: number; bytes: Buffer }) =>
  await app.as(who).put(`/api/pending-files/${fileToken}?offset=${part.offset}`, part.bytes, {
    'content-type': 'application/octet-stream',
  });

const listParts = (fileToken: string) => listKeys(app.storage, `pending-files/${fileToken}`);

test('a part of one byte is refused unless it is the last, so that bytes cannot cost files', async () => {
  const driver = await insertSignedIn(app.db);
  const fileToken = await beginFile(driver, PART_BYTES + 1);
  for (const bytes of [Buffer.alloc(1), Buffer.alloc(0), Buffer.alloc(PART_BYTES - 1)]) {
    const refused = await sendPart(driver, fileToken, { offset: 0, bytes });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().message).toMatch(/at least 262144 bytes/);
  }
  expect(await listParts(fileToken)).toEqual([]);
  expect((await sendPart(driver, fileToken, { offset: 0, bytes: Buffer.alloc(PART_BYTES) })).statusCode).toBe(
    200,
  );
  const last = await sendPart(driver, fileToken, { offset: PART_BYTES, bytes: Buffer.alloc(1) });
  expect(last.json()).toMatchObject({ receivedBytes: PART_BYTES + 1 });
});

test('files that are only announced take no room of others, and a driver has twenty at most', async () => {
  const driver = await insertSignedIn(app.db);
  const answers = await Promise.all(Array.from({ length: 30 }, () => begin(driver, lapFileBytesMax)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
  const refused = answers.find(({ statusCode }) => statusCode !== 200);
  expect(refused?.statusCode).toBe(413);
  expect(refused?.json().message).toMatch(/in a form/);
  const other = await insertSignedIn(app.db);
  expect((await begin(other, lapFileBytesMax)).statusCode).toBe(200);
});

test('what has arrived counts in blocks of a disk: a driver who has no room left sends no further part', async () => {
  const driver = await insertSignedIn(app.db);
  const fileToken = await beginFile(driver, 2 * PART_BYTES);
  const { pool } = app.database;
  // Each of these bytes takes a block of 4 KiB, all together 512 MiB without the block of the last one.
  await pool.query(
    `INSERT INTO pending_files (id, user_id, file_name, byte_count, received_bytes, sha256)
     SELECT gen_random_uuid(), $1, 'one-byte.csv', 1, 1, n::text FROM generate_series(1, $2::int) AS n`,
    [driver.userId, 512 * 256 - PART_BYTES / 4096 + 1],
  );
  const full = await sendPart(driver, fileToken, { offset: 0, bytes: Buffer.alloc(PART_BYTES) });
  expect(full.statusCode).toBe(413);
  await pool.query('DELETE FROM pending_files WHERE sha256 = $1', ['1']);
  expect((await sendPart(driver, fileToken, { offset: 0, bytes: Buffer.alloc(PART_BYTES) })).statusCode).toBe(
    200,
  );
});

test('parts do not keep a file longer than a day', async () => {
  const driver = await insertSignedIn(app.db);
  const fileToken = await beginFile(driver, 3 * PART_BYTES);
  const age = async (hours: number) => {
    const text = "UPDATE pending_files SET sent_at = sent_at - $1 * interval '1 hour' WHERE id = $2";
    await app.database.pool.query(text, [hours, fileToken]);
  };
  await age(23);
  const bytes = Buffer.alloc(PART_BYTES);
  expect((await sendPart(driver, fileToken, { offset: 0, bytes })).statusCode).toBe(200);
  await age(2);
  expect((await sendPart(driver, fileToken, { offset: PART_BYTES, bytes })).statusCode).toBe(404);
});

test('of two first parts at once one is stored, whole, and the other changes nothing', async () => {
  const driver = await insertSignedIn(app.db);
  const fileToken = await beginFile(driver, 4 * PART_BYTES);
  const { put } = app.storage;
  const sizes: number[] = [];
  // The shorter part would be written last.
  app.storage.put = async (key, path) => {
    sizes.push(1);
    await new Promise((resolve) => setTimeout(resolve, 20 * sizes.length));
    await put(key, path);
  };
  try {
    const long = sendPart(driver, fileToken, { offset: 0, bytes: Buffer.alloc(2 * PART_BYTES) });
    const short = sendPart(driver, fileToken, { offset: 0, bytes: Buffer.alloc(PART_BYTES) });
    await Promise.all([long, short]);
  } finally {
    app.storage.put = put;
  }
  const { receivedBytes } = (await app.as(driver).get(`/api/pending-files/${fileToken}`)).json<PendingFile>();
  const stored = await app.storage.openRead(`pending-files/${fileToken}/0`);
  stored?.content.destroy();
  expect(stored?.byteCount).toBe(receivedBytes);
  expect(sizes).toHaveLength(1);
});

test('a part that the storage does not take can be sent again', async () => {
  const driver = await insertSignedIn(app.db);
  const fileToken = await beginFile(driver, PART_BYTES);
  const { put } = app.storage;
  app.storage.put = async () => await Promise.reject(new Error('no'));
  const part = { offset: 0, bytes: Buffer.alloc(PART_BYTES) };
  try {
    expect((await sendPart(driver, fileToken, part)).statusCode).toBe(500);
  } finally {
    app.storage.put = put;
  }
  expect((await sendPart(driver, fileToken, part)).json()).toMatchObject({ receivedBytes: PART_BYTES });
});

const search = async (copy: TestApp, remoteAddress: string) =>
  await copy.as({ remoteAddress }).get('/api/car-library/search?q=mx');

test('a guest does not escape a limit by the other addresses of an IPv6 line', async () => {
  const { headers } = await search(app, '2001:db8:1:2::1');
  const limit = Number(headers['x-ratelimit-limit']);
  for (let call = 2; call <= limit; call += 1)
    expect((await search(app, `2001:db8:1:2::${call.toString(16)}`)).statusCode).toBe(200);
  expect((await search(app, '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
  expect((await search(app, '2001:db8:1:3::1')).statusCode).toBe(200);
});

test('a guest with a /48 makes ten times as many calls and no more', async () => {
  const { pool } = app.database;
  const { headers } = await search(app, '2001:db8:2:1::1');
  const limit = Number(headers['x-ratelimit-limit']);
  await pool.query('UPDATE call_counts SET calls = $1 WHERE key LIKE $2', [
    10 * limit - 1,
    '2001:db8:2::/48%',
  ]);
  expect((await search(app, '2001:db8:2:2::1')).statusCode).toBe(200);
  expect((await search(app, '2001:db8:2:3::1')).statusCode).toBe(429);
  expect((await search(app, '2001:db8:3:3::1')).statusCode).toBe(200);
});

test('an IPv4 address that is written as IPv6 is the same guest', async () => {
  const { headers } = await search(app, '203.0.113.77');
  const again = await search(app, '::ffff:203.0.113.77');
  expect(Number(again.headers['x-ratelimit-remaining'])).toBe(Number(headers['x-ratelimit-remaining']) - 1);
  expect((await search(app, '::ffff:203.0.113.78')).headers['x-ratelimit-remaining']).toBe(
    headers['x-ratelimit-remaining'],
  );
});
