import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import type { SessionId, TrackId } from '#contract/ids.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import { laps, sessions } from './schema.ts';
import { sessionBests } from '#server/model/boards/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { insertSignedIn, newLapId } from '#server/testing/builders.ts';
import { AppError } from '#server/kernel/errors.ts';
import { decideLap } from '#server/model/flags/decide-lap.ts';
import { insertComparison } from '#server/model/comparisons/saved-comparison-store.ts';
import { insertFlag } from '#server/model/flags/flag-store.ts';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { cutObject } from '#server/testing/test-storage.ts';
import { type RetimedSession, retimeSessions } from './retime.ts';

const app = useTestApp();
let workFolder: string;

beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'pitboard-retime-'));
});
afterAll(async () => {
  expect(await readdir(workFolder)).toEqual([]);
  await rm(workFolder, { recursive: true });
});

async function retime(trackId: TrackId, isDryRun = false): Promise<RetimedSession[]> {
  const { storage, lapWorkers } = app;
  const parts = { db: app.db, storage, lapWorkers, workFolder };
  const retimed: RetimedSession[] = [];
  for await (const one of retimeSessions(parts, { trackId, isDryRun })) retimed.push(one);
  return retimed;
}

async function uploadTo(trackId: string, headers: object | null = null): Promise<SessionId> {
  headers ??= (await insertSignedIn(app.db)).headers;
  const [{ sessionId }] = (await app.as({ headers }).uploadLaps(trackId, kartCsv())).json().results;
  return sessionId;
}

const storedLaps = (trackId: TrackId, sessionId: SessionId) =>
  app.db
    .select()
    .from(laps)
    .where(and(eq(laps.trackId, trackId), eq(laps.sessionId, sessionId)))
    .orderBy(laps.number);

async function boardOf(trackId: string) {
  const { rows } = await app.database.pool.query(
    'SELECT board_version::int AS version, entry_count AS "entryCount" FROM tracks WHERE id = $1',
    [trackId],
  );
  return rows[0];
}

test('laps that come out as they were stay as they are, and note the engine that confirmed them', async () => {
  const trackId = await insertKartTrack(app.db);
  const sessionId = await uploadTo(trackId);
  const before = await storedLaps(trackId, sessionId);
  await app.db.update(sessions).set({ engineVersion: 'old' }).where(eq(sessions.id, sessionId));
  const board = await boardOf(trackId);
  expect(await retime(trackId)).toMatchObject([{ outcome: 'unchanged' }]);
  expect(await storedLaps(trackId, sessionId)).toEqual(before);
  expect(await boardOf(trackId)).toEqual(board);
  const [session] = await app.db.select().from(sessions).where(eq(sessions.id, sessionId));
  expect(session?.engineVersion).toBe(ENGINE_VERSION);
});

test('laps that an earlier engine timed wrong are corrected, on the board at once, unless it is a dry run', async () => {
  const trackId = await insertKartTrack(app.db);
  const sessionId = await uploadTo(trackId);
  const right = await storedLaps(trackId, sessionId);
  await app.db
    .update(laps)
    .set({ lapTimeMs: sql`lap_time_ms + 500`, status: 'rejected', reasons: ['a_reason_of_old'] })
    .where(eq(laps.sessionId, sessionId));
  await app.db.delete(sessionBests).where(eq(sessionBests.sessionId, sessionId));
  await app.db.update(tracks).set({ entryCount: 0 }).where(eq(tracks.id, trackId));
  const wrong = await storedLaps(trackId, sessionId);
  const { version } = await boardOf(trackId);

  const [dry] = await retime(trackId, true);
  expect(dry).toMatchObject({ outcome: 'changed', session: { id: sessionId } });
  expect(await storedLaps(trackId, sessionId)).toEqual(wrong);

  const [changed] = await retime(trackId);
  if (changed?.outcome !== 'changed') throw new Error('Nothing has changed.');
  expect(changed.before.map(({ lapTimeMs }) => lapTimeMs)).toEqual(right.map((lap) => lap.lapTimeMs + 500));
  expect(changed.after.map(({ lapTimeMs }) => lapTimeMs)).toEqual(right.map((lap) => lap.lapTimeMs));
  expect(await storedLaps(trackId, sessionId)).toEqual(right);
  expect(await boardOf(trackId)).toEqual({ version: version + 1, entryCount: 1 });
  expect(await retime(trackId)).toMatchObject([{ outcome: 'unchanged' }]);
});

test('a line that has moved gives other laps, and no other track is touched', async () => {
  const trackId = await insertKartTrack(app.db);
  const other = await insertKartTrack(app.db);
  const sessionId = await uploadTo(trackId);
  const otherSession = await uploadTo(other);
  const [before, otherBefore] = [await storedLaps(trackId, sessionId), await storedLaps(other, otherSession)];
  // A line at the end of the first sector is crossed at other moments.
  const [firstSector] = KART_TRACK.sectors;
  await app.db
    .update(tracks)
    .set({ startFinishLine: firstSector, sectors: [] })
    .where(eq(tracks.id, trackId));
  expect(await retime(trackId)).toMatchObject([{ outcome: 'changed' }]);
  const after = await storedLaps(trackId, sessionId);
  expect(after[0]?.startedAt).not.toEqual(before[0]?.startedAt);
  expect(await storedLaps(other, otherSession)).toEqual(otherBefore);
});

test('a lap that is still the same drive keeps its id, under another number too; others get new ids, and old ones vanish', async () => {
  const trackId = await insertKartTrack(app.db);
  const sessionId = await uploadTo(trackId);
  const [first, second, third] = await storedLaps(trackId, sessionId);
  if (!first || !second || !third) throw new Error('The file has fewer laps than expected.');
  // An earlier engine seems to have missed the first lap, joined the others and seen one more at the end.
  const isOfSession = eq(laps.sessionId, sessionId);
  await app.db.delete(laps).where(isOfSession);
  const joinedMs = second.lapTimeMs + third.lapTimeMs;
  const afterEnd = new Date(third.startedAt.getTime() + third.lapTimeMs);
  const ghost = { ...first, id: newLapId(), number: 2, startedAt: afterEnd };
  await app.db
    .insert(laps)
    .values([{ ...third, number: 1, lapTimeMs: joinedMs, startedAt: second.startedAt }, ghost]);
  const { userId, headers } = await insertSignedIn(app.db);
  const other = await storedLaps(trackId, await uploadTo(trackId));
  const otherIds = other.slice(0, 2).map(({ id }) => id);
  await insertComparison(app.db, { userId, trackId, name: 'Gone', lapIds: [third.id, ghost.id] });
  await insertComparison(app.db, { userId, trackId, name: 'Kept', lapIds: otherIds });

  expect((await retime(trackId)).map(({ outcome }) => outcome).toSorted()).toEqual(['changed', 'unchanged']);
  const after = await storedLaps(trackId, sessionId);
  expect(after.map(({ number, lapTimeMs }) => [number, lapTimeMs])).toEqual(
    [first, second, third].map(({ number, lapTimeMs }) => [number, lapTimeMs]),
  );
  const larger = second.lapTimeMs > third.lapTimeMs ? 1 : 2;
  expect(after.map(({ id }) => id === third.id)).toEqual([false, larger === 1, larger === 2]);
  expect(after.map(({ id }) => id)).not.toContain(ghost.id);
  expect(after.map(({ id }) => id)).not.toContain(first.id);
  // A saved comparison goes with one of its laps.
  expect((await app.as({ headers }).get('/api/comparisons')).json()).toMatchObject([{ name: 'Kept' }]);

  // Laps that swap their numbers keep their ids.
  await app.db.delete(laps).where(isOfSession);
  await app.db
    .insert(laps)
    .values(after.map((lap) => ({ ...lap, number: { 1: 2, 2: 1 }[lap.number] ?? lap.number })));
  expect((await retime(trackId)).map(({ outcome }) => outcome).toSorted()).toEqual(['changed', 'unchanged']);
  expect(await storedLaps(trackId, sessionId)).toEqual(after);
});

test('a lap that its driver has left out stays out, under another number and time too, until it is put back', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const sessionId = await uploadTo(trackId, driver.headers);
  const classified = await storedLaps(trackId, sessionId);
  const [, second] = classified;
  const change = (isLeftOut: boolean) =>
    app.as(driver).patch(`/api/sessions/${sessionId}`, { laps: [{ lapId: second?.id, isLeftOut }] });
  await change(true);
  const leftOut = await storedLaps(trackId, sessionId);
  expect(leftOut[1]).toMatchObject({ status: 'rejected', reasons: ['left_out'], leftOutStatus: 'valid' });
  expect(await retime(trackId)).toMatchObject([{ outcome: 'unchanged' }]);
  expect(await storedLaps(trackId, sessionId)).toEqual(leftOut);

  // An earlier engine seems to have missed the first lap and timed the others a little differently.
  const isOfSession = eq(laps.sessionId, sessionId);
  await app.db.delete(laps).where(and(isOfSession, eq(laps.number, 1)));
  await app.db
    .update(laps)
    .set({ number: sql`number + 10`, lapTimeMs: sql`lap_time_ms + 5` })
    .where(isOfSession);
  expect(await retime(trackId)).toMatchObject([{ outcome: 'changed' }]);
  const after = await storedLaps(trackId, sessionId);
  expect(after.slice(1)).toEqual(leftOut.slice(1));
  expect((await change(false)).json()).toMatchObject({
    laps: [{}, { lapId: second?.id, isLeftOut: false }, {}],
  });
  expect((await storedLaps(trackId, sessionId)).slice(1)).toEqual(classified.slice(1));
});

test('a verdict survives retiming, under another number and time too', async () => {
  const trackId = await insertKartTrack(app.db);
  const { userId } = await insertSignedIn(app.db);
  const sessionId = await uploadTo(trackId);
  const [, second] = await storedLaps(trackId, sessionId);
  if (!second) throw new Error('There is no second lap.');
  const driver = await app.db.select().from(sessions).where(eq(sessions.id, sessionId));
  const doubt = { trackId, lapId: second.id, userId, driverId: driver[0]?.userId ?? userId };
  await insertFlag(app.db, { ...doubt, reason: 'time', sentence: 'No car is as quick.' });
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const key = { trackId, lapId: second.id };
  await decideLap(app.db, admin.userId, key, { verdict: 'reject', reason: 'It is not possible.' });
  const rejected = await storedLaps(trackId, sessionId);
  expect(rejected[1]).toMatchObject({
    status: 'rejected',
    reasons: ['rejected_by_moderator'],
    rejectedStatus: 'valid',
  });
  expect(await retime(trackId)).toMatchObject([{ outcome: 'unchanged' }]);
  const isOfSession = eq(laps.sessionId, sessionId);
  await app.db.delete(laps).where(and(isOfSession, eq(laps.number, 1)));
  await app.db
    .update(laps)
    .set({ number: sql`number + 10`, lapTimeMs: sql`lap_time_ms + 5` })
    .where(isOfSession);
  expect(await retime(trackId)).toMatchObject([{ outcome: 'changed' }]);
  expect((await storedLaps(trackId, sessionId)).slice(1)).toEqual(rejected.slice(1));
});

test('a track that turns out to lie in another time zone gives its sessions the date there', async () => {
  const trackId = await insertKartTrack(app.db);
  const sessionId = await uploadTo(trackId);
  const laps = await storedLaps(trackId, sessionId);
  await app.db.update(tracks).set({ timeZone: 'Europe/Helsinki' }).where(eq(tracks.id, trackId));
  expect(await retime(trackId)).toMatchObject([{ outcome: 'changed' }]);
  const [session] = await app.db.select().from(sessions).where(eq(sessions.id, sessionId));
  expect(session?.sessionDate).toBe('2026-06-07T00:30:00+03:00');
  expect(await storedLaps(trackId, sessionId)).toEqual(laps);
  expect(await retime(trackId)).toMatchObject([{ outcome: 'unchanged' }]);
});

test('a session whose file is lost or gives no laps any more is reported and keeps what it has', async () => {
  const trackId = await insertKartTrack(app.db);
  const [lost, lapless] = [await uploadTo(trackId), await uploadTo(await insertKartTrack(app.db))];
  const before = await storedLaps(trackId, lost);
  const keys = await listKeptFiles(app.storage);
  const [row] = await app.db
    .execute(
      sql`
    SELECT storage_key AS key FROM lap_files JOIN sessions ON sha256 = lap_file_sha256 WHERE id = ${lost}`,
    )
    .then(({ rows }) => rows);
  const key = keys.find((candidate) => candidate === row?.['key']);
  await app.storage.remove(key ?? '');
  expect(await retime(trackId)).toMatchObject([
    { outcome: 'failed', sentence: 'Its lap file is missing in the storage.' },
  ]);
  expect(await storedLaps(trackId, lost)).toEqual(before);

  const [session] = await app.db.select().from(sessions).where(eq(sessions.id, lapless));
  const lineElsewhere = { a: { lat: 0, lon: 0 }, b: { lat: 0, lon: 0.0001 }, bearingDeg: null };
  const otherTrack = session?.trackId ?? asTrackId('');
  await app.db
    .update(tracks)
    .set({ startFinishLine: lineElsewhere, sectors: [] })
    .where(eq(tracks.id, otherTrack));
  expect(await retime(otherTrack)).toMatchObject([
    { outcome: 'failed', sentence: expect.stringMatching(/^No complete laps found on /) },
  ]);
  expect(await storedLaps(otherTrack, lapless)).toHaveLength(3);
});

test('a session whose stored file is damaged is reported, and the sessions after it are retimed', async () => {
  const trackId = await insertKartTrack(app.db);
  const uploads = [await insertKartUpload(app, trackId), await insertKartUpload(app, trackId)];
  for (const { storageKey } of uploads) await cutObject(app.storage, storageKey);
  expect(await retime(trackId)).toMatchObject(
    uploads.map(() => ({ outcome: 'failed', sentence: 'Its lap file is damaged in the storage.' })),
  );
  for (const { sessionId } of uploads) expect(await storedLaps(trackId, sessionId)).toHaveLength(3);
});

test('a session that cannot be read because too many files are being read is not passed over', async () => {
  const trackId = await insertKartTrack(app.db);
  await insertKartUpload(app, trackId);
  const busy = {
    ...app.lapWorkers,
    time: () => Promise.reject(new AppError('unavailable', 'Too many wait.')),
  };
  const parts = { db: app.db, storage: app.storage, lapWorkers: busy, workFolder };
  await expect(retimeSessions(parts, { trackId, isDryRun: false }).next()).rejects.toThrow('Too many wait.');
});
