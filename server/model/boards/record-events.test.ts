import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import type { TrackId, UserId } from '#contract/ids.ts';
import { deleteAccount } from '#server/model/people/delete-people.ts';
import { deliverEvents } from '#server/model/events/deliver-events.ts';
import { deleteDelivered } from '#server/model/events/event-store.ts';
import { events } from '#server/model/events/schema.ts';
import { laps } from '#server/model/laps/schema.ts';
import { findSessionFile, deleteSessionRows } from '#server/model/laps/session-store.ts';
import { insertSession, insertTrack, insertUser } from '#server/testing/builders.ts';
import { runJobs } from '#server/testing/run-jobs.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { changeLaps } from './change-laps.ts';

const app = useTestApp();

const drive = (trackId: TrackId, userId: UserId, ...lapTimesMs: number[]) =>
  insertSession(app.db, { trackId, userId, laps: lapTimesMs.map((lapTimeMs) => ({ lapTimeMs })) });

/** The events of a track in their order, without what differs from run to run. */
async function eventsOf(trackId: TrackId) {
  const rows = await app.db.select().from(events).where(eq(events.trackId, trackId)).orderBy(events.id);
  return rows.map(({ kind, userId, otherUserId, payload }) => ({ kind, userId, otherUserId, payload }));
}

async function clearEvents(trackId: TrackId): Promise<void> {
  await app.db.delete(events).where(eq(events.trackId, trackId));
}

/** Delivers everything that waits, and gives what was delivered of a track. */
async function deliver(trackId: string): Promise<number[]> {
  const lines: { trackId: string; id: number }[] = [];
  const log = app.fastify.log.child({});
  log.info = (line: { event: { trackId: string; id: number } }) => void lines.push(line.event);
  await runJobs(app.database, [deliverEvents({ db: app.db, log, publicUrl: 'https://laps.example' })]);
  return lines.filter((line) => line.trackId === trackId).map(({ id }) => id);
}

test('a first lap is a personal best and a record; a slower one of somebody else is only the former', async () => {
  const trackId = await insertTrack(app.db);
  const [ana, bo] = [await insertUser(app.db), await insertUser(app.db)];
  const sessionId = await drive(trackId, ana, 61_000, 60_000);
  const [, best] = await app.db.select().from(laps).where(eq(laps.sessionId, sessionId)).orderBy(laps.number);
  const lap = { lapId: best?.id, lapTimeMs: 60_000, previousLapTimeMs: null };
  const own = { userId: ana, otherUserId: null };
  expect(await eventsOf(trackId)).toEqual([
    { kind: 'personal_best', ...own, payload: { ...lap, rank: 1, previousRank: null } },
    { kind: 'record_set', ...own, payload: lap },
  ]);
  await clearEvents(trackId);
  await drive(trackId, bo, 62_000);
  expect(await eventsOf(trackId)).toMatchObject([
    { kind: 'personal_best', userId: bo, payload: { rank: 2, previousRank: null } },
  ]);
  await clearEvents(trackId);
  await drive(trackId, bo, 63_000);
  expect(await eventsOf(trackId)).toEqual([]);
});

test('a lap that overtakes gives those who lost a rank, with their ranks before and after, and who held the record', async () => {
  const trackId = await insertTrack(app.db);
  const [ana, bo, cy, di] = [
    await insertUser(app.db),
    await insertUser(app.db),
    await insertUser(app.db),
    await insertUser(app.db),
  ];
  await drive(trackId, ana, 60_000);
  await drive(trackId, bo, 61_000);
  await drive(trackId, cy, 61_000);
  await drive(trackId, di, 62_000);
  await clearEvents(trackId);
  await drive(trackId, di, 60_500);
  const lost = (userId: UserId, ranks: object) => ({
    kind: 'rank_lost',
    userId,
    otherUserId: di,
    payload: { ...ranks, otherLapTimeMs: 60_500 },
  });
  const [gain, ...others] = await eventsOf(trackId);
  expect(gain).toMatchObject({
    kind: 'personal_best',
    payload: { rank: 2, previousRank: 4, previousLapTimeMs: 62_000 },
  });
  // Two drivers of one time share the second rank, and then the third.
  const ranks = { lapTimeMs: 61_000, rank: 3, previousRank: 2 };
  expect(others).toHaveLength(2);
  expect(others).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...lost(bo, ranks), payload: expect.objectContaining(ranks) }),
      expect.objectContaining({ ...lost(cy, ranks), payload: expect.objectContaining(ranks) }),
    ]),
  );
  await clearEvents(trackId);
  await drive(trackId, bo, 59_000);
  expect(await eventsOf(trackId)).toMatchObject([
    { kind: 'personal_best', userId: bo, payload: { rank: 1, previousRank: 3 } },
    { kind: 'record_set', userId: bo, otherUserId: ana, payload: { previousLapTimeMs: 60_000 } },
    { kind: 'rank_lost', userId: ana, otherUserId: bo, payload: { rank: 2, previousRank: 1 } },
    { kind: 'rank_lost', userId: di, otherUserId: bo, payload: { rank: 3, previousRank: 2 } },
    { kind: 'rank_lost', userId: cy, otherUserId: bo, payload: { rank: 4, previousRank: 3 } },
  ]);
});

test('on a long board only the ten drivers directly behind get an event', async () => {
  const trackId = await insertTrack(app.db);
  for (let index = 0; index < 12; index++) await drive(trackId, await insertUser(app.db), 70_000 + index);
  await clearEvents(trackId);
  const fast = await insertUser(app.db);
  await drive(trackId, fast, 60_000);
  const lost = (await eventsOf(trackId)).filter(({ kind }) => kind === 'rank_lost');
  expect(lost.map(({ payload }) => payload)).toMatchObject(
    Array.from({ length: 10 }, (_, index) => ({ lapTimeMs: 70_000 + index, rank: index + 2 })),
  );
});

test('a deleted best lap makes an event, and the events of its session are removed', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db);
  await drive(trackId, userId, 62_000);
  await clearEvents(trackId);
  const sessionId = await drive(trackId, userId, 60_000);
  expect(await eventsOf(trackId)).toHaveLength(2);
  const file = await findSessionFile(app.db, sessionId);
  await app.db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [userId] }, async () => file && deleteSessionRows(tx, file)),
  );
  expect(await eventsOf(trackId)).toMatchObject([
    { kind: 'lap_removed', userId, payload: { lapTimeMs: 60_000, nextLapTimeMs: 62_000 } },
  ]);
});

test('a removed account takes its events along, and is named in no event of others', async () => {
  const trackId = await insertTrack(app.db);
  const [stays, goes] = [await insertUser(app.db), await insertUser(app.db)];
  await drive(trackId, goes, 61_000);
  await drive(trackId, stays, 60_000);
  await deleteAccount(app.db, goes);
  const left = await eventsOf(trackId);
  expect(left.map(({ kind }) => kind)).toEqual(['personal_best', 'record_set']);
  expect(JSON.stringify(left)).not.toContain(goes);
});

test('a change that fails, is to be silent or only corrects times makes no event', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db);
  await drive(trackId, userId, 62_000);
  await clearEvents(trackId);
  const correct = (recorded: 'removals' | 'none', lapTimeMs: number) =>
    app.db.transaction((tx) =>
      changeLaps(tx, { trackId, userIds: [userId], recorded }, () =>
        tx.update(laps).set({ lapTimeMs }).where(eq(laps.trackId, trackId)),
      ),
    );
  await correct('removals', 61_000);
  await correct('removals', 63_000);
  await correct('none', 60_000);
  const failing = app.db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [userId] }, async () => {
      await tx.update(laps).set({ lapTimeMs: 59_000 }).where(eq(laps.trackId, trackId));
      throw new Error('the change failed');
    }),
  );
  await expect(failing).rejects.toThrow('the change failed');
  expect(await eventsOf(trackId)).toEqual([]);
  await app.db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [userId], recorded: 'removals' }, () =>
      tx.update(laps).set({ status: 'rejected' }).where(eq(laps.trackId, trackId)),
    ),
  );
  expect(await eventsOf(trackId)).toMatchObject([{ kind: 'lap_removed', payload: { nextLapTimeMs: null } }]);
});

test('every event of many uploads at once is delivered once, in the order of its board', async () => {
  const trackIds = [await insertTrack(app.db), await insertTrack(app.db)];
  await deliver('none');
  const drivers = await Promise.all(Array.from({ length: 8 }, () => insertUser(app.db)));
  await Promise.all(
    drivers.flatMap((userId, index) =>
      trackIds.map((trackId) => drive(trackId, userId, 70_000 - 100 * ((index * 5) % 8))),
    ),
  );
  for (const trackId of trackIds) {
    const rows = await app.db.select().from(events).where(eq(events.trackId, trackId)).orderBy(events.id);
    expect(rows.filter(({ kind }) => kind === 'personal_best')).toHaveLength(drivers.length);
    // Each event starts from the rank that the events before it left.
    const records = rows.filter(({ kind }) => kind === 'record_set').map(({ payload }) => Object(payload));
    expect(records.map(({ lapTimeMs }) => lapTimeMs)).toEqual(
      records.map(({ lapTimeMs }) => lapTimeMs).toSorted((a: number, b: number) => b - a),
    );
    expect(records.slice(1).map(({ previousLapTimeMs }) => previousLapTimeMs)).toEqual(
      records.slice(0, -1).map(({ lapTimeMs }) => lapTimeMs),
    );
  }
  const ids = (
    await app.db
      .select()
      .from(events)
      .where(eq(events.trackId, trackIds[0] ?? asTrackId('')))
  ).map(({ id }) => id);
  const [first, second] = await Promise.all([
    deliver(trackIds[0] ?? asTrackId('')),
    deliver(trackIds[0] ?? asTrackId('')),
  ]);
  const inOrder = ids.toSorted((a, b) => a - b);
  expect([...first, ...second].toSorted((a, b) => a - b)).toEqual(inOrder);
  for (const delivered of [first, second]) expect(delivered).toEqual(delivered.toSorted((a, b) => a - b));
  expect(await deliver(trackIds[0] ?? asTrackId(''))).toEqual([]);

  await deleteDelivered(app.db, 30);
  expect(await eventsOf(trackIds[0] ?? asTrackId(''))).toHaveLength(ids.length);
  await app.db
    .update(events)
    .set({ deliveredAt: new Date(0) })
    .where(eq(events.trackId, trackIds[0] ?? asTrackId('')));
  await deleteDelivered(app.db, 30);
  expect(await eventsOf(trackIds[0] ?? asTrackId(''))).toEqual([]);
});
