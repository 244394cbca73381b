import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listWrongSessionBests } from '#server/testing/session-bests.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { openDatabase, type OpenDatabase } from '#server/kernel/database/database.ts';
import { defineJob } from '#server/kernel/jobs/job.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import {
  ageSignIns,
  insertApiToken,
  insertPendingFile,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  type SignedIn,
  signIn,
} from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { insertEntered } from '#server/testing/race-events.ts';
import { runJobs } from '#server/testing/run-jobs.ts';
import { type Person, startTestApp, TEST_COOKIE_SECRET, useTestApp } from '#server/testing/test-app.ts';
import { useTestDatabase } from '#server/testing/test-database.ts';
import { openTestStorage } from '#server/testing/test-storage.ts';
import { z } from 'zod';
import type { TrackId } from '#contract/ids.ts';
import { makeBackup } from './make-backup.ts';
import { manifestKey, proofKey, tableKey } from './manifest.ts';
import { deriveBackupKey, signManifest } from './backup-signature.ts';
import { readManifest } from './list-backups.ts';
import { withTablesHeld } from './restore-store.ts';
import { restoreBackups } from './restore-job.ts';
import { saveText } from './stored-objects.ts';

const source = useTestDatabase();
let folder: string;
let target: Storage;
afterAll(() => rm(folder, { recursive: true }));
const app = useTestApp(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-restore-'));
  target = await openTestStorage(join(folder, 'target'));
  return { database: source.database, backupTarget: { name: folder, storage: target } };
});
let otherPool: OpenDatabase;
afterAll(() => otherPool.close());
const other = useTestApp(() => {
  otherPool = openDatabase(source.connectionString);
  return { database: otherPool, backupTarget: { name: folder, storage: target } };
});
let trackId: TrackId;
let owner: SignedIn;

beforeAll(async () => {
  trackId = await insertTrack(app.db);
  owner = await insertSignedIn(app.db, { role: 'owner' });
  for (let index = 0; index < 5; index += 1) await drive(60_000 + index);
});
afterAll(async () => {
  expect(await listWrongSessionBests(app.db)).toEqual([]);
});

const query = async (text: string) => (await source.database.pool.query(text)).rows;
const drive = async (lapTimeMs: number, on = trackId) =>
  insertSession(app.db, { trackId: on, userId: await insertUser(app.db), laps: [{ lapTimeMs }] });
const parts = () => ({
  connectionString: source.directConnectionString,
  storage: app.storage,
  target,
  version: '1.2.3',
  key: deriveBackupKey(TEST_COOKIE_SECRET),
  workFolder: app.incomingFolder,
  log: pino({ level: 'silent' }),
});
const runRestore = () => runJobs(source.database, [restoreBackups(parts())]);

const ask = (name: string, who: Person = owner) => app.as(who).post(`/api/admin/backups/${name}/restore`);
const readList = async () => (await other.as(owner).get('/api/admin/backups')).json();

/** Restores a backup as far as it goes; gives what is said of it. */
async function restore(name: string) {
  expect((await ask(name)).json()).toEqual({ started: true });
  await runRestore();
  return (await readList()).restore;
}

const readBoards = (headers = {}) =>
  Promise.all([app, other].map((copy) => copy.asGuest().get(`/api/laps/track/${trackId}/best`, headers)));

const later = defineJob({ name: 'greet-later', payload: z.object({}) });

/** Drives until it is stopped; gives the lap times that were acknowledged, of drivers who may be gone when they arrive. */
async function driveOn(trackId: TrackId, stop: AbortSignal): Promise<number[]> {
  const arrived: number[] = [];
  for (let lapTimeMs = 50_000; !stop.aborted; lapTimeMs += 1)
    await drive(lapTimeMs, trackId).then(
      () => arrived.push(lapTimeMs),
      () => undefined,
    );
  return arrived;
}

const listTimes = async (trackId: string): Promise<number[]> =>
  (
    await query(
      `SELECT lap_time_ms AS "lapTimeMs" FROM laps WHERE track_id = '${trackId}' ORDER BY lap_time_ms`,
    )
  ).map(({ lapTimeMs }) => lapTimeMs);

test('a restore under load brings the very boards of the backup to all copies, and can be undone without a lost lap', async () => {
  const uploaded = await app.as(owner).uploadLaps(await insertKartTrack(app.db), kartCsv());
  expect(uploaded.statusCode).toBe(200);
  const otherTrack = await insertTrack(app.db);
  const [before] = await readBoards();
  const name = await makeBackup(parts(), new Date('2026-06-07T02:23:00.000Z'));
  const [lapFile = ''] = await listKeptFiles(app.storage);
  await app.storage.remove(lapFile);
  // The test makes as many changes as come back later: a mere count of changes would give the same version to other laps.
  await drive(59_000, trackId);
  const [changed] = await readBoards();
  expect(changed?.body).not.toBe(before?.body);

  const stop = new AbortController();
  const driving = driveOn(otherTrack, stop.signal);
  const { step, undoName, problem } = await restore(name);
  stop.abort();
  const arrived = await driving;
  expect({ step, problem }).toEqual({ step: 'done', problem: null });
  const known = { 'if-none-match': String(changed?.headers.etag) };
  for (const board of await readBoards(known)) {
    expect(board.statusCode).toBe(200);
    expect(board.body).toBe(before?.body);
  }
  expect(await listKeptFiles(app.storage)).toEqual([lapFile]);
  const timesAfter = await listTimes(otherTrack);
  // The restore is followed by one change, as the backup was.
  await drive(58_000, trackId);
  for (const board of await readBoards(known)) expect(board.json()[0].lapTimeMs).toBe(58_000);

  expect((await restore(undoName)).step).toBe('done');
  for (const board of await readBoards()) expect(board.body).toBe(changed?.body);
  const times = [...(await listTimes(otherTrack)), ...timesAfter];
  expect(times.toSorted((a, b) => a - b)).toEqual(arrived);
});

test('revoked tokens and sign-ins do not come back, nothing is sent again, and the log has the restore', async () => {
  const { db: database } = source.database;
  const revoked = await insertSignedIn(database);
  const [token, revokedToken] = [
    await insertApiToken(database, owner.userId),
    await insertApiToken(database, owner.userId),
  ];
  await insertPendingFile(database, revoked.userId);
  await query(`
    INSERT INTO webhooks (id, url, events, format, secret)
    VALUES ('${WEBHOOK_ID}', 'https://hooks.example', '{}', 'pitboard', 'secret');
    INSERT INTO webhook_deliveries (webhook_id, event, body) VALUES ('${WEBHOOK_ID}', 'test', '{}')`);
  await query('UPDATE events SET delivered_at = NULL');
  const name = await makeBackup(parts(), new Date('2026-06-08T02:23:00.000Z'));
  await query(`DELETE FROM api_tokens WHERE id = '${revokedToken?.id}'`);
  await query(`DELETE FROM sign_ins WHERE user_id = '${revoked.userId}'`);
  await query('DELETE FROM webhooks');
  await addJob(database, later, {}, { delaySeconds: 3_600 });

  const { undoName } = await restore(name);
  const answers = [owner, revoked, token, revokedToken].map((who) => other.as(who).get('/api/user-cars'));
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 401, 200, 401]);
  expect(await query('SELECT FROM sign_ins')).toHaveLength(1);
  expect(await query('SELECT FROM graphile_worker.jobs')).toEqual([]);
  expect(await query('SELECT FROM events WHERE delivered_at IS NULL')).toEqual([]);
  expect(await query('SELECT FROM pending_files')).toEqual([]);
  expect(await query('SELECT state FROM webhook_deliveries')).toEqual([{ state: 'failed' }]);
  const { entries } = (await app.as(owner).get(AUDIT_LOG)).json();
  expect(entries[0]).toMatchObject({
    userId: owner.userId,
    subject: undoName,
    changes: { backup: [undoName, name] },
  });
});

test('provisional results that a restore brings back become official', async () => {
  const { eventId } = await insertEntered(app.db, owner.userId, 'provisional');
  await query(`UPDATE race_events SET provisional_until = now() + interval '1 hour' WHERE id = '${eventId}'`);
  const name = await makeBackup(parts(), new Date('2026-06-08T03:23:00.000Z'));
  await restore(name);
  const waiting = await query(`
    SELECT run_at > now() + interval '50 minutes' AS "isLater" FROM graphile_worker.jobs
    WHERE key = 'make-event-official ${eventId}'`);
  expect(waiting).toEqual([{ isLater: true }]);
  await query(`DELETE FROM race_events WHERE id = '${eventId}'`);
});

const AUDIT_LOG = '/api/admin/audit-log?action=restore-backup';
const WEBHOOK_ID = '6f1c7d2e-7a51-4e0f-9d3c-0a3b8a3f1c55';

test('a restore that fails leaves everything as it was and says why, and so does one whose server was killed', async () => {
  const name = await makeBackup(parts(), new Date('2026-06-09T02:23:00.000Z'));
  await drive(57_000, trackId);
  const [before] = await readBoards();
  const path = join(folder, 'damaged');
  await writeFile(path, 'no gzip');
  await target.put(tableKey(name, 'laps'), path);
  const failed = await restore(name);
  expect(failed).toMatchObject({
    name,
    step: 'failed',
    problem: expect.stringContaining('incorrect header'),
  });
  for (const board of await readBoards()) expect(board.body).toBe(before?.body);
  // New rows get numbers that the undone ones do not have.
  await drive(56_000, trackId);

  await saveText(parts(), 'restore.json', JSON.stringify({ ...failed, step: 'database', problem: null }));
  expect((await readList()).restore).toMatchObject({
    step: 'failed',
    problem: 'The server ended during it.',
  });
  await query('SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))');
});

test('while a restore holds the tables, boards are read and changes are refused with 503', async () => {
  const leaving = await signIn(app.db, owner.userId);
  await withTablesHeld(source.directConnectionString, async () => {
    for (const board of await readBoards()) expect(board.statusCode).toBe(200);
    for (const copy of [app, other]) {
      const call = await copy.as(owner).post('/api/upload');
      expect([call.statusCode, call.headers['retry-after']]).toEqual([503, '60']);
      expect(call.json().message).toContain('A backup is being restored');
    }
    expect((await app.as({ headers: leaving }).post('/api/logout')).statusCode).toBe(200);
  });
  expect((await app.as(owner).post('/api/upload')).statusCode).not.toBe(503);
});

test('only an owner who signed in just now restores a backup that is there, once at a time', async () => {
  const name = await makeBackup(parts(), new Date('2026-06-10T02:23:00.000Z'));
  const status = async (who: Person, wanted = name) => (await ask(wanted, who)).statusCode;
  expect(await status(null)).toBe(401);
  for (const role of ['member', 'moderator', 'admin'] as const)
    expect([role, await status(await insertSignedIn(app.db, { role }))]).toEqual([role, 403]);
  expect(await status(await insertApiToken(app.db, owner.userId, ['admin']))).toBe(403);
  const stale = await insertSignedIn(app.db, { role: 'owner' });
  await ageSignIns(app.db, stale.userId);
  expect((await ask(name, stale)).json()).toMatchObject({ error: 'confirmation_needed' });

  expect(await status(owner, '..%2Fmanifest')).toBe(400);
  expect(await status(owner, 'backup-20200101-000000-000')).toBe(404);
  await saveText(
    parts(),
    proofKey(name),
    JSON.stringify({ provenAt: '2026-06-10T02:24:00.000Z', problem: 'No.' }),
  );
  expect((await ask(name)).json().message).toBe('This backup does not restore.');
  await target.remove(proofKey(name));
  const manifest = await readManifest(target, name);
  const { signature: _signature, ...unsigned } = manifest;
  const older = signManifest({ ...unsigned, migrations: 3 }, parts().key);
  await saveText(parts(), manifestKey(name), JSON.stringify(older));
  expect((await ask(name)).json().message).toContain('Restore this backup with Pitboard 1.2.3');
  await saveText(parts(), manifestKey(name), JSON.stringify(manifest));

  const both = await Promise.all([status(owner), status(owner)]);
  expect(both.toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await readList()).restore).toMatchObject({ name, step: 'waiting' });
  await runRestore();
  const without = await startTestApp({ database: source.database });
  const refused = await without.as(owner).post(`/api/admin/backups/${name}/restore`);
  expect(refused.statusCode).toBe(409);
});
