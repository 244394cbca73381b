import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import type { SessionId, TrackId } from '#contract/ids.ts';
import { carModels, userCars } from '#server/model/cars/schema.ts';
import { lapFiles, laps, sessions } from '#server/model/laps/schema.ts';
import { sessionBests } from '#server/model/boards/schema.ts';
import { signIns, users } from '#server/model/people/schema.ts';
import { referenceLines } from '#server/model/laps/schema.ts';
import { TRACES_PREFIX } from '#server/model/laps/trace-storage.ts';
import {
  insertApiToken,
  newLapId,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
} from '#server/testing/builders.ts';
import { cutObject, listKeys } from '#server/testing/test-storage.ts';
import { phonePhoto } from '#server/testing/images.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { insertComparison } from '#server/model/comparisons/saved-comparison-store.ts';
import { passMinute } from '#server/testing/pass-minute.ts';
import { insertEntered } from '#server/testing/race-events.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { unzip } from '#server/testing/unzip.ts';
import { deleteForGood, leave, passSevenDays } from '#server/testing/leave.ts';

const app = useTestApp();
const guest = app.asGuest();

afterAll(async () => {
  expect(await readdir(app.incomingFolder)).toEqual([]);
});

/** A driver with a car, a photo, an avatar and one uploaded lap file. */
async function insertActiveDriver(trackId: string) {
  const driver = await insertSignedIn(app.db, { email: 'own@example.org' });
  const client = app.as(driver);
  const carId = await insertUserCar(app.db, { userId: driver.userId, nickname: 'Bee' });
  const file = kartCsv({}, '../späte Runde?.csv');
  const upload = await client.uploadLaps(trackId, file, { userCarId: carId });
  const [{ sessionId }] = upload.json().results;
  const avatarURL = await client.sendImage(await phonePhoto());
  const photoURL = await client.sendImage(await phonePhoto());
  const { profileImageUrl } = (await client.put('/api/user/avatar', { avatarURL })).json();
  const { photoUrl } = (await client.put(`/api/cars/${carId}/photo`, { photoURL })).json();
  return { ...driver, carId, sessionId, file, profileImageUrl, photoUrl };
}

test('an export holds everything of the driver and nothing of anybody else', async () => {
  const trackId = await insertKartTrack(app.db, { name: 'Small Ring' });
  const driver = await insertActiveDriver(trackId);
  const other = await insertActiveDriver(trackId);
  await app.as(driver).patch('/api/auth/user/preferences', { units: 'british', dates: 'DD/MM/YYYY HH:mm' });
  await insertApiToken(app.db, driver.userId);
  await insertSession(app.db, { trackId, userId: other.userId, laps: [{ lapTimeMs: 11_000 }] });
  await app.runJobs();
  const lapIds = [newLapId(), newLapId()];
  await insertComparison(app.db, { userId: driver.userId, name: 'Old tyres', trackId, lapIds });
  await insertEntered(app.db, driver.userId, 'running');

  const response = await app.as(driver).get('/api/account/export');
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
  expect(files.get('images/avatar.webp')).toEqual((await guest.get(driver.profileImageUrl)).rawPayload);

  const account = JSON.parse(files.get('account.json')?.toString() ?? '');
  expect(account).toMatchObject({
    user: { id: driver.userId, email: 'own@example.org', units: 'british', dates: 'DD/MM/YYYY HH:mm' },
    signIns: [{ expiresAt: expect.any(String) }],
    notices: [{ kind: 'record_lost', text: expect.stringContaining('took the record at Small Ring') }],
    apiTokens: [{ name: 'Test', scopes: ['read'] }],
    savedComparisons: [{ name: 'Old tyres', trackName: 'Small Ring', lapIds }],
    raceEventEntries: [{ eventName: 'Spring Sprint', number: '27', runs: [{ timeMs: 64_123 }] }],
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
  const [{ bestLapId }] = (await app.as(driver).get(`/api/sessions/user/${driver.userId}`)).json();
  expect(account.sessions[0].laps.map(({ id }: { id: string }) => id)).toContain(bestLapId);
  const text = JSON.stringify(account);
  expect(text).not.toContain(other.userId);
  expect(text).not.toContain('tokenSha256');
});

test('an export has the traces of all laps as they were driven, made again where they are missing', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertActiveDriver(trackId);
  const exportFiles = async () => unzip((await app.as(driver).get('/api/account/export')).rawPayload);
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

  for await (const { key } of app.storage.list(TRACES_PREFIX)) await app.storage.remove(key);
  expect(readTraces(await exportFiles())).toBe(readTraces(files));
});

test('an export goes on after a damaged lap file, with what can be read of it and a text that says so', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertActiveDriver(trackId);
  const [file] = await app.db.select().from(lapFiles).where(eq(lapFiles.userId, driver.userId));
  await cutObject(app.storage, file?.storageKey ?? '');
  const files = unzip((await app.as(driver).get('/api/account/export')).rawPayload);
  const name = `lap-files/2026-06-06-${driver.sessionId}-späte Runde_.csv`;
  const start = files.get(name)?.toString() ?? '';
  expect(start.length).toBeGreaterThan(0);
  expect(start.length).toBeLessThan(driver.file.content.length);
  expect(driver.file.content.toString().startsWith(start)).toBe(true);
  expect(files.get(`${name}.damaged.txt`)?.toString()).toContain(`could not read all of ${name}`);
  expect([...files.keys()]).toContain('images/avatar.webp');
});

test('names in an export can be stored everywhere, however long the name of a lap file is', async () => {
  const { userId, headers } = await insertSignedIn(app.db);
  const trackId = await insertTrack(app.db);
  await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const fileName = `${'ü漢'.repeat(120)}.csv`;
  const key = `lap-files/${userId}`;
  const path = join(app.incomingFolder, userId);
  await writeFile(path, 'laps');
  await app.storage.put(key, path);
  await app.db.update(lapFiles).set({ fileName, storageKey: key }).where(eq(lapFiles.userId, userId));
  const files = unzip((await app.as({ headers }).get('/api/account/export')).rawPayload);
  const [name = ''] = [...files.keys()].filter((entry) => entry.startsWith('lap-files/'));
  expect(name).toMatch(/ü漢\.csv$|ü\.csv$/);
  expect(Buffer.byteLength(name.slice('lap-files/'.length))).toBeLessThanOrEqual(255);
});

test('a driver without anything exports an account without anything', async () => {
  const driver = await insertSignedIn(app.db);
  const files = unzip((await app.as(driver).get('/api/account/export')).rawPayload);
  expect([...files.keys()]).toEqual(['account.json']);
  expect(JSON.parse(files.get('account.json')?.toString() ?? '')).toMatchObject({
    user: { id: driver.userId },
    cars: [],
    sessions: [],
  });
});

test('a removed account leaves nothing behind, and the boards drop it at once', async () => {
  const trackId = await insertKartTrack(app.db);
  const other = await insertActiveDriver(trackId);
  // The checks of earlier sessions make traces again that are missing.
  await app.runJobs();
  await passMinute(app);
  const keptBefore = await listKeptFiles(app.storage);
  const tracesBefore = await listTraces();
  const driver = await insertActiveDriver(trackId);
  await makeLine(trackId, driver.sessionId);
  expect(await listTraces()).toHaveLength(tracesBefore.length + 1);
  await app.as(driver).sendImage(await phonePhoto());
  const board = async () => (await guest.get(`/api/laps/track/${trackId}/best`)).json();
  expect(await board()).toHaveLength(2);

  await deleteForGood(app, driver);

  expect((await board()).map(({ driverId }: { driverId: string }) => driverId)).toEqual([other.userId]);
  const [track] = (await guest.get('/api/tracks')).json().filter(({ id }: { id: string }) => id === trackId);
  expect(track.entryCount).toBe(1);
  for (const { table, column } of [
    { table: users, column: users.id },
    { table: signIns, column: signIns.userId },
    { table: userCars, column: userCars.userId },
    { table: sessions, column: sessions.userId },
    { table: sessionBests, column: sessionBests.userId },
    { table: lapFiles, column: lapFiles.userId },
  ]) {
    expect(await app.db.select().from(table).where(eq(column, driver.userId))).toEqual([]);
  }
  expect((await app.db.select().from(carModels)).length).toBeGreaterThan(0);
  expect(await listKeptFiles(app.storage)).toEqual(keptBefore);
  expect(await listTraces()).toEqual(tracesBefore);
  expect(await listLines(trackId)).toEqual([]);
  expect(await listKeys(app.storage, `incoming/${driver.userId}`)).toEqual([]);
  expect((await guest.get(driver.profileImageUrl)).statusCode).toBe(404);
  expect((await guest.get(driver.photoUrl)).statusCode).toBe(404);
  expect((await guest.get(other.photoUrl)).statusCode).toBe(200);
  expect((await app.as(driver).get('/api/auth/user')).statusCode).toBe(401);
  expect((await leave(app, driver)).statusCode).toBe(401);
});

const listTraces = () => listKeys(app.storage, TRACES_PREFIX);

const listLines = (trackId: TrackId) =>
  app.db.select().from(referenceLines).where(eq(referenceLines.trackId, trackId));

/** Has the track's line made, from the laps of all its drivers. */
async function makeLine(trackId: TrackId, sessionId: SessionId): Promise<void> {
  const [lap] = await app.db.select({ id: laps.id }).from(laps).where(eq(laps.sessionId, sessionId));
  await guest.get(`/api/tracks/${trackId}/laps/${lap?.id}/trace`);
  await app.runJobs();
  expect(await listLines(trackId)).toHaveLength(1);
}

test('the same lap file can be uploaded again after its account is gone', async () => {
  const trackId = await insertKartTrack(app.db);
  const first = await insertActiveDriver(trackId);
  await deleteForGood(app, first);
  const driver = await insertSignedIn(app.db);
  const upload = await app.as(driver).uploadLaps(trackId, first.file);
  expect(upload.json().results).toMatchObject([{ success: true }]);
});

test('a removed session takes its laps and its lap file along', async () => {
  const trackId = await insertKartTrack(app.db);
  const keptBefore = await listKeptFiles(app.storage);
  const tracesBefore = await listTraces();
  const driver = await insertActiveDriver(trackId);
  await makeLine(trackId, driver.sessionId);
  const versionOf = async () => {
    const { rows } = await app.database.pool.query('SELECT board_version FROM tracks WHERE id = $1', [
      trackId,
    ]);
    return Number(rows[0].board_version);
  };
  const version = await versionOf();
  const response = await app.as(driver).delete(`/api/sessions/${driver.sessionId}`);
  expect(response.json()).toEqual({ removed: true });
  expect(await versionOf()).toBe(version + 1);
  expect((await guest.get(`/api/laps/track/${trackId}/best`)).json()).toEqual([]);
  expect((await app.as(driver).get(`/api/sessions/user/${driver.userId}`)).json()).toEqual([]);
  expect((await app.as(driver).get(`/api/laps/user/${driver.userId}/total-count`)).json()).toEqual({
    totalLaps: 0,
  });
  expect(await listLines(trackId)).toEqual([]);
  await passMinute(app);
  expect(await listKeptFiles(app.storage)).toEqual(keptBefore);
  expect(await listTraces()).toEqual(tracesBefore);
  expect((await app.as(driver).get('/api/user-cars')).json()).toHaveLength(1);
  expect((await app.as(driver).delete(`/api/sessions/${driver.sessionId}`)).statusCode).toBe(404);
});

test("administrators get 403 for another driver's session or car", async () => {
  const trackId = await insertKartTrack(app.db);
  const owner = await insertActiveDriver(trackId);
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  expect((await app.as(admin).delete(`/api/sessions/${owner.sessionId}`)).statusCode).toBe(403);
  expect((await app.as(admin).delete(`/api/user-cars/${owner.carId}`)).statusCode).toBe(403);
  for (const url of ['/api/sessions', '/api/user-cars']) {
    expect((await app.as(admin).delete(`${url}/00000000-0000-4000-8000-000000000000`)).statusCode).toBe(404);
    expect((await app.as(admin).delete(`${url}/no-id`)).statusCode).toBe(400);
  }
  expect((await guest.get(`/api/laps/track/${trackId}/best`)).json()).toHaveLength(1);
  expect((await app.as(owner).get('/api/user-cars')).json()).toHaveLength(1);
});

test('a car that leaves the garage keeps its laps on the board and loses its photo', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertActiveDriver(trackId);
  expect((await app.as(driver).delete(`/api/user-cars/${driver.carId}`)).json()).toEqual({ removed: true });
  expect((await app.as(driver).get('/api/user-cars')).json()).toEqual([]);
  expect((await guest.get(`/api/laps/track/${trackId}/best`)).json()).toMatchObject([{ carMake: 'Mazda' }]);
  expect((await guest.get(driver.photoUrl)).statusCode).toBe(404);
  expect((await app.as(driver).delete(`/api/user-cars/${driver.carId}`)).statusCode).toBe(404);
});

test('an upload that is under way while its account is removed leaves nothing either', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const files = Array.from({ length: 4 }, () => kartCsv());
  const uploading = app.as(driver).uploadLaps(trackId, files);
  await expect
    .poll(async () => (await guest.get(`/api/laps/track/${trackId}/best`)).json().length, { timeout: 30_000 })
    .toBe(1);
  expect((await leave(app, driver)).statusCode).toBe(200);
  await uploading;
  expect((await guest.get(`/api/laps/track/${trackId}/best`)).json()).toEqual([]);
  await passSevenDays(app);
  expect((await guest.get(`/api/laps/track/${trackId}/best`)).json()).toEqual([]);
  expect(await app.db.select().from(lapFiles).where(eq(lapFiles.userId, driver.userId))).toEqual([]);
});
