import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { Session } from '#contract/sessions/schemas.ts';
import { uploadEndpoints } from '#contract/upload/schemas.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { openContent } from '#server/kernel/storage/compressed.ts';
import { insertSignedIn, insertTrack, insertUserCar, type SignedIn } from '#server/testing/builders.ts';
import type { TestFile } from '#server/testing/form.ts';
import { driveKart, insertKartTrack, kartCsv, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { sweepOrphans } from '#server/model/laps/sweep-orphans.ts';

const app = useTestApp();
let driver: SignedIn;
let trackId: string;

// A driver and a track of its own for each test, so that none sees the laps of another.
beforeEach(async () => {
  driver = await insertSignedIn(app.db, { firstName: 'Ana', lastName: 'Li' });
  trackId = await insertKartTrack(app.db);
});

const upload = (files: TestFile[], fields: Record<string, string> = {}, who: Person = driver) =>
  app.as(who).uploadLaps(trackId, files, fields);

const resultsOf = (response: { body: string }) =>
  uploadEndpoints.upload.response.parse(JSON.parse(response.body)).results;
const board = async () => (await app.asGuest().get(`/api/laps/track/${trackId}/best`)).json<LapRecord[]>();

async function countRows() {
  const { rows } = await app.database.pool.query(`
    SELECT (SELECT count(*)::int FROM lap_files) AS files, (SELECT count(*)::int FROM sessions) AS sessions,
      (SELECT count(*)::int FROM laps) AS laps`);
  return rows[0];
}

test('a lap file becomes a session whose best lap is on the board with the right time', async () => {
  const truth = driveKart(4);
  const userCarId = await insertUserCar(app.db, { userId: driver.userId });
  const fields = { userCarId, tireCompound: 'rcomp', videoUrl: 'https://videos.example/1' };
  const response = await upload([{ name: 'C:\\laps\\evening.csv', content: writeGenericCsv(truth) }], fields);
  expect(response.statusCode).toBe(200);
  const bestMs = Math.min(...truth.trueLaps.map((lap) => lap.lapTimeMs));
  const [result] = resultsOf(response);
  expect(result).toMatchObject({ file: 'evening.csv', success: true, lapCount: 4 });
  expect(Math.abs((result?.bestLapTimeMs ?? 0) - bestMs)).toBeLessThanOrEqual(2);

  const [record, ...others] = await board();
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    userName: 'Ana Li',
    driverId: driver.userId,
    carMake: 'Mazda',
    carModel: 'MX-5',
    tireCompound: 'rcomp',
    videoUrl: 'https://videos.example/1',
    lapId: result?.bestLapId,
    lapTimeMs: result?.bestLapTimeMs,
    rank: 1,
    gapMs: 0,
    sessionDate: '2026-06-06T23:30:00+02:00',
  });
  const [listed] = (await app.as(driver).get('/api/tracks')).json();
  expect(listed).toMatchObject({ id: trackId, entryCount: 1, hasOwnEntry: true });
});

test('the raw file is kept as it came, and no other copy of it stays', async () => {
  const file = kartCsv();
  const keysBefore = new Set(await listKeptFiles(app.storage));
  await upload([file]);
  const [key] = (await listKeptFiles(app.storage)).filter((one) => !keysBefore.has(one));
  const chunks = (await (await openContent(app.storage, key ?? ''))?.toArray()) ?? [];
  expect(Buffer.concat(chunks).toString()).toBe(file.content);
  expect(readdirSync(app.incomingFolder)).toEqual([]);
});

test('the driver finds the session, and the best lap by car and by track', async () => {
  const userCarId = await insertUserCar(app.db, { userId: driver.userId });
  const [result] = resultsOf(await upload([kartCsv()], { userCarId }));
  const ask = async (url: string) => (await app.as(driver).get(url)).json();

  const sessions: Session[] = await ask(`/api/sessions/user/${driver.userId}`);
  const { sessionId: id, bestLapTimeMs, bestLapId } = result ?? {};
  expect(sessions).toMatchObject([{ id, trackId, userCarId, lapCount: 3, bestLapTimeMs, bestLapId }]);
  const best = result?.bestLapTimeMs;
  expect(await ask(`/api/laps/user/${driver.userId}/by-car`)).toMatchObject({
    [userCarId]: [{ trackId, lapTime: best }],
  });
  expect(await ask(`/api/laps/user/${driver.userId}/by-track`)).toMatchObject({
    [trackId]: { yourBestLap: best, topLap: best, lapCount: 3 },
  });
  expect(await ask(`/api/laps/user/${driver.userId}/total-count`)).toEqual({ totalLaps: 3 });
});

test('every file of an upload has its own result, in order, and a file that fails leaves the others alone', async () => {
  const before = await countRows();
  const files = [
    kartCsv({}, 'a.csv'),
    { name: 'b.csv', content: 'this is a shopping list' },
    kartCsv({}, 'c.csv'),
  ];
  const results = resultsOf(await upload(files));
  expect(results.map(({ file, success }) => [file, success])).toEqual([
    ['a.csv', true],
    ['b.csv', false],
    ['c.csv', true],
  ]);
  expect(results[1]?.error).toMatch(/^[A-Z].*\.$/);
  expect(await countRows()).toEqual({
    files: before.files + 2,
    sessions: before.sessions + 2,
    laps: before.laps + 6,
  });
});

test('the same bytes are refused a second time, with a sentence for each case', async () => {
  const file = kartCsv();
  const again = resultsOf(await upload([file, { ...file, name: 'renamed.csv' }]));
  expect(again).toMatchObject([
    { success: true },
    { success: false, error: 'This file has already been uploaded.' },
  ]);
  const other = await insertSignedIn(app.db);
  const counted = await countRows();
  const kept = (await listKeptFiles(app.storage)).length;
  expect(resultsOf(await upload([file], {}, other))).toEqual([
    { file: 'laps.csv', success: false, error: 'This file was already uploaded by another driver.' },
  ]);
  expect(await countRows()).toEqual(counted);
  expect(await listKeptFiles(app.storage)).toHaveLength(kept);
});

test('the same bytes sent twice at once are stored once, and their file stays', async () => {
  const file = kartCsv();
  const answers = await Promise.all([upload([file]), upload([file]), upload([file])]);
  const results = answers.flatMap(resultsOf);
  expect(results.filter(({ success }) => success)).toHaveLength(1);
  const { rows } = await app.database.pool.query(
    'SELECT storage_key FROM lap_files JOIN sessions ON lap_file_sha256 = sha256 WHERE track_id = $1',
    [trackId],
  );
  expect(rows).toHaveLength(1);
  expect(await listKeptFiles(app.storage)).toContain(rows[0].storage_key);
  expect(await sweepOrphans(app.storage, app.db, 0)).toBe(0);
});

test('uploads of many drivers to one track at once all count', async () => {
  const drivers = await Promise.all([1, 2, 3, 4].map(() => insertSignedIn(app.db)));
  await Promise.all(drivers.map(({ headers }) => upload([kartCsv()], {}, { headers })));
  const { rows } = await app.database.pool.query(
    'SELECT entry_count, board_version FROM tracks WHERE id = $1',
    [trackId],
  );
  expect(rows[0]).toMatchObject({ entry_count: 4, board_version: '4' });
});

test('a file from elsewhere says how far away, and one without laps says so', async () => {
  const far = await insertKartTrack(app.db, {
    name: 'Far Ring',
    centerLat: 49.1,
    startFinishLine: null,
  });
  expect(resultsOf(await upload([kartCsv()], { trackId: far }))[0]?.error).toBe(
    'This file was recorded 111 km away from Far Ring.',
  );

  const slow = {
    name: 'out.csv',
    content: writeGenericCsv({ ...driveKart(), fixes: driveKart().fixes.slice(0, 150) }),
  };
  const near = await insertKartTrack(app.db, { name: 'Near Ring' });
  expect(resultsOf(await upload([slow], { trackId: near }))[0]?.error).toBe(
    'No complete laps found on Near Ring.',
  );

  const lineless = await insertKartTrack(app.db, { startFinishLine: null });
  const withoutLaps = { name: 'x.csv', content: writeGenericCsv(driveKart()).replaceAll(/,[^,\n]*$/gm, '') };
  expect(resultsOf(await upload([withoutLaps], { trackId: lineless }))[0]?.error).toBe(
    'This track has no start/finish line yet.',
  );
});

test('on a track without a line, the laps of the logger rank with a warning', async () => {
  const lineless = await insertKartTrack(app.db, { startFinishLine: null });
  const [result] = resultsOf(await upload([kartCsv()], { trackId: lineless }));
  expect(result).toMatchObject({ success: true });
  const { rows } = await app.database.pool.query(
    'SELECT DISTINCT status, reasons FROM laps WHERE track_id = $1',
    [lineless],
  );
  expect(rows).toEqual([{ status: 'warning', reasons: ['timed_by_logger'] }]);
});

test('a file without a date counts from its upload', async () => {
  await upload([kartCsv({ clock: 'elapsed-s' })]);
  const [record] = await board();
  const agoMs = Date.now() - new Date(record?.sessionDate ?? 0).getTime();
  expect(agoMs).toBeGreaterThanOrEqual(0);
  expect(agoMs).toBeLessThan(60_000);
});

test('a clock without a zone is one at the track', async () => {
  await upload([kartCsv({ clock: 'iso-local' })]);
  expect((await board())[0]?.sessionDate).toBe('2026-06-06T21:30:00+02:00');
});

test('fields may come before or after the files; errors name the field, and nothing is stored', async () => {
  const before = await countRows();
  const wrong: [string, string][] = [
    ['trackId', trackId],
    ['tireCompound', 'wooden'],
    ['videoUrl', 'javascript:alert(1)'],
  ];
  for (const parts of [
    [...wrong, ['files', kartCsv()] as [string, TestFile]],
    [['files', kartCsv()] as [string, TestFile], ...wrong],
  ]) {
    const response = await app.as(driver).postForm('/api/upload', parts);
    expect(response.statusCode).toBe(400);
    const { error, message, fields } = response.json();
    expect(Object.keys(fields)).toEqual(['tireCompound', 'videoUrl']);
    expect(error).toBe(message); // for this call the error is the sentence
  }
  expect(await countRows()).toEqual(before);
});

test("a car that is somebody else's, or has left the garage, is not allowed; an unknown track is not found", async () => {
  const { db } = app.database;
  const other = await insertSignedIn(db);
  const theirs = await insertUserCar(db, { userId: other.userId });
  const retired = await insertUserCar(db, { userId: driver.userId, retiredAt: new Date() });
  for (const userCarId of [theirs, retired]) {
    const response = await upload([kartCsv()], { userCarId });
    expect(response.statusCode).toBe(403);
    expect(response.json().error).toBe('This car is not in your garage.');
  }
  expect((await upload([kartCsv()], { trackId: 'atlantis-ring' })).statusCode).toBe(404);
});

test('a form without a file, with too many files, or no form at all is refused', async () => {
  expect((await upload([])).statusCode).toBe(400);
  const tooMany = await upload(Array.from({ length: 21 }, (_, i) => ({ name: `${i}.csv`, content: 'x' })));
  expect(tooMany.statusCode).toBe(413);
  expect(tooMany.json().message).toBe('At most 20 files can be sent at once.');
  const json = await app.as(driver).post('/api/upload', { trackId });
  expect(json.statusCode).toBe(415);
  expect(readdirSync(app.incomingFolder)).toEqual([]);
});

test('a guest is refused before anything is received', async () => {
  for (const url of ['/api/upload', '/api/analyze-gps']) {
    const response = await app.asGuest().postForm(url, [['files', kartCsv()]]);
    expect(response.statusCode).toBe(401);
  }
});

const samples = process.env['LAP_SAMPLES'] ?? '';
const sample = join(samples, 'lap-files/derived/mcg_Carole.csv');

test.skipIf(!existsSync(sample))('a real file gives the times that its logger has shown', async () => {
  const truth = JSON.parse(
    await readFile(join(samples, 'truth/mychronogps__analysis-Carole.json.json'), 'utf8'),
  );
  const [a, b] = truth.startFinish.map(([lat, lon]: number[]) => ({ lat, lon }));
  const real = await insertTrack(app.db, {
    centerLat: a.lat,
    centerLon: a.lon,
    radiusMeters: 1_500,
    lengthMeters: 2_055,
    startFinishLine: { a, b, bearingDeg: null },
  });
  const bestMs = Math.min(...truth.laps.map((lap: { timeMs: number }) => lap.timeMs));
  const content = await readFile(sample);
  const [result] = resultsOf(
    await upload([{ name: 'carole.csv', content: Buffer.from(content) }], { trackId: real }),
  );
  expect(result).toMatchObject({ success: true });
  expect(Math.abs((result?.bestLapTimeMs ?? 0) - bestMs)).toBeLessThanOrEqual(truth.toleranceMs);
});
