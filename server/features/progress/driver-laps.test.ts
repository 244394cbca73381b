import { expect, test } from 'vitest';
import type { CarModelId, UserId } from '#contract/ids.ts';
import { type DriverLaps, driverLapsSchema } from '#contract/progress/schemas.ts';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  insertUserCar,
} from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

const urlOf = (trackId: string, userId: string) => `/api/tracks/${trackId}/drivers/${userId}/laps`;

async function driverLaps(trackId: string, userId: string, who: Person): Promise<DriverLaps> {
  const response = await app.as(who).get(urlOf(trackId, userId));
  expect(response.statusCode).toBe(200);
  return driverLapsSchema.strict().parse(response.json());
}

/** A track with two sector lines, wherever they are. */
const insertSectorTrack = () => {
  const line = { a: { lat: 51.1, lon: 1.1 }, b: { lat: 51.2, lon: 1.1 }, bearingDeg: null };
  const sectors = ['Copse', 'Stowe'].map((name) => ({ ...line, name }));
  return insertTrack(app.db, { sectors });
};

const lap = (...sectorTimesMs: number[]) => ({
  lapTimeMs: sectorTimesMs.reduce((sum, timeMs) => sum + timeMs, 0),
  sectorTimesMs,
});

test('an upload shows with its laps, best sectors and the theoretical best that they make', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const [result] = (await app.as(driver).uploadLaps(trackId, kartCsv())).json().results;

  const { sessions, best, bestSectors, theoreticalBestMs, ...rest } = await driverLaps(
    trackId,
    driver.userId,
    driver,
  );
  expect(rest).toMatchObject({ isOwn: true, trackName: 'Kart Track' });
  expect(sessions).toMatchObject([{ sessionId: result.sessionId, carName: null, isPrivate: false }]);
  expect(sessions[0]?.laps).toHaveLength(result.laps?.length ?? 3);
  expect(best?.lapTimeMs).toBe(result.bestLapTimeMs);
  expect(best?.lapId).toBe(sessions[0]?.bestLapId);
  expect(bestSectors.length).toBeGreaterThan(1);
  expect(bestSectors.map(({ name }) => name)).toEqual(rest.sectorNames);
  expect(theoreticalBestMs).toBeLessThanOrEqual((best?.lapTimeMs ?? 0) + bestSectors.length);
});

test('best sectors come from different laps, and the theoretical best is their sum', async () => {
  const trackId = await insertSectorTrack();
  const driver = await insertSignedIn(app.db);
  const session = { trackId, userId: driver.userId };
  await insertSession(app.db, {
    ...session,
    laps: [lap(20_000, 21_000, 22_000), lap(20_500, 20_100, 23_000)],
  });
  const rejected = { ...lap(10_000, 10_000, 10_000), status: 'rejected' as const };
  await insertSession(app.db, {
    ...session,
    startedAt: new Date('2026-07-01T10:00:00Z'),
    laps: [rejected, lap(20_900, 21_500, 21_700)],
  });

  const { sessions, ...laps } = await driverLaps(trackId, driver.userId, driver);
  expect(laps.sectorNames).toEqual(['Copse', 'Stowe', 'S3']);
  const ids = sessions.toReversed().flatMap((given) => given.laps.map(({ lapId }) => lapId));
  expect(laps.best).toEqual({ lapId: ids[0], ...lap(20_000, 21_000, 22_000) });
  expect(laps.bestSectors).toEqual([
    { name: 'Copse', timeMs: 20_000, lapId: ids[0] },
    { name: 'Stowe', timeMs: 20_100, lapId: ids[1] },
    { name: 'S3', timeMs: 21_700, lapId: ids[3] },
  ]);
  expect(laps.theoreticalBestMs).toBe(61_800);
});

test('a sector between two lines that are almost one takes no time', async () => {
  const trackId = await insertSectorTrack();
  const driver = await insertSignedIn(app.db);
  await insertSession(app.db, { trackId, userId: driver.userId, laps: [lap(20_000, 0, 22_000)] });
  const { bestSectors } = await driverLaps(trackId, driver.userId, driver);
  expect(bestSectors.map(({ timeMs }) => timeMs)).toEqual([20_000, 0, 22_000]);
});

test('a sector that was never timed leaves the theoretical best open', async () => {
  const trackId = await insertSectorTrack();
  const driver = await insertSignedIn(app.db);
  const laps = [{ lapTimeMs: 60_000, sectorTimesMs: [20_000, null, null] }];
  await insertSession(app.db, { trackId, userId: driver.userId, laps });
  expect(await driverLaps(trackId, driver.userId, driver)).toMatchObject({
    bestSectors: [],
    theoreticalBestMs: null,
  });
});

const times = (...lapTimesMs: number[]) => lapTimesMs.map((lapTimeMs) => ({ lapTimeMs }));

test('the spread is of the clean laps of one session, and sessions are never mixed', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const insertOn = (
    day: number,
    laps: { lapTimeMs: number; status?: 'rejected'; reasons?: ['too_short'] }[],
  ) =>
    insertSession(app.db, {
      trackId,
      userId: driver.userId,
      startedAt: new Date(Date.UTC(2026, 5, day)),
      laps,
    });
  await insertOn(1, [
    ...times(64_000, 60_000, 63_000, 61_000, 62_000, 70_000),
    { lapTimeMs: 50_000, status: 'rejected', reasons: ['too_short'] },
  ]);
  await insertOn(2, times(80_000, 81_000));
  await insertOn(3, [{ lapTimeMs: 50_000, status: 'rejected', reasons: ['too_short'] }]);
  const { sessions } = await driverLaps(trackId, driver.userId, driver);
  expect(sessions.map(({ spread }) => spread)).toEqual([
    null,
    { lapCount: 2, medianMs: 80_500, spreadMs: null },
    { lapCount: 5, medianMs: 62_000, spreadMs: 1_000 },
  ]);
  expect(sessions[2]?.laps.filter(({ isClean }) => !isClean).map(({ lapTimeMs }) => lapTimeMs)).toEqual([
    70_000, 50_000,
  ]);
});

test('the best lap has its place on the board, in its class and in its car, with the next drivers', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const cup = await insertCarModel(app.db, { raceClass: 'Cup', generation: 'ND' });
  const roadster = await insertCarModel(app.db, { raceClass: 'Roadster' });
  const cupRival = await insertCarModel(app.db, { raceClass: 'Cup', make: 'Mini' });
  let day = 0;
  const drive = async (userId: UserId, carModelId: CarModelId | null, ...lapTimesMs: number[]) => {
    const userCarId = carModelId === null ? null : await insertUserCar(app.db, { userId, carModelId });
    const laps = times(...lapTimesMs);
    const startedAt = new Date(Date.UTC(2026, 5, (day += 1)));
    await insertSession(app.db, { trackId, userId, userCarId, startedAt, laps });
    return userId;
  };
  await drive(driver.userId, roadster, 59_900);
  await drive(driver.userId, cup, 58_000, 57_000);
  const leader = await drive(await insertUser(app.db), roadster, 50_000);
  const ahead = await drive(await insertUser(app.db, { displayName: 'Ana' }), cupRival, 56_500, 90_000);
  const equal = await drive(await insertUser(app.db), null, 57_000);
  const last = await drive(await insertUser(app.db), cup, 61_000);
  await drive(last, cupRival, 60_500);

  const { places, best } = await driverLaps(trackId, driver.userId, driver);
  expect(best?.lapTimeMs).toBe(57_000);
  expect(places).toMatchObject([
    {
      scope: 'board',
      name: null,
      rank: 3,
      drivers: 5,
      ahead: { driverId: ahead, userName: 'Ana', rank: 2, lapTimeMs: 56_500 },
      behind: { driverId: equal, rank: 3 },
    },
    { scope: 'class', name: 'Cup', rank: 2, drivers: 3, ahead: { rank: 1 }, behind: { lapTimeMs: 60_500 } },
    {
      scope: 'car',
      name: 'Mazda MX-5 1.8 (ND)',
      rank: 1,
      drivers: 2,
      ahead: null,
      behind: { lapTimeMs: 61_000 },
    },
  ]);
  expect(places.map(({ entries }) => entries.map(({ driverId, count }) => [driverId, count]))).toEqual([
    [
      [leader, 1],
      [ahead, 1],
      [equal, 1],
      [last, 1],
    ],
    [
      [ahead, 1],
      [last, 1],
    ],
    [[last, 1]],
  ]);
  expect((await driverLaps(trackId, await insertUser(app.db), driver)).places).toEqual([]);
});

test('a board of more than 120 drivers answers ranges of time, which hold every other driver once', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const drive = (userId: UserId, lapTimeMs: number) =>
    insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs }] });
  for (let index = 0; index < 130; index += 1) {
    await drive(await insertUser(app.db), 60_000 + 30 * index);
  }
  await drive(await insertUser(app.db), 120_000);
  await drive(driver.userId, 60_015);
  const { places } = await driverLaps(trackId, driver.userId, driver);
  expect(places).toMatchObject([
    { rank: 2, drivers: 132, ahead: { lapTimeMs: 60_000 }, behind: { lapTimeMs: 60_030 } },
  ]);
  const entries = places[0]?.entries ?? [];
  expect(entries.length).toBeLessThanOrEqual(120);
  expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(131);
  expect(entries[0]).toMatchObject({ rank: 1, lapTimeMs: 60_000 });
  expect(entries.at(-1)).toMatchObject({ rank: 132, lapTimeMs: 120_000, count: 1 });
});

test('others see what ranks and nothing else, administrators too', async () => {
  const trackId = await insertTrack(app.db);
  const { userId, headers } = await insertSignedIn(app.db);
  const rejected = { lapTimeMs: 50_000, status: 'rejected' as const };
  await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }, rejected] });
  await insertSession(app.db, { trackId, userId, laps: [rejected] });
  expect((await driverLaps(trackId, userId, { headers })).sessions.map(({ laps }) => laps.length)).toContain(
    2,
  );
  for (const other of [await insertSignedIn(app.db), await insertSignedIn(app.db, { isAdmin: true })]) {
    const seen = await driverLaps(trackId, userId, other);
    expect(seen).toMatchObject({ isOwn: false, best: { lapTimeMs: 60_000 } });
    expect(seen.sessions.map(({ laps }) => laps.map(({ lapTimeMs }) => lapTimeMs))).toEqual([[60_000]]);
  }
});

test('a guest gets 401, an unknown track or driver 404, and bad input 400', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertSignedIn(app.db);
  expect((await app.asGuest().get(urlOf(trackId, driver.userId))).statusCode).toBe(401);
  expect((await app.as(driver).get(urlOf('no-such-track', driver.userId))).statusCode).toBe(404);
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect((await app.as(driver).get(urlOf(trackId, unknown))).statusCode).toBe(404);
  expect((await app.as(driver).get(urlOf(trackId, 'no-id'))).statusCode).toBe(400);
  expect(await driverLaps(trackId, driver.userId, driver)).toMatchObject({ sessions: [], best: null });
});
