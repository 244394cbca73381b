import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { asSessionId } from '#contract/testing/ids.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { deletedSessions, lapFiles } from '#server/model/laps/schema.ts';
import { sweepOrphans } from '#server/model/laps/sweep-orphans.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { upsertSessionVideo } from '#server/model/videos/video-store.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { DRIVEN_AT_MS, insertKartTrack, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { deleteForGood } from '#server/testing/leave.ts';
import { passMinute } from '#server/testing/pass-minute.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

let seed = 500;

/** Uploads a drive at a top speed in metres per second. */
async function drive(who: SignedIn, trackId: TrackId, topSpeedMetersPerSecond: number) {
  const around = { leadInMeters: 60, leadOutMeters: 60, startTimeMs: DRIVEN_AT_MS + ++seed * 3_600_000 };
  const driven = simulateDrive(KART_TRACK, { seed, laps: 3, topSpeedMetersPerSecond, ...around });
  const file = { name: 'laps.csv', content: writeGenericCsv(driven, {}) };
  const [result] = (await app.as(who).uploadLaps(trackId, file)).json().results;
  if (!result.success) throw new Error(result.error);
  return { sessionId: String(result.sessionId), lapId: String(result.bestLapId), file };
}

/** Inserts a track with a record that was taken from another driver, who has a notice and a saved comparison of it. */
async function insertRecord() {
  const trackId = await insertKartTrack(app.db, { outline: null });
  const [driver, other] = [await insertSignedIn(app.db), await insertSignedIn(app.db)];
  const slow = await drive(other, trackId, 18);
  const fast = await drive(driver, trackId, 25);
  await app.runJobs();
  const lapIds = [fast.lapId, slow.lapId];
  const saved = await app.as(other).post('/api/comparisons', { name: 'Both', trackId, lapIds });
  expect(saved.statusCode).toBe(200);
  const session = { trackId, sessionId: asSessionId(fast.sessionId) };
  await upsertSessionVideo(app.db, session, { key: 'onboard', anchors: [] });
  return { trackId, driver, other, slow, ...fast };
}

type Inserted = Awaited<ReturnType<typeof insertRecord>>;

const remove = async ({ driver, sessionId }: Pick<Inserted, 'driver' | 'sessionId'>) =>
  expect((await app.as(driver).delete(`/api/sessions/${sessionId}`)).statusCode).toBe(200);
const restore = async (sessionId: string, who: Person) =>
  await app.as(who).delete(`/api/sessions/${sessionId}/deletion`);
const board = async (trackId: TrackId) => (await guest.get(`/api/laps/track/${trackId}/best`)).json();

async function findTrackRow(trackId: TrackId) {
  const [row] = await app.db.select().from(tracks).where(eq(tracks.id, trackId));
  return row ?? expect.unreachable();
}

/** Returns every row that a session may have, as the database writes it. */
async function listRows({ trackId, driver }: Inserted): Promise<string[]> {
  const tables = [
    'sessions',
    'laps',
    'session_videos',
    'session_bests',
    'events',
    'notices',
    'saved_comparisons',
  ];
  const found: string[] = [];
  for (const table of tables) {
    const name = sql.identifier(table);
    const { rows } = await app.db.execute(
      sql`SELECT to_jsonb(${name})::text AS text FROM ${name} WHERE track_id = ${trackId} AND
        ${table === 'events' ? sql`kind <> 'lap_removed'` : sql`TRUE`} ORDER BY 1`,
    );
    found.push(...rows.map((row) => `${table}: ${String(row['text'])}`));
  }
  const files = await app.db.select().from(lapFiles).where(eq(lapFiles.userId, driver.userId));
  return [...found, ...files.map((file) => JSON.stringify(file))];
}

test('a deleted session comes back as it was: ranks, laps, events, notices, comparisons, drawing, file and traces', async () => {
  const record = await insertRecord();
  const { trackId, driver, sessionId, lapId } = record;
  const rows = await listRows(record);
  expect(rows.map((row) => row.split(':')[0])).toEqual(expect.arrayContaining(['events', 'notices']));
  const [records, files, track] = [
    await board(trackId),
    await listKeptFiles(app.storage),
    await findTrackRow(trackId),
  ];
  expect(track.thinOutlineSessionId).toBe(sessionId);

  await remove(record);
  expect(await board(trackId)).toHaveLength(1);
  expect(await listRows(record)).not.toEqual(rows);
  expect((await guest.get(`/api/tracks/${trackId}/laps/${lapId}/trace`)).statusCode).toBe(404);
  const deleted = await findTrackRow(trackId);
  expect(deleted).toMatchObject({ boardVersion: track.boardVersion + 1, thinOutline: null, entryCount: 1 });

  const response = await restore(sessionId, driver);
  expect(response.json()).toEqual({ restored: true });
  expect(await listRows(record)).toEqual(rows);
  expect(await board(trackId)).toEqual(records);
  expect(await listKeptFiles(app.storage)).toEqual(files);
  expect((await guest.get(`/api/tracks/${trackId}/laps/${lapId}/trace`)).statusCode).toBe(200);
  expect(await findTrackRow(trackId)).toEqual({ ...track, boardVersion: track.boardVersion + 2 });
  // The job of the deletion finds nothing to delete any more.
  await passMinute(app);
  expect(await listKeptFiles(app.storage)).toEqual(files);
  expect((await restore(sessionId, driver)).statusCode).toBe(404);
});

test('a restored session gives no new notice and no new event', async () => {
  const record = await insertRecord();
  await remove(record);
  await restore(record.sessionId, record.driver);
  const before = await listRows(record);
  await app.runJobs();
  expect(await listRows(record)).toEqual(before);
});

test('once the minute is over, a deletion is final: nothing of the session is stored, and its file can be uploaded again', async () => {
  const record = await insertRecord();
  const { trackId, driver, sessionId, lapId, file } = record;
  const [key] = await listKeptFiles(app.storage);
  const files = await listKeptFiles(app.storage);
  await remove(record);
  expect(await listKeptFiles(app.storage)).toContain(key);
  expect(await sweepOrphans(app.storage, app.db, 0)).toBe(0);
  await passMinute(app);
  expect(await listKeptFiles(app.storage)).toHaveLength(files.length - 1);
  expect(await app.db.$count(deletedSessions)).toBe(0);
  expect((await restore(sessionId, driver)).statusCode).toBe(404);
  expect((await guest.get(`/api/tracks/${trackId}/laps/${lapId}`)).statusCode).toBe(404);
  expect((await app.as(driver).uploadLaps(trackId, file)).json().results).toMatchObject([{ success: true }]);
});

test('the minute counts, not the job: a call that comes later is refused while the rows are still here', async () => {
  const record = await insertRecord();
  await remove(record);
  await app.db.update(deletedSessions).set({ deletedAt: sql`now() - interval '66 seconds'` });
  expect((await restore(record.sessionId, record.driver)).statusCode).toBe(404);
  expect(await board(record.trackId)).toHaveLength(1);
});

test('a file that was uploaded again within the minute stays, and the deleted session is not restored', async () => {
  const record = await insertRecord();
  const { trackId, driver, sessionId, file } = record;
  await remove(record);
  const [again] = (await app.as(driver).uploadLaps(trackId, file)).json().results;
  expect(again).toMatchObject({ success: true });
  const before = await board(trackId);
  const response = await restore(sessionId, driver);
  expect(response.statusCode).toBe(409);
  expect(response.json().message).toBe('The lap file of this session was uploaded again meanwhile.');
  expect(await board(trackId)).toEqual(before);
  await passMinute(app);
  expect((await guest.get(`/api/tracks/${trackId}/laps/${again.bestLapId}/trace`)).statusCode).toBe(200);
});

test('on a track that is gone, no session is restored', async () => {
  const record = await insertRecord();
  const { trackId, driver, other, slow, sessionId } = record;
  await remove(record);
  await remove({ driver: other, sessionId: slow.sessionId });
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  expect((await app.as(admin).delete(`/api/admin/tracks/${trackId}`)).statusCode).toBe(200);
  expect((await restore(sessionId, driver)).statusCode).toBe(409);
  await passMinute(app);
});

test('a track that was redefined within the minute times the restored session again', async () => {
  const record = await insertRecord();
  await remove(record);
  await app.db
    .update(tracks)
    .set({ definedAt: sql`now() + interval '1 second'` })
    .where(eq(tracks.id, record.trackId));
  expect((await restore(record.sessionId, record.driver)).statusCode).toBe(200);
  expect((await findTrackRow(record.trackId)).retimeDueAt).not.toBeNull();
});

test('only its driver restores a session: guests get 401, others and administrators 403, wrong ids 400 and 404', async () => {
  const record = await insertRecord();
  const { sessionId, driver, other } = record;
  expect((await restore(sessionId, driver)).statusCode).toBe(404);
  await remove(record);
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  expect((await restore(sessionId, null)).statusCode).toBe(401);
  expect((await restore(sessionId, other)).statusCode).toBe(403);
  expect((await restore(sessionId, admin)).statusCode).toBe(403);
  expect((await restore('no-id', driver)).statusCode).toBe(400);
  expect((await restore('00000000-0000-4000-8000-000000000000', driver)).statusCode).toBe(404);
  expect((await restore(sessionId, driver)).statusCode).toBe(200);
});

test('of two calls at once that delete or restore, one succeeds', async () => {
  const record = await insertRecord();
  const { sessionId, driver, trackId } = record;
  const calls = (url: string) => [1, 2, 3].map(async () => (await app.as(driver).delete(url)).statusCode);
  const deletions = await Promise.all(calls(`/api/sessions/${sessionId}`));
  expect(deletions.toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
  const restorations = await Promise.all(calls(`/api/sessions/${sessionId}/deletion`));
  expect(restorations.toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
  expect(await board(trackId)).toHaveLength(2);
});

test('nothing of a driver who is deleted stays in a session that can be restored', async () => {
  const record = await insertRecord();
  await remove(record);
  const stored = async () => JSON.stringify(await app.db.select().from(deletedSessions));
  expect(await stored()).toContain(record.other.userId);
  await deleteForGood(app, record.other);
  expect(await stored()).not.toContain(record.other.userId);
  expect((await restore(record.sessionId, record.driver)).statusCode).toBe(200);
  expect(await board(record.trackId)).toHaveLength(1);

  await remove(record);
  const files = await listKeptFiles(app.storage);
  await deleteForGood(app, record.driver);
  expect(await app.db.$count(deletedSessions)).toBe(0);
  expect(await listKeptFiles(app.storage)).toHaveLength(files.length - 1);
});
