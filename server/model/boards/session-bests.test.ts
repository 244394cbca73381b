import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { deleteAccount } from '#server/model/people/delete-people.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { sessionBests } from './schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { deleteSession } from '#server/features/sessions/delete-session.ts';
import { listSessions } from '#server/model/laps/session-store.ts';
import {
  insertCarModel,
  insertSession,
  insertTrack,
  insertUser,
  insertUserCar,
} from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { updatePreferences } from '#server/model/people/user-store.ts';
import { changeLaps } from './change-laps.ts';
import { listWrongSessionBests, rebuildSessionBests } from '#server/testing/session-bests.ts';

const app = useTestApp();

const lapsOf = (...timesMs: number[]) => timesMs.map((lapTimeMs) => ({ lapTimeMs }));

async function bestsOf(trackId: TrackId) {
  const rows = await app.db.select().from(sessionBests).where(eq(sessionBests.trackId, trackId));
  return rows
    .toSorted((a, b) => a.lapTimeMs - b.lapTimeMs)
    .map(({ lapTimeMs, lapCount, sameCarLapCount }) => [lapTimeMs, lapCount, sameCarLapCount]);
}

async function entryCount(trackId: TrackId) {
  const [row] = await app.db.select().from(tracks).where(eq(tracks.id, trackId));
  return row?.entryCount;
}

test.each(['valid', 'warning', 'rejected', 'incomplete'] as const)(
  'boards and lists of sessions count a lap with the status %s exactly where the engine ranks it',
  async (status) => {
    const trackId = await insertTrack(app.db);
    const userId = await insertUser(app.db);
    await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 61_000, status }] });
    const [session] = await listSessions(app.database.pool, userId, userId);
    const bestLapTimeMs = isRanking({ status }) ? 61_000 : null;
    expect((await bestsOf(trackId)).map(([lapTimeMs]) => lapTimeMs)).toEqual(
      bestLapTimeMs === null ? [] : [bestLapTimeMs],
    );
    expect(session).toMatchObject({ bestLapTimeMs });
  },
);

test('the best ranking lap of each session is kept, and the best lap of a car on its tyres counts for all its sessions', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db);
  const carModelId = await insertCarModel(app.db);
  // Two cars of one model are alike; another set of tyres is not.
  const [one, other] = [
    await insertUserCar(app.db, { userId, carModelId }),
    await insertUserCar(app.db, { userId, carModelId }),
  ];
  const of = { trackId, userId, tireCompound: 'rcomp' as const };
  await insertSession(app.db, { ...of, userCarId: one, laps: lapsOf(61_000, 62_000, 63_000) });
  await insertSession(app.db, {
    ...of,
    userCarId: other,
    laps: [{ lapTimeMs: 59_000, status: 'rejected' }, ...lapsOf(60_500, 64_000)],
  });
  await insertSession(app.db, { ...of, userCarId: one, tireCompound: 'full-slick', laps: lapsOf(60_700) });
  await insertSession(app.db, {
    ...of,
    userCarId: null,
    laps: [{ lapTimeMs: 58_000, status: 'incomplete' }],
  });
  expect(await bestsOf(trackId)).toEqual([
    [60_500, 2, 5],
    [60_700, 1, 1],
    [61_000, 3, null],
  ]);
  expect(await entryCount(trackId)).toBe(1);
});

test('the next best session counts for the others after the best one is removed', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db);
  await insertSession(app.db, { trackId, userId, laps: lapsOf(61_000, 62_000) });
  const fastest = await insertSession(app.db, { trackId, userId, laps: lapsOf(60_000) });
  expect(await bestsOf(trackId)).toEqual([
    [60_000, 1, 3],
    [61_000, 2, null],
  ]);
  await deleteSession(app.db, userId, fastest);
  expect(await bestsOf(trackId)).toEqual([[61_000, 2, 2]]);
});

test('laps that are timed otherwise, and that no longer rank, change what is kept', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db);
  const sessionId = await insertSession(app.db, { trackId, userId, laps: lapsOf(61_000, 62_000) });
  const change = async (number: number, values: Partial<typeof laps.$inferInsert>) => {
    const isLap = and(eq(laps.trackId, trackId), eq(laps.sessionId, sessionId), eq(laps.number, number));
    await app.db.transaction((tx) =>
      changeLaps(tx, { trackId, userIds: [userId] }, () => tx.update(laps).set(values).where(isLap)),
    );
  };
  await change(1, { lapTimeMs: 61_500 });
  expect(await bestsOf(trackId)).toEqual([[61_500, 2, 2]]);
  await change(1, { status: 'rejected' });
  expect(await bestsOf(trackId)).toEqual([[62_000, 1, 1]]);
  await change(2, { status: 'rejected' });
  expect(await bestsOf(trackId)).toEqual([]);
  expect(await entryCount(trackId)).toBe(0);
});

test('a driver who takes another name, or leaves, does so on every board', async () => {
  const [one, two] = [await insertTrack(app.db), await insertTrack(app.db)];
  const [userId, stays] = [await insertUser(app.db), await insertUser(app.db)];
  for (const trackId of [one, two]) {
    await insertSession(app.db, { trackId, userId, laps: lapsOf(61_000) });
    await insertSession(app.db, { trackId, userId: stays, laps: lapsOf(62_000) });
  }
  await updatePreferences(app.db, userId, { displayName: 'Somebody Else' });
  const named = await app.db.select().from(sessionBests).where(eq(sessionBests.userId, userId));
  expect(named.map(({ driverName }) => driverName)).toEqual(['Somebody Else', 'Somebody Else']);
  await deleteAccount(app.db, userId);
  expect(await bestsOf(one)).toEqual([[62_000, 1, 1]]);
  expect(await entryCount(two)).toBe(1);
});

test('a session best that is not what the laps say is found, and rebuilding mends it', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db);
  const sessionId = await insertSession(app.db, { trackId, userId, laps: lapsOf(61_000) });
  expect(await listWrongSessionBests(app.db)).toEqual([]);
  const spoilers = [
    () => app.db.update(laps).set({ lapTimeMs: 60_000 }).where(eq(laps.sessionId, sessionId)),
    () => app.db.update(sessions).set({ tireCompound: 'rcomp' }).where(eq(sessions.id, sessionId)),
    () => app.db.update(users).set({ displayName: 'Unheard' }).where(eq(users.id, userId)),
    () => app.db.delete(sessionBests).where(eq(sessionBests.sessionId, sessionId)),
  ];
  for (const spoil of spoilers) {
    await spoil();
    expect(await listWrongSessionBests(app.db)).toEqual([sessionId]);
    await rebuildSessionBests(app.db);
    expect(await listWrongSessionBests(app.db)).toEqual([]);
  }
});
