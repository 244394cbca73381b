import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { CarModelId, TrackId } from '#contract/ids.ts';
import { type LapView, lapViewSchema } from '#contract/lap-view/schemas.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
} from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

const viewUrl = (trackId: string, lapId: string) => `/api/tracks/${trackId}/laps/${lapId}`;

async function view(trackId: string, lapId: string, who: Person = null): Promise<LapView> {
  const response = await app.as(who).get(viewUrl(trackId, lapId));
  expect(response.statusCode).toBe(200);
  return lapViewSchema.strict().parse(response.json());
}

/** The ids of the laps of a session in their order. */
async function lapIds(sessionId: string): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ id: string }>(
    'SELECT id FROM laps WHERE session_id = $1 ORDER BY number',
    [sessionId],
  );
  return rows.map(({ id }) => id);
}

let drivenMs = 0;

/** A driver, later than those before, with one lap for each of these times, in one session. */
async function insertDriver(
  trackId: TrackId,
  lapTimesMs: number[],
  given: Partial<typeof users.$inferInsert> = {},
) {
  const driver = await insertSignedIn(app.db, given);
  const laps = lapTimesMs.map((lapTimeMs) => ({ lapTimeMs }));
  const startedAt = new Date(Date.UTC(2026, 5, 6) + drivenMs++);
  const sessionId = await insertSession(app.db, { trackId, userId: driver.userId, laps, startedAt });
  return { ...driver, sessionId, laps: await lapIds(sessionId) };
}

test('a lap whose driver leaves the board while it is read still has its place', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertDriver(trackId, [60_000]);
  // The number of drivers is read after the lap.
  const setDrivers = (entryCount: number) =>
    app.db.update(tracks).set({ entryCount }).where(eq(tracks.id, trackId));
  await setDrivers(0);
  expect((await view(trackId, driver.laps[0] ?? '')).place).toMatchObject({ rank: 1, drivers: 1 });
  await setDrivers(1);
});

test('an uploaded lap shows its time, sectors, car, tyres and source', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db, { displayName: 'Ana Lima' });
  const userCarId = await insertUserCar(app.db, { userId: driver.userId, nickname: 'Bee' });
  const [result] = (
    await app.as(driver).uploadLaps(trackId, kartCsv(), {
      userCarId,
      tireCompound: 'rcomp',
      videoUrl: 'https://video.example/lap',
    })
  ).json().results;
  const [record] = (await guest.get(`/api/laps/track/${trackId}/best`)).json();

  const lap = await view(trackId, record.lapId, driver);
  expect(lap).toMatchObject({
    lapId: record.lapId,
    trackId,
    sessionId: result.sessionId,
    lapTimeMs: result.bestLapTimeMs,
    uncertaintyMs: record.uncertaintyMs,
    status: 'valid',
    reasons: [],
    driverId: driver.userId,
    userName: 'Ana Lima',
    carMake: 'Mazda',
    carModel: 'MX-5',
    carName: 'Bee',
    tireCompound: 'rcomp',
    videoUrl: 'https://video.example/lap',
    sessionDate: record.sessionDate,
    evidence: ['file', 'video'],
    source: { format: 'generic-csv', formatName: 'CSV with latitude, longitude and time', gpsRateHz: 10 },
    isOwn: true,
    isPrivate: false,
    canBeCompared: true,
    place: { rank: 1, drivers: 1, ahead: null, behind: null },
    record: { lapId: record.lapId, gapMs: 0 },
    ownBest: { lapId: record.lapId },
    recordInCar: { lapId: record.lapId },
    compareWith: null,
  });
  expect(lap.source.fileSha256).toMatch(/^[0-9a-f]{64}$/);
  expect(lap.sectorTimesMs).toHaveLength(lap.sectorNames.length);
  expect(lap.sectorTimesMs.reduce((sum: number, timeMs) => sum + (timeMs ?? Number.NaN), 0)).toBeCloseTo(
    lap.lapTimeMs,
    -1,
  );
  // The nickname of the car is for those who are signed in.
  expect((await view(trackId, record.lapId)).carName).toBe('Mazda MX-5 1.8 (NB)');
});

test('the drivers next to it on the board, the record and the bests are given with their gaps', async () => {
  const trackId = await insertTrack(app.db);
  const first = await insertDriver(trackId, [60_000, 60_400]);
  const second = await insertDriver(trackId, [61_000]);
  const third = await insertDriver(trackId, [62_500, 63_000]);
  const fourth = await insertDriver(trackId, [62_500]);

  const lap = await view(trackId, third.laps[0] ?? '', fourth);
  expect(lap).toMatchObject({
    isOwn: false,
    canBeCompared: true,
    place: {
      rank: 3,
      drivers: 4,
      ahead: { lapId: second.laps[0], driverId: second.userId, lapTimeMs: 61_000, gapMs: 1_500 },
      behind: { lapId: fourth.laps[0], gapMs: 0 },
    },
    record: { lapId: first.laps[0], gapMs: 2_500 },
    ownBest: { lapId: fourth.laps[0] },
    driverBest: { lapId: third.laps[0] },
    recordInCar: null,
    compareWith: fourth.laps[0],
  });
  expect(await view(trackId, fourth.laps[0] ?? '')).toMatchObject({
    place: { rank: 3, ahead: { lapId: third.laps[0] }, behind: null },
    ownBest: null,
    compareWith: first.laps[0],
  });
  // The lap is not the best of its driver, so it is on no board.
  expect(await view(trackId, first.laps[1] ?? '')).toMatchObject({
    place: null,
    driverBest: { lapId: first.laps[0], gapMs: 400 },
    compareWith: first.laps[0],
  });
});

test('the record in the same car model may be of another driver', async () => {
  const trackId = await insertTrack(app.db);
  const [quick, slow] = [await insertSignedIn(app.db), await insertSignedIn(app.db)];
  const quickCar = await insertUserCar(app.db, { userId: quick.userId });
  const model = await app.database.pool.query('SELECT car_model_id FROM user_cars WHERE id = $1', [quickCar]);
  const slowCar = await insertUserCar(app.db, {
    userId: slow.userId,
    carModelId: model.rows[0].car_model_id,
  });
  await insertDriver(trackId, [50_000]);
  const session = { trackId, laps: [{ lapTimeMs: 55_000 }] };
  const quickSession = await insertSession(app.db, { ...session, userId: quick.userId, userCarId: quickCar });
  const slowSession = await insertSession(app.db, {
    trackId,
    userId: slow.userId,
    userCarId: slowCar,
    laps: [{ lapTimeMs: 56_000 }],
  });
  const [quickLap] = await lapIds(quickSession);
  const [slowLap = ''] = await lapIds(slowSession);
  expect((await view(trackId, slowLap)).recordInCar).toMatchObject({ lapId: quickLap, gapMs: 1_000 });
});

test('a lap that does not rank is there for its driver and administrators only', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const laps = [{ lapTimeMs: 60_000, status: 'rejected' as const, reasons: ['off_track'] }];
  const [lapId = ''] = await lapIds(await insertSession(app.db, { trackId, userId: driver.userId, laps }));
  const administrator = await insertSignedIn(app.db, { isAdmin: true });
  const other = await insertSignedIn(app.db);

  expect(await view(trackId, lapId, driver)).toMatchObject({
    status: 'rejected',
    reasons: ['off_track'],
    place: null,
    canBeCompared: true,
  });
  expect(await view(trackId, lapId, administrator)).toMatchObject({ canBeCompared: false });
  const missing = await app.as(other).get(viewUrl(trackId, '00000000-0000-4000-8000-000000000000'));
  expect(missing.statusCode).toBe(404);
  for (const caller of [{}, other.headers]) {
    const response = await app.as({ headers: caller }).get(viewUrl(trackId, lapId));
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual(missing.json());
  }
});

test('private lines are said, by the profile and by the session, which comes first', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertDriver(trackId, [60_000]);
  const other = await insertDriver(trackId, [61_000]);
  const setPrivate = async (keepLinesPrivate: boolean, linesPrivate: boolean | null) => {
    const response = await app.as(driver).patch('/api/auth/user/preferences', { keepLinesPrivate });
    expect(response.json()).toMatchObject({ keepLinesPrivate });
    await app.db.update(sessions).set({ linesPrivate }).where(eq(sessions.id, driver.sessionId));
  };
  const seenBy = async (headers: object) => {
    const { isPrivate, canBeCompared, compareWith } = await view(trackId, driver.laps[0] ?? '', { headers });
    return { isPrivate, canBeCompared, compareWith };
  };
  const open = { isPrivate: false, canBeCompared: true, compareWith: other.laps[0] };
  const closed = { isPrivate: true, canBeCompared: false, compareWith: null };

  expect(await seenBy(other.headers)).toEqual(open);
  await setPrivate(true, null);
  expect(await seenBy(other.headers)).toEqual(closed);
  expect(await seenBy({})).toEqual(closed);
  const administrator = await insertSignedIn(app.db, { isAdmin: true });
  expect(await seenBy(administrator.headers)).toEqual(closed);
  expect(await seenBy(driver.headers)).toMatchObject({ isPrivate: true, canBeCompared: true });
  // The record keeps its lines private, so there is nothing to compare with.
  expect((await view(trackId, other.laps[0] ?? '')).compareWith).toBeNull();
  await setPrivate(true, false);
  expect(await seenBy(other.headers)).toEqual(open);
  await setPrivate(false, true);
  expect(await seenBy(other.headers)).toEqual(closed);
});

test('a lap of another track, an unknown one and bad input are refused', async () => {
  const trackId = await insertTrack(app.db);
  const { laps } = await insertDriver(trackId, [60_000]);
  expect((await guest.get(viewUrl(await insertTrack(app.db), laps[0] ?? ''))).statusCode).toBe(404);
  expect((await guest.get(viewUrl('no-such-track', laps[0] ?? ''))).statusCode).toBe(404);
  expect((await guest.get(viewUrl(trackId, 'no-id'))).json()).toMatchObject({ error: 'invalid_input' });
});

test('a lap that has not changed is answered with 304', async () => {
  const trackId = await insertTrack(app.db);
  const { laps, headers } = await insertDriver(trackId, [60_000]);
  const url = viewUrl(trackId, laps[0] ?? '');
  const { etag } = (await guest.get(url)).headers;
  expect((await guest.get(url, { 'if-none-match': etag })).statusCode).toBe(304);
  expect((await app.as({ headers }).get(url, { 'if-none-match': etag })).statusCode).toBe(200);
  await insertDriver(trackId, [59_000]);
  expect((await guest.get(url, { 'if-none-match': etag })).statusCode).toBe(200);
});

test('the offered rival is the nearest faster driver in the same car, else in the same class, else a slower one', async () => {
  const trackId = await insertTrack(app.db);
  const [roadster, otherRoadster, racer] = [
    await insertCarModel(app.db),
    await insertCarModel(app.db),
    await insertCarModel(app.db, { raceClass: 'GT3' }),
  ];
  const drive = async (carModelId: CarModelId, lapTimeMs: number, given: { linesPrivate?: boolean } = {}) => {
    const { userId } = await insertSignedIn(app.db);
    const userCarId = await insertUserCar(app.db, { userId, carModelId });
    const session = { trackId, userId, userCarId, laps: [{ lapTimeMs }], ...given };
    const [lapId = ''] = await lapIds(await insertSession(app.db, session));
    return lapId;
  };
  const inCar = await drive(roadster, 58_000);
  await drive(roadster, 59_500, { linesPrivate: true });
  const inClass = await drive(otherRoadster, 59_000);
  const ahead = await drive(racer, 59_900);
  const slow = await drive(roadster, 60_000);

  expect((await view(trackId, slow)).rival).toMatchObject({ shares: 'car', lapId: inCar, gapMs: 2_000 });
  expect((await view(trackId, slow)).place?.ahead).toMatchObject({ lapId: ahead });
  expect((await view(trackId, inClass)).rival).toMatchObject({ shares: 'class', lapId: inCar });
  expect((await view(trackId, inCar)).rival).toMatchObject({ shares: 'car', lapId: slow, gapMs: -2_000 });
  expect((await view(trackId, ahead)).rival).toBeNull();
});
