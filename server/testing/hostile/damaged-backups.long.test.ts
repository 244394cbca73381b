import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { backupJob, makeBackups } from '#server/features/operations/backups/backup-jobs.ts';
import { deriveBackupKey, signManifest } from '#server/features/operations/backups/backup-signature.ts';
import { listBackupNames, readManifest } from '#server/features/operations/backups/list-backups.ts';
import { makeBackup } from '#server/features/operations/backups/make-backup.ts';
import { manifestKey, proofKey, tableKey } from '#server/features/operations/backups/manifest.ts';
import { restoreBackups } from '#server/features/operations/backups/restore-job.ts';
import {
  deleteLeftProofs,
  withThrowAwayDatabase,
} from '#server/features/operations/backups/throw-away-store.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { openDiskStorage } from '#server/kernel/storage/disk-storage.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { insertSignedIn, insertTrack, type SignedIn } from '../builders.ts';
import { runJobs } from '../run-jobs.ts';
import { startTestApp, TEST_COOKIE_SECRET, useTestApp } from '../test-app.ts';
import { useTestDatabase } from '../test-database.ts';

// A folder of backups on the days on which backups are needed: files that were cut off, a disk that cannot be read, and somebody
// who may write there.

const source = useTestDatabase();
let folder: string;
let target: Storage;
afterAll(() => rm(folder, { recursive: true }));
const app = useTestApp(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-damaged-'));
  target = openDiskStorage(join(folder, 'target'));
  return { database: source.database, backupTarget: { name: folder, storage: target } };
});
let owner: SignedIn;
let good: string;

beforeAll(async () => {
  await insertTrack(app.db);
  owner = await insertSignedIn(app.db, { role: 'owner' });
});
beforeEach(async () => {
  await rm(join(folder, 'target'), { recursive: true, force: true });
  good = await makeBackup(deps(), new Date('2026-06-07T02:23:00.000Z'));
});

const key = deriveBackupKey(TEST_COOKIE_SECRET);
const deps = () => ({
  connectionString: source.directConnectionString,
  storage: app.storage,
  target,
  version: '1.2.3',
  key,
  workFolder: app.incomingFolder,
  log: pino({ level: 'silent' }),
});

async function put(objectKey: string, text: string): Promise<void> {
  const path = join(folder, 'damage');
  await writeFile(path, text);
  await target.put(objectKey, path);
}

const list = async () => (await app.as(owner).get('/api/admin/backups')).json();
const ask = (name: string, query = '') => app.as(owner).post(`/api/admin/backups/${name}/restore${query}`);
const runRestore = () => runJobs(source.database, [restoreBackups(deps())]);
/** The server keeps what it said of the latest backup for a minute, so each call asks another one. */
const readReady = async () => {
  const server = await startTestApp({
    database: source.database,
    backupTarget: { name: folder, storage: target },
  });
  return (await server.asGuest().get('/api/ready')).json().backup;
};

const DAMAGED = 'backup-20990101-000000-000';

test.each([
  ['cut off', () => put(manifestKey(DAMAGED), '{"cut off')],
  ['empty', () => put(manifestKey(DAMAGED), '')],
  ['another program’s', () => put(manifestKey(DAMAGED), '{"tables":7}')],
])('a manifest that is %s is shown as damaged, and the other backups are restored', async (_what, damage) => {
  await damage();
  expect(await list()).toMatchObject({ backups: [{ name: good }], damaged: [manifestKey(DAMAGED)] });
  expect((await ask(DAMAGED)).statusCode).toBe(404);
  expect(await readReady()).toMatchObject({ isProven: false, problem: '1 of 2 backups are damaged.' });
  expect((await ask(good)).json()).toEqual({ started: true });
  await runRestore();
  expect((await list()).restore).toMatchObject({ name: good, step: 'done' });
});

test('a manifest that the disk cannot read is shown as damaged', async () => {
  // Reading a folder as a file fails as reading a bad block does.
  await mkdir(join(folder, 'target', proofKey(good)), { recursive: true });
  expect(await list()).toMatchObject({ backups: [{ name: good, proof: null }], damaged: [proofKey(good)] });
});

test('where every backup is damaged, the server does not say that there is none', async () => {
  expect(await readReady()).toEqual({ ageHours: expect.any(Number), isProven: false });
  await put(manifestKey(good), '{');
  expect(await readReady()).toEqual({ problem: '1 of 1 backups are damaged.' });
  await target.remove(manifestKey(good));
  expect(await readReady()).toBeNull();
});

test('a damaged state of the last restore is shown, and stops no other restore', async () => {
  await put('restore.json', '{"name":"back');
  expect(await list()).toMatchObject({ backups: [{ name: good }], damaged: ['restore.json'], restore: null });
  expect((await ask(good)).json()).toEqual({ started: true });
  await put('restore.json', '{"name":"back');
  expect((await ask(good)).statusCode).toBe(409);
  await runRestore();
  expect(await list()).toMatchObject({ damaged: [], restore: { name: good, step: 'done' } });
});

test('damaged and incomplete backups do not stop the removal of old ones, and go with them', async () => {
  const [old, middle] = ['backup-20260101-000000-000', 'backup-20260301-000000-000'];
  await put(manifestKey(old), '{');
  await put(tableKey(middle, 'laps'), 'of a server that was killed');
  await put(manifestKey(DAMAGED), '{');
  await addJob(app.db, backupJob, {});
  await runJobs(source.database, [makeBackups({ ...deps(), keep: 2 })]);
  const [damaged, made, ...others] = await listBackupNames(target);
  expect([damaged, others]).toEqual([DAMAGED, [good]]);
  await addJob(app.db, backupJob, {});
  await runJobs(source.database, [makeBackups({ ...deps(), keep: 1 })]);
  const names = await listBackupNames(target);
  expect(names).toHaveLength(2);
  expect(names).not.toContain(made);
  for await (const { key: left } of target.list('backups'))
    expect([DAMAGED, names[1]]).toContain(left.split('/')[1]);
});

/** Forges a backup in which everybody is an owner, as somebody who may write the folder can. */
async function forge(change: (manifest: Awaited<ReturnType<typeof readManifest>>) => object): Promise<void> {
  await put(manifestKey(good), JSON.stringify(change(await readManifest(target, good))));
}

test.each([
  [
    'has no signature',
    'missing',
    /is not signed/,
    () => forge(({ signature: _signature, ...manifest }) => manifest),
  ],
  [
    'lists other content',
    'wrong',
    /was changed/,
    () => forge((manifest) => ({ ...manifest, createdAt: '2026-06-07T02:23:01.000Z' })),
  ],
  [
    'is signed by another server',
    'other-key',
    /another COOKIE_SECRET/,
    () =>
      forge(({ signature: _signature, ...manifest }) =>
        signManifest(manifest, deriveBackupKey('x'.repeat(32))),
      ),
  ],
  [
    'has the name of another one',
    'wrong',
    /was changed/,
    () =>
      forge(({ signature: _signature, ...manifest }) => signManifest({ ...manifest, name: DAMAGED }, key)),
  ],
])('a backup that %s is restored with the word alone', async (_what, signature, sentence, damage) => {
  await damage();
  expect((await list()).backups).toMatchObject([{ name: good, signature }]);
  const refused = await ask(good);
  expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringMatching(sentence)]);
  expect((await ask(good, '?word=yes')).statusCode).toBe(400);
  expect((await ask(good, '?word=unsigned')).json()).toEqual({ started: true });
  await runRestore();
  expect((await list()).restore).toMatchObject({ step: 'done' });
});

test('a backup that loses its signature between the call and the job is not restored', async () => {
  expect((await ask(good)).json()).toEqual({ started: true });
  await forge(({ signature: _signature, ...manifest }) => manifest);
  await runRestore();
  expect((await list()).restore).toMatchObject({
    step: 'failed',
    problem: expect.stringMatching(/not signed/),
  });
});

test('rows that were exchanged are found, even where their number and checksum are as before', async () => {
  const other = await makeBackup(deps(), new Date('2026-06-08T02:23:00.000Z'));
  const users = await target.openRead(tableKey(other, 'users'));
  const chunks: Uint8Array[] = [];
  for await (const chunk of users?.content ?? []) chunks.push(chunk);
  // The same rows, packed otherwise: the checksum of the rows cannot tell, the hash of the file can.
  const path = join(folder, 'packed');
  await writeFile(path, gzipSync(gunzipSync(Buffer.concat(chunks)), { level: 1 }));
  await target.put(tableKey(good, 'users'), path);
  expect((await ask(good)).json()).toEqual({ started: true });
  await runRestore();
  expect((await list()).restore).toMatchObject({
    step: 'failed',
    problem: expect.stringMatching(/was changed/),
  });
});

test('databases that a killed proof has left are removed, and none that is in use', async () => {
  const pool = new Pool({ connectionString: source.directConnectionString, max: 1 });
  const { rows } = await pool.query(
    'SELECT oid::text AS id FROM pg_database WHERE datname = current_database()',
  );
  const [left, ofOthers] = [`pitboard_proof_${rows[0].id}_left`, 'pitboard_proof_1_left'];
  await pool.query(`CREATE DATABASE ${left}`);
  await pool.query(`CREATE DATABASE ${ofOthers}`);
  const find = async () =>
    (await pool.query("SELECT datname FROM pg_database WHERE datname LIKE 'pitboard_proof_%_left'")).rows;
  await withThrowAwayDatabase(source.directConnectionString, async () => {
    expect(await deleteLeftProofs(source.directConnectionString)).toBe(0);
  });
  expect(await find()).toHaveLength(2);
  expect(await deleteLeftProofs(source.directConnectionString)).toBe(1);
  expect(await find()).toEqual([{ datname: ofOthers }]);
  await pool.query(`DROP DATABASE ${ofOthers}`);
  await pool.end();
});
