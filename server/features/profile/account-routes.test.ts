import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carModels, userCars } from '#server/model/cars/schema.ts';
import { lapFiles, laps, sessions } from '#server/model/laps/schema.ts';
import { sessionBests } from '#server/model/boards/schema.ts';
import { signIns, users } from '#server/model/people/schema.ts';
import { referenceLines } from '#server/model/laps/schema.ts';
import { TRACES_PREFIX } from '#server/model/laps/trace-storage.ts';
import {
  insertApiToken,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
} from '#server/testing/builders.ts';
import { phonePhoto, sendImage } from '#server/testing/images.ts';
import { insertKartTrack, kartCsv, listKeptFiles, postForm } from '#server/testing/kart-uploads.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { unzip } from '#server/testing/unzip.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => {
  expect(await readdir(testApp.incomingFolder)).toEqual([]);
  await testApp.close();
});

const db = () => testApp.database.db;
const get = (url: string, headers: object = {}) => testApp.app.inject({ url, headers: { ...headers } });
const remove = (url: string, headers: object = {}) =>
  testApp.app.inject({ method: 'DELETE', url, headers: { ...headers } });

/** A driver with a car, a photo, an avatar and one uploaded lap file. */
async function insertActiveDriver(trackId: string) {
  const driver = await insertSignedIn(db(), { email: 'own@example.org' });
  const { userId, headers } = driver;
  const carId = await insertUserCar(db(), { userId, nickname: 'Bee' });
  const file = kartCsv({}, '../späte Runde?.csv');
  const parts: [string, string | typeof file][] = [
    ['trackId', trackId],
    ['userCarId', carId],
    ['files', file],
  ];
  const upload = await postForm(testApp.app, '/api/upload', parts, headers);
  const [{ sessionId }] = upload.json().results;
  const avatarURL = await sendImage(testApp.app, headers, await phonePhoto());
  const photoURL = await sendImage(testApp.app, headers, await phonePhoto());
  const put = (url: string, payload: object) => testApp.app.inject({ method: 'PUT', url, headers, payload });
  const { profileImageUrl } = (await put('/api/user/avatar', { avatarURL })).json();
  const { photoUrl } = (await put(`/api/cars/${carId}/photo`, { photoURL })).json();
  return { ...driver, carId, sessionId, file, profileImageUrl, photoUrl };
}

test('an export holds everything of the driver and nothing of anybody else', async () => {
  const trackId = await insertKartTrack(db(), { name: 'Small Ring' });
  const driver = await insertActiveDriver(trackId);
  const other = await insertActiveDriver(trackId);
  await insertApiToken(db(), driver.userId);
  await insertSession(db(), { trackId, userId: other.userId, laps: [{ lapTimeMs: 11_000 }] });
  await testApp.runJobs();

  const response = await get('/api/account/export', driver.headers);
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="pitboard-export.zip"',
    'cache-control': 'no-store',
  });
  const files = unzip(response.rawPayload);
  const lapFile = `lap-files/2026-06-06-${driver.sessionId}-späte Runde_.csv`;
  const tracesFile = `lap-traces/2026-06-06-${driver.sessionId}.csv`;
  expect([...files.keys()].toSorted()).toEqual([
    'account.json',
    'images/avatar.webp',
    `images/car-${driver.carId}.webp`,
    lapFile,
    tracesFile,
  ]);
  expect(files.get(lapFile)?.toString()).toBe(driver.file.content.toString());
  expect(files.get('images/avatar.webp')).toEqual((await get(driver.profileImageUrl)).rawPayload);

  const account = JSON.parse(files.get('account.json')?.toString() ?? '');
  expect(account).toMatchObject({
    user: { id: driver.userId, email: 'own@example.org' },
    signIns: [{ expiresAt: expect.any(String) }],
    notices: [{ kind: 'record_lost', text: expect.stringContaining('took the record at Small Ring') }],
    apiTokens: [{ name: 'Test', scopes: ['read'] }],
    cars: [{ id: driver.carId, nickname: 'Bee', model: { make: 'Mazda' } }],
    sessions: [
      {
        id: driver.sessionId,
        trackName: 'Small Ring',
        lapFile: { inThisExport: lapFile },
        lapTraces: tracesFile,
      },
    ],
  });
  expect(account.sessions[0].laps).toHaveLength(3);
  const [{ bestLapId }] = (await get(`/api/sessions/user/${driver.userId}`, driver.headers)).json();
  expect(account.sessions[0].laps.map(({ id }: { id: string }) => id)).toContain(bestLapId);
  const text = JSON.stringify(account);
  expect(text).not.toContain(other.userId);
  expect(text).not.toContain('tokenSha256');
});

test('an export has the traces of all laps as they were driven, made again where they are missing', async () => {
  const trackId = await insertKartTrack(db());
  const driver = await insertActiveDriver(trackId);
  const exportFiles = async () => unzip((await get('/api/account/export', driver.headers)).rawPayload);
  const readTraces = (files: Map<string, Buffer>) =>
    files.get(`lap-traces/2026-06-06-${driver.sessionId}.csv`)?.toString() ?? '';
  const files = await exportFiles();
  const [header, ...rows] = readTraces(files).trimEnd().split('\n');
  expect(header).toBe('lap,elapsed_ms,latitude,longitude,speed_kmh');

  const account = JSON.parse(files.get('account.json')?.toString() ?? '');
  const cells = rows.map((row) => row.split(',').map(Number));
  expect(new Set(cells.map(([lap]) => lap))).toEqual(new Set([1, 2, 3]));
  for (const { number, lapTimeMs } of account.sessions[0].laps) {
    const times = cells.filter(([lap]) => lap === number).map(([, elapsedMs = 0]) => elapsedMs);
    // At 10 Hz.
    expect(Math.abs(times.length - lapTimeMs / 100)).toBeLessThan(3);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(lapTimeMs);
  }
  const positions = new Set(
    driver.file.content
      .toString()
      .split('\n')
      .map((line) => (line.match(/-?\d+\.\d{5,}/g) ?? []).map((value) => Number(value).toFixed(5)).join()),
  );
  for (const [, , lat = 0, lon = 0, speed = 0] of cells.slice(0, 20)) {
    expect(positions).toContain(`${lat.toFixed(5)},${lon.toFixed(5)}`);
    expect(speed).toBeGreaterThan(10);
  }

  for await (const { key } of testApp.storage.list(TRACES_PREFIX)) await testApp.storage.remove(key);
  expect(readTraces(await exportFiles())).toBe(readTraces(files));
});

test('names in an export can be stored everywhere, however long the name of a lap file is', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const trackId = await insertTrack(db());
  await insertSession(db(), { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const fileName = `${'ü漢'.repeat(120)}.csv`;
  const key = `lap-files/${userId}`;
  const path = join(testApp.incomingFolder, userId);
  await writeFile(path, 'laps');
  await testApp.storage.put(key, path);
  await db().update(lapFiles).set({ fileName, storageKey: key }).where(eq(lapFiles.userId, userId));
  const files = unzip((await get('/api/account/export', headers)).rawPayload);
  const [name = ''] = [...files.keys()].filter((entry) => entry.startsWith('lap-files/'));
  expect(name).toMatch(/ü漢\.csv$|ü\.csv$/);
  expect(Buffer.byteLength(name.slice('lap-files/'.length))).toBeLessThanOrEqual(255);
});

test('a driver without anything exports an account without anything', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const files = unzip((await get('/api/account/export', headers)).rawPayload);
  expect([...files.keys()]).toEqual(['account.json']);
  expect(JSON.parse(files.get('account.json')?.toString() ?? '')).toMatchObject({
    user: { id: userId },
    cars: [],
    sessions: [],
  });
});

test('a removed account leaves nothing, and the boards forget it at once', async () => {
  const trackId = await insertKartTrack(db());
  const other = await insertActiveDriver(trackId);
  // The checks of earlier sessions make traces again that are missing.
  await testApp.runJobs();
  const keptBefore = await listKeptFiles(testApp.storage);
  const tracesBefore = await listTraces();
  const driver = await insertActiveDriver(trackId);
  await makeLine(trackId, driver.sessionId);
  expect(await listTraces()).toHaveLength(tracesBefore.length + 1);
  await sendImage(testApp.app, driver.headers, await phonePhoto());
  const board = async () => (await get(`/api/laps/track/${trackId}/best`)).json();
  expect(await board()).toHaveLength(2);

  const response = await remove('/api/account', driver.headers);
  expect(response.json()).toEqual({ removed: true });
  expect(response.cookies).toMatchObject([{ name: 'pitboard_sign_in', value: '' }]);

  expect((await board()).map(({ driverId }: { driverId: string }) => driverId)).toEqual([other.userId]);
  const [track] = (await get('/api/tracks')).json().filter(({ id }: { id: string }) => id === trackId);
  expect(track.entryCount).toBe(1);
  for (const { table, column } of [
    { table: users, column: users.id },
    { table: signIns, column: signIns.userId },
    { table: userCars, column: userCars.userId },
    { table: sessions, column: sessions.userId },
    { table: sessionBests, column: sessionBests.userId },
    { table: lapFiles, column: lapFiles.userId },
  ]) {
    expect(await db().select().from(table).where(eq(column, driver.userId))).toEqual([]);
  }
  expect((await db().select().from(carModels)).length).toBeGreaterThan(0);
  expect((await listKeptFiles(testApp.storage)).toSorted()).toEqual(keptBefore.toSorted());
  expect(await listTraces()).toEqual(tracesBefore);
  expect(await listLines(trackId)).toEqual([]);
  for await (const { key } of testApp.storage.list(`incoming/${driver.userId}`)) expect(key).toBe('none');
  expect((await get(driver.profileImageUrl)).statusCode).toBe(404);
  expect((await get(driver.photoUrl)).statusCode).toBe(404);
  expect((await get(other.photoUrl)).statusCode).toBe(200);
  expect((await get('/api/auth/user', driver.headers)).statusCode).toBe(401);
  expect((await remove('/api/account', driver.headers)).statusCode).toBe(401);
});

async function listTraces(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of testApp.storage.list(TRACES_PREFIX)) keys.push(key);
  return keys.toSorted();
}

const listLines = (trackId: string) =>
  db().select().from(referenceLines).where(eq(referenceLines.trackId, trackId));

/** Has the track's line made, from the laps of all its drivers. */
async function makeLine(trackId: string, sessionId: string): Promise<void> {
  const [lap] = await db().select({ id: laps.id }).from(laps).where(eq(laps.sessionId, sessionId));
  await get(`/api/tracks/${trackId}/laps/${lap?.id}/trace`);
  await testApp.runJobs();
  expect(await listLines(trackId)).toHaveLength(1);
}

test('the same lap file can be uploaded again after its account is gone', async () => {
  const trackId = await insertKartTrack(db());
  const first = await insertActiveDriver(trackId);
  await remove('/api/account', first.headers);
  const { headers } = await insertSignedIn(db());
  const parts: [string, string | typeof first.file][] = [
    ['trackId', trackId],
    ['files', first.file],
  ];
  const upload = await postForm(testApp.app, '/api/upload', parts, headers);
  expect(upload.json().results).toMatchObject([{ success: true }]);
});

test('a removed session takes its laps and its lap file along', async () => {
  const trackId = await insertKartTrack(db());
  const keptBefore = await listKeptFiles(testApp.storage);
  const tracesBefore = await listTraces();
  const driver = await insertActiveDriver(trackId);
  await makeLine(trackId, driver.sessionId);
  const versionOf = async () => {
    const { rows } = await testApp.database.pool.query('SELECT board_version FROM tracks WHERE id = $1', [
      trackId,
    ]);
    return Number(rows[0].board_version);
  };
  const version = await versionOf();
  const response = await remove(`/api/sessions/${driver.sessionId}`, driver.headers);
  expect(response.json()).toEqual({ removed: true });
  expect(await versionOf()).toBeGreaterThan(version);
  expect((await get(`/api/laps/track/${trackId}/best`)).json()).toEqual([]);
  expect((await get(`/api/sessions/user/${driver.userId}`, driver.headers)).json()).toEqual([]);
  expect((await get(`/api/laps/user/${driver.userId}/total-count`, driver.headers)).json()).toEqual({
    totalLaps: 0,
  });
  expect((await listKeptFiles(testApp.storage)).toSorted()).toEqual(keptBefore.toSorted());
  expect(await listTraces()).toEqual(tracesBefore);
  expect(await listLines(trackId)).toEqual([]);
  expect((await get('/api/user-cars', driver.headers)).json()).toHaveLength(1);
  expect((await remove(`/api/sessions/${driver.sessionId}`, driver.headers)).statusCode).toBe(404);
});

test("administrators get 403 for another driver's session or car", async () => {
  const trackId = await insertKartTrack(db());
  const owner = await insertActiveDriver(trackId);
  const { headers } = await insertSignedIn(db(), { isAdmin: true });
  expect((await remove(`/api/sessions/${owner.sessionId}`, headers)).statusCode).toBe(403);
  expect((await remove(`/api/user-cars/${owner.carId}`, headers)).statusCode).toBe(403);
  for (const url of ['/api/sessions', '/api/user-cars']) {
    expect((await remove(`${url}/00000000-0000-4000-8000-000000000000`, headers)).statusCode).toBe(404);
    expect((await remove(`${url}/no-id`, headers)).statusCode).toBe(400);
  }
  expect((await get(`/api/laps/track/${trackId}/best`)).json()).toHaveLength(1);
  expect((await get('/api/user-cars', owner.headers)).json()).toHaveLength(1);
});

test('a car that leaves the garage keeps its laps on the board and loses its photo', async () => {
  const trackId = await insertKartTrack(db());
  const driver = await insertActiveDriver(trackId);
  expect((await remove(`/api/user-cars/${driver.carId}`, driver.headers)).json()).toEqual({ removed: true });
  expect((await get('/api/user-cars', driver.headers)).json()).toEqual([]);
  expect((await get(`/api/laps/track/${trackId}/best`)).json()).toMatchObject([{ carMake: 'Mazda' }]);
  expect((await get(driver.photoUrl)).statusCode).toBe(404);
  expect((await remove(`/api/user-cars/${driver.carId}`, driver.headers)).statusCode).toBe(404);
});

test('an upload that is under way while its account is removed leaves nothing either', async () => {
  const trackId = await insertKartTrack(db());
  const driver = await insertSignedIn(db());
  const parts: [string, string | ReturnType<typeof kartCsv>][] = [
    ['trackId', trackId],
    ...Array.from({ length: 4 }, (): [string, ReturnType<typeof kartCsv>] => ['files', kartCsv()]),
  ];
  const uploading = postForm(testApp.app, '/api/upload', parts, driver.headers);
  await expect
    .poll(async () => (await get(`/api/laps/track/${trackId}/best`)).json().length, { timeout: 30_000 })
    .toBe(1);
  const removed = await remove('/api/account', driver.headers);
  expect(removed.statusCode).toBe(200);
  await uploading;
  expect((await get(`/api/laps/track/${trackId}/best`)).json()).toEqual([]);
  expect(await db().select().from(lapFiles).where(eq(lapFiles.userId, driver.userId))).toEqual([]);
});
