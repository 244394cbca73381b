import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { SessionId, TrackId } from '#contract/ids.ts';
import { laps } from '#server/model/laps/schema.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { deleteSession } from '#server/features/sessions/delete-session.ts';
import { insertSession, insertSignedIn, insertTrack, insertUser } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { classifySlowLaps, classifySlowLapsJob } from '#server/model/laps/classify-slow-laps.ts';

const app = useTestApp();

const SLOW = { status: 'rejected', reasons: ['slow_for_track'] } as const;
const slowLap = (lapTimeMs: number) => ({ lapTimeMs, status: SLOW.status, reasons: [...SLOW.reasons] });

async function drive(
  trackId: TrackId,
  given: Parameters<typeof insertSession>[1]['laps'],
): Promise<SessionId> {
  return await insertSession(app.db, { trackId, userId: await insertUser(app.db), laps: given });
}

/** The status of every lap of a session, after the job has run. */
async function listStatuses(trackId: TrackId, sessionId: SessionId): Promise<string[]> {
  await addJob(app.db, classifySlowLapsJob, {});
  await app.runJobs();
  const rows = await app.db
    .select({ status: laps.status })
    .from(laps)
    .where(and(eq(laps.trackId, trackId), eq(laps.sessionId, sessionId)))
    .orderBy(laps.number);
  return rows.map(({ status }) => status);
}

const entryTimes = async (trackId: string) =>
  (await app.asGuest().get(`/api/laps/track/${trackId}/best`))
    .json()
    .map(({ lapTimeMs }: { lapTimeMs: number }) => lapTimeMs);

test('a slow lap ranks once the record of the track is nearly as slow', async () => {
  const trackId = await insertTrack(app.db);
  const sessionId = await drive(trackId, [slowLap(120_000), slowLap(180_000)]);
  expect(await listStatuses(trackId, sessionId)).toEqual(['rejected', 'rejected']);
  await drive(trackId, [{ lapTimeMs: 100_000 }]);
  expect(await listStatuses(trackId, sessionId)).toEqual(['warning', 'rejected']);
  expect(await entryTimes(trackId)).toEqual([100_000, 120_000]);
});

test('laps in traffic stay unranked where the record is a racing lap, however many there are', async () => {
  const trackId = await insertTrack(app.db);
  const sessions = [
    await drive(trackId, [slowLap(200_000)]),
    await drive(trackId, [slowLap(201_000)]),
    await drive(trackId, [slowLap(202_000)]),
  ];
  await drive(trackId, [{ lapTimeMs: 90_000 }]);
  for (const sessionId of sessions) expect(await listStatuses(trackId, sessionId)).toEqual(['rejected']);
});

test('a slow lap that ranks is no record itself, and is unranked again when the record is gone', async () => {
  const trackId = await insertTrack(app.db);
  const sessionId = await drive(trackId, [slowLap(120_000), slowLap(150_000)]);
  const userId = await insertUser(app.db);
  const recordId = await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 100_000 }] });
  expect(await listStatuses(trackId, sessionId)).toEqual(['warning', 'rejected']);
  expect(await listStatuses(trackId, sessionId)).toEqual(['warning', 'rejected']);
  await deleteSession(app.db, userId, recordId);
  expect(await listStatuses(trackId, sessionId)).toEqual(['rejected', 'rejected']);
  expect(await entryTimes(trackId)).toEqual([]);
});

test('laps with anything else against them, and laps that are left out, stay as they are', async () => {
  const trackId = await insertTrack(app.db);
  await drive(trackId, [{ lapTimeMs: 100_000 }]);
  const sessionId = await drive(trackId, [
    { lapTimeMs: 110_000, status: 'rejected', reasons: ['slow_for_track', 'recorded_before'] },
    {
      lapTimeMs: 111_000,
      status: 'rejected',
      reasons: ['slow_for_track', 'left_out'],
      leftOutStatus: 'warning',
    },
  ]);
  expect(await listStatuses(trackId, sessionId)).toEqual(['rejected', 'rejected']);
});

test('laps are compared with the record when they arrive and when they are retimed', () => {
  const [near, far] = [slowLap(130_000), slowLap(130_001)];
  const other = { lapTimeMs: 90_000, status: 'valid', reasons: [] } as const;
  const classified = classifySlowLaps([near, far], 100_000);
  expect(classified.map(({ status }) => status)).toEqual(['warning', 'rejected']);
  expect(classifySlowLaps([near], null)).toEqual([near]);
  expect(classifySlowLaps([{ ...other, reasons: [] }], 80_000)).toEqual([other]);
});

test('a moderator lets a slow lap rank where its driver appeals, until the decision is undone', async () => {
  const trackId = await insertTrack(app.db);
  await drive(trackId, [{ lapTimeMs: 90_000 }]);
  const driver = await insertSignedIn(app.db);
  const moderator = await insertSignedIn(app.db, { isAdmin: true });
  const sessionId = await insertSession(app.db, {
    trackId,
    userId: driver.userId,
    laps: [slowLap(150_000), { lapTimeMs: 110_000, status: 'rejected', reasons: ['too_short'] }],
  });
  const [slow, short] = await app.db
    .select({ id: laps.id })
    .from(laps)
    .where(eq(laps.sessionId, sessionId))
    .orderBy(laps.number);
  const call = async (person: typeof driver, method: 'POST' | 'DELETE', url: string, payload?: object) =>
    (await app.as(person).send(method, url, payload)).statusCode;
  const appeal = (lapId = '') =>
    call(driver, 'POST', `/api/tracks/${trackId}/laps/${lapId}/appeal`, {
      sentence: 'A Citroën 2CV is no faster here.',
    });
  const decision = `/api/admin/tracks/${trackId}/laps/${slow?.id}/decision`;

  expect(await appeal(short?.id)).toBe(409);
  expect(await appeal(slow?.id)).toBe(200);
  expect(await call(driver, 'POST', decision, { verdict: 'keep', reason: null })).toBe(403);
  expect(await entryTimes(trackId)).toEqual([90_000]);
  expect(await call(moderator, 'POST', decision, { verdict: 'keep', reason: null })).toBe(200);
  expect(await listStatuses(trackId, sessionId)).toEqual(['warning', 'rejected']);
  expect(await entryTimes(trackId)).toEqual([90_000, 150_000]);
  expect(await appeal(slow?.id)).toBe(409);
  expect(await call(moderator, 'DELETE', decision)).toBe(200);
  expect(await entryTimes(trackId)).toEqual([90_000]);
  expect(await listStatuses(trackId, sessionId)).toEqual(['rejected', 'rejected']);
});

test('a slow lap whose decision is undone is compared with the record of then', async () => {
  const trackId = await insertTrack(app.db);
  await drive(trackId, [{ lapTimeMs: 100_000 }]);
  const sessionId = await drive(trackId, [slowLap(120_000)]);
  expect(await listStatuses(trackId, sessionId)).toEqual(['warning']);
  const moderator = await insertSignedIn(app.db, { isAdmin: true });
  const [lap] = await app.db.select({ id: laps.id }).from(laps).where(eq(laps.sessionId, sessionId));
  const flag = { reason: 'car', sentence: 'This is another car than stated.' };
  await app.as(await insertSignedIn(app.db)).post(`/api/tracks/${trackId}/laps/${lap?.id}/flags`, flag);
  const url = `/api/admin/tracks/${trackId}/laps/${lap?.id}/decision`;
  const decide = async (verdict: 'keep' | 'reject', reason: string | null) =>
    (await app.as(moderator).post(url, { verdict, reason })).statusCode;
  const undo = async () => (await app.as(moderator).delete(url)).statusCode;

  expect(await decide('keep', null)).toBe(200);
  expect(await undo()).toBe(200);
  expect(await entryTimes(trackId)).toEqual([100_000, 120_000]);
  expect(await decide('reject', 'Another car drove it.')).toBe(200);
  expect(await entryTimes(trackId)).toEqual([100_000]);
  await drive(trackId, [{ lapTimeMs: 80_000 }]);
  expect(await undo()).toBe(200);
  expect(await entryTimes(trackId)).toEqual([80_000, 100_000]);
});
