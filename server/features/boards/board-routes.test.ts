import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { UserId } from '#contract/ids.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { Session } from '#contract/sessions/schemas.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { DAY_MS, HOUR_MS } from '#engine/durations.ts';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  insertUserCar,
  newLapId,
} from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

test('the board without parameters is the whole board; with a page, the own record follows', async () => {
  const trackId = await insertTrack(app.db);
  const drivers = [];
  for (const lapTimeMs of [61_000, 62_000, 63_000]) {
    const driver = await insertSignedIn(app.db);
    await insertSession(app.db, { trackId, userId: driver.userId, laps: [{ lapTimeMs }] });
    drivers.push(driver);
  }
  const times = async (query: string, who: Person = null) =>
    (await app.as(who).get(`/api/laps/track/${trackId}/best${query}`))
      .json<LapRecord[]>()
      .map((record) => record.lapTimeMs);
  const last = drivers.at(-1) ?? null;
  expect(await times('')).toEqual([61_000, 62_000, 63_000]);
  expect(await times('?limit=1&offset=1')).toEqual([62_000]);
  expect(await times('?limit=1&includeOwn=true', last)).toEqual([61_000, 63_000]);
  expect(await times('?limit=1&includeOwn=false', last)).toEqual([61_000]);
  expect(await times('?limit=1&includeOwn=true')).toEqual([61_000]);
});

test('empty filters do not filter, and filters that are none are refused by name', async () => {
  const trackId = await insertTrack(app.db);
  await insertSession(app.db, { trackId, userId: await insertUser(app.db), laps: [{ lapTimeMs: 61_000 }] });
  const empty = await guest.get(`/api/laps/track/${trackId}/best?timePeriod=&make=&tire=&drivetrain=`);
  expect(empty.json()).toHaveLength(1);
  for (const call of ['best', 'summary', 'filter-options']) {
    const response = await guest.get(`/api/laps/track/${trackId}/${call}?timePeriod=yesterday&tire=wooden`);
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json().fields)).toEqual(['timePeriod', 'tire']);
  }
  expect((await guest.get(`/api/laps/track/${trackId}/best?limit=501`)).statusCode).toBe(400);
  expect((await guest.get(`/api/laps/track/${trackId}/best?offset=-1`)).statusCode).toBe(400);
});

test('a track without laps has an empty board; a track that does not exist has none', async () => {
  const trackId = await insertTrack(app.db);
  expect((await guest.get(`/api/laps/track/${trackId}/best`)).json()).toEqual([]);
  expect((await guest.get(`/api/laps/track/${trackId}/summary`)).json()).toEqual({ totalLaps: 0, racers: 0 });
  expect((await guest.get('/api/laps/track/atlantis-ring/best')).statusCode).toBe(404);
  expect((await guest.get('/api/laps/track/atlantis-ring/summary')).statusCode).toBe(404);
  expect((await guest.get('/api/laps/track/atlantis-ring/filter-options')).statusCode).toBe(404);
});

test('a record is whole for a driver without names, car, tyres and video too', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db, { fullName: null, firstName: null, lastName: null });
  const lapId = newLapId();
  await insertSession(app.db, { trackId, userId, laps: [{ id: lapId, lapTimeMs: 61_000 }] });
  expect((await guest.get(`/api/laps/track/${trackId}/best`)).json()).toEqual([
    {
      lapId,
      userName: 'User',
      userAvatar: null,
      carMake: null,
      carModel: null,
      carVariant: null,
      carGeneration: null,
      carRaceClass: null,
      carDrivetrain: null,
      tireCompound: null,
      lapTimeMs: 61_000,
      sessionDate: '2026-06-06T11:00:00+01:00',
      rank: 1,
      driverId: userId,
      gapMs: 0,
      uncertaintyMs: 5,
    },
  ]);
});

test('tracks with an own entry come first, then those with more entries', async () => {
  const { userId, headers } = await insertSignedIn(app.db);
  const [quiet, own, busy] = [
    await insertTrack(app.db),
    await insertTrack(app.db),
    await insertTrack(app.db),
  ];
  await insertSession(app.db, { trackId: own, userId, laps: [{ lapTimeMs: 61_000 }] });
  // Laps that do not rank are no entry.
  await insertSession(app.db, { trackId: quiet, userId, laps: [{ lapTimeMs: 61_000, status: 'rejected' }] });
  for (let drivers = 0; drivers < 4; drivers++) {
    await insertSession(app.db, {
      trackId: busy,
      userId: await insertUser(app.db),
      laps: [{ lapTimeMs: 61_000 }],
    });
  }
  const order = async (asking: object) =>
    (await app.as({ headers: asking }).get('/api/tracks'))
      .json<ListedTrack[]>()
      .filter(({ id }) => [quiet, own, busy].includes(id))
      .map(({ id, entryCount, hasOwnEntry }) => [id, entryCount, hasOwnEntry]);
  expect(await order(headers)).toEqual([
    [own, 1, true],
    [busy, 4, false],
    [quiet, 0, false],
  ]);
  expect(await order({})).toEqual([
    [busy, 4, false],
    [own, 1, false],
    [quiet, 0, false],
  ]);
});

test('personal bests are the best ranking laps, by car and by track, the latest first', async () => {
  const { userId, headers } = await insertSignedIn(app.db);
  const [here, there] = [
    await insertTrack(app.db, { name: 'Here' }),
    await insertTrack(app.db, { name: 'There' }),
  ];
  const userCarId = await insertUserCar(app.db, { userId });
  const laps = [
    { lapTimeMs: 62_000 },
    { lapTimeMs: 61_000 },
    { lapTimeMs: 50_000, status: 'rejected' as const },
  ];
  await insertSession(app.db, { trackId: here, userId, userCarId, laps });
  const later = new Date('2026-07-01T09:00:00Z');
  await insertSession(app.db, {
    trackId: there,
    userId,
    userCarId,
    startedAt: later,
    laps: [{ lapTimeMs: 70_000 }],
  });
  await insertSession(app.db, {
    trackId: here,
    userId: await insertUser(app.db),
    laps: [{ lapTimeMs: 60_000 }],
  });

  expect((await app.as({ headers }).get(`/api/laps/user/${userId}/by-car`)).json()).toEqual({
    [userCarId]: [
      { trackId: there, trackName: 'There', lapTime: 70_000, uploadDate: '2026-07-01T10:00:00+01:00' },
      { trackId: here, trackName: 'Here', lapTime: 61_000, uploadDate: '2026-06-06T11:00:00+01:00' },
    ],
  });
  expect((await app.as({ headers }).get(`/api/laps/user/${userId}/by-track`)).json()).toEqual({
    [here]: {
      yourBestLap: 61_000,
      yourBestLapDate: '2026-06-06T11:00:00+01:00',
      topLap: 60_000,
      isTopLap: false,
      lapCount: 2,
    },
    [there]: {
      yourBestLap: 70_000,
      yourBestLapDate: '2026-07-01T10:00:00+01:00',
      topLap: 70_000,
      isTopLap: true,
      lapCount: 1,
    },
  });
  expect((await app.as({ headers }).get(`/api/laps/user/${userId}/total-count`)).json()).toEqual({
    totalLaps: 3,
  });
  const sessions = (await app.as({ headers }).get(`/api/sessions/user/${userId}`)).json();
  expect(sessions).toMatchObject([
    { trackId: there, lapCount: 1, bestLapTimeMs: 70_000 },
    { trackId: here, lapCount: 3, bestLapTimeMs: 61_000 },
  ]);
});

test('a session names its car by nickname, else by model, after the car has left the garage too', async () => {
  const { userId, headers } = await insertSignedIn(app.db);
  const trackId = await insertTrack(app.db);
  const carModelId = await insertCarModel(app.db, { modelDisplay: 'Lotus Elise S1' });
  const cars = [
    await insertUserCar(app.db, { userId, carModelId, nickname: 'Bee' }),
    await insertUserCar(app.db, { userId, carModelId, retiredAt: new Date('2026-08-01T00:00:00Z') }),
    null,
  ];
  for (const [index, userCarId] of cars.entries()) {
    const startedAt = new Date(Date.UTC(2026, 5, 10 - index));
    await insertSession(app.db, { userId, trackId, userCarId, startedAt, laps: [{ lapTimeMs: 61_000 }] });
  }
  const sessions: Session[] = (await app.as({ headers }).get(`/api/sessions/user/${userId}`)).json();
  expect(sessions.map(({ carName }) => carName)).toEqual(['Bee', 'Lotus Elise S1', null]);
});

test('a driver sees which laps of a session do not count, and why; others do not', async () => {
  const { userId, headers } = await insertSignedIn(app.db);
  const other = await insertSignedIn(app.db);
  const trackId = await insertTrack(app.db);
  const startedAt = new Date('2026-06-06T10:00:00Z');
  const rejectedId = newLapId();
  await insertSession(app.db, {
    userId,
    trackId,
    startedAt,
    laps: [
      { lapTimeMs: 95_000, status: 'incomplete', reasons: ['out_lap'] },
      { lapTimeMs: 61_000 },
      {
        id: rejectedId,
        lapTimeMs: 41_207,
        status: 'rejected',
        reasons: ['off_track', 'impossible_acceleration'],
      },
      { lapTimeMs: 63_500, status: 'incomplete', reasons: ['gap_in_data'] },
      { lapTimeMs: 62_000, status: 'warning', reasons: ['odd_clock'] },
    ],
  });
  await insertSession(app.db, { userId, trackId, startedAt: new Date(0), laps: [{ lapTimeMs: 64_000 }] });

  const refusedFor = async (as: { cookie: string }) => {
    const sessions: Session[] = (await app.as({ headers: as }).get(`/api/sessions/user/${userId}`)).json();
    return sessions.map(({ refusedLaps }) => refusedLaps);
  };
  expect(await refusedFor(headers)).toEqual([
    [
      { lapId: rejectedId, number: 3, lapTimeMs: 41_207, reasons: ['off_track', 'impossible_acceleration'] },
      { lapId: expect.any(String), number: 4, lapTimeMs: 63_500, reasons: ['gap_in_data'] },
    ],
    [],
  ]);
  expect(await refusedFor(other.headers)).toEqual([null, null]);
});

test('the tyre categories come in the order in which they are shown', async () => {
  expect((await guest.get('/api/laps/tire-compounds')).json()).toEqual([
    'street-300',
    'track-200',
    'rcomp',
    'full-slick',
  ]);
});

test('administrators see what was driven in the last weeks', async () => {
  const admin = app.as(await insertSignedIn(app.db, { role: 'admin' }));
  const readActivity = async (): Promise<Answer> => (await admin.get('/api/admin/activity')).json();
  type Answer = { laps: number[]; drivers: number; tracks: number; records: number; seen: number };
  const absent = await insertSignedIn(app.db);
  const before = await readActivity();
  const [trackId, otherId] = [await insertTrack(app.db), await insertTrack(app.db)];
  const [holder, driver] = [await insertUser(app.db), await insertUser(app.db)];
  const drive = (userId: UserId, lapTimeMs: number, { on = trackId, daysAgo = 0 } = {}) =>
    insertSession(app.db, {
      userId,
      trackId: on,
      startedAt: new Date(Date.now() - daysAgo * DAY_MS - HOUR_MS),
      laps: [{ lapTimeMs }, { lapTimeMs: lapTimeMs + 1 }, { lapTimeMs: 1, status: 'rejected' }],
    });
  await drive(holder, 61_000, { daysAgo: 10 });
  await drive(driver, 62_000);
  await drive(driver, 70_000, { on: otherId });
  await drive(holder, 70_000, { on: otherId, daysAgo: 97 });
  // Weeks of the future and those before the first one do not count.
  await drive(holder, 60_000, { daysAgo: -3 });
  await drive(holder, 65_000, { daysAgo: 98 });
  await app.db.execute(
    sql`UPDATE sign_ins SET last_seen_at = now() - interval '8 days' WHERE user_id = ${absent.userId}`,
  );
  const after = await readActivity();
  expect(after.laps.map((laps, week) => laps - (before.laps[week] ?? 0))).toEqual([
    2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4,
  ]);
  expect(after).toMatchObject({
    drivers: before.drivers + 1,
    tracks: before.tracks + 2,
    records: before.records,
    seen: before.seen - 1,
  });
  await drive(holder, 69_000, { on: otherId });
  expect(await readActivity()).toMatchObject({ drivers: before.drivers + 2, records: before.records + 1 });
  expect((await guest.get('/api/admin/activity')).statusCode).toBe(401);
  const member = app.as(await insertSignedIn(app.db));
  expect((await member.get('/api/admin/activity')).statusCode).toBe(403);
});
