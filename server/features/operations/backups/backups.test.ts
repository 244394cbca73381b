import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { listBoard } from '#server/model/boards/board-store.ts';
import { openDatabase } from '#server/kernel/database/database.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { insertSession, insertSignedIn, insertTrack, insertUser } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { startTestApp, TEST_COOKIE_SECRET, useTestApp } from '#server/testing/test-app.ts';
import { useTestDatabase } from '#server/testing/test-database.ts';
import {
  createTestBucket,
  openTestStorage,
  TEST_S3_ENDPOINT,
  listKeys,
} from '#server/testing/test-storage.ts';
import { deriveBackupKey } from './backup-signature.ts';
import { fillDatabase } from './dump-store.ts';
import { listBackupNames, listBackups, readManifest } from './list-backups.ts';
import { type BackupDeps, makeBackup } from './make-backup.ts';
import { type Manifest, manifestKey, sharedKey, tableKey } from './manifest.ts';
import { openBackupTarget } from './open-target.ts';
import { proveBackup } from './prove-backup.ts';
import { pruneBackups } from './prune-backups.ts';
import { withThrowAwayDatabase } from './throw-away-store.ts';

const source = useTestDatabase();
let folder: string;
let target: Storage;
afterAll(() => rm(folder, { recursive: true }));
const app = useTestApp(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-backups-'));
  target = await openTestStorage(join(folder, 'target'));
  return { database: source.database, backupTarget: { name: folder, storage: target } };
});
let trackId: TrackId;
let parts: BackupDeps;
const key = deriveBackupKey(TEST_COOKIE_SECRET);

beforeAll(async () => {
  const { storage } = app;
  parts = {
    connectionString: source.directConnectionString,
    storage,
    target,
    version: '1.2.3',
    key,
    workFolder: app.incomingFolder,
  };
  trackId = await insertTrack(app.db);
  const kartTrack = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  await app.as(driver).uploadLaps(kartTrack, kartCsv());
  for (let index = 0; index < 5; index += 1) await drive(60_000 + index);
});

const drive = async (lapTimeMs: number) =>
  insertSession(app.db, { trackId, userId: await insertUser(app.db), laps: [{ lapTimeMs }] });

async function put(key: string, text: string): Promise<void> {
  const path = join(folder, 'damage');
  await writeFile(path, text);
  await target.put(key, path);
}

test('a backup that is made while laps arrive restores to the boards of one moment, with all files', async () => {
  const making = new AbortController();
  const load = (async () => {
    for (let index = 0; !making.signal.aborted; index += 1) await drive(59_999 - index);
  })();
  const name = await makeBackup(parts, new Date('2026-06-07T02:23:00.000Z'));
  making.abort();
  await load;
  expect(name).toBe('backup-20260607-022300-000');
  const manifest = await readManifest(target, name);
  expect(manifest.files).toHaveLength(1);
  expect(await proveBackup(parts, name, new Date())).toMatchObject({ problem: null });
  await withThrowAwayDatabase(source.directConnectionString, async (connectionString) => {
    await fillDatabase(connectionString, { target, name, manifest });
    const restored = openDatabase(connectionString);
    const board = await listBoard(restored.pool, trackId, {}, { limit: null, offset: 0, ownUserId: null });
    const now = await listBoard(
      source.database.pool,
      trackId,
      {},
      { limit: null, offset: 0, ownUserId: null },
    );
    // Laps are only added, each faster than all before: the board of then is the end of the board of now.
    expect(board.length).toBeGreaterThanOrEqual(5);
    const times = (records: typeof now) => records.map(({ driverId, lapTimeMs }) => [driverId, lapTimeMs]);
    expect(times(board)).toEqual(times(now).slice(-board.length));
    await restored.close();
    await expect(fillDatabase(connectionString, { target, name, manifest })).rejects.toThrow(
      'empty database',
    );
  });
});

// `npm run test:pgbouncer` runs this file too: the server is behind the pooler, and its backups go past that.
const behindPooler = test.skipIf(process.env['PITBOARD_TEST_PGBOUNCER'] === undefined);

behindPooler('a backup is not made through a pooler, and the sentence names the setting', async () => {
  const known = await listBackupNames(target);
  const making = makeBackup({ ...parts, connectionString: source.connectionString }, new Date());
  await expect(making).rejects.toThrow('set DATABASE_DIRECT_URL to its address');
  expect(await listBackupNames(target)).toEqual(known);
});

async function prove(damage: (name: string) => Promise<void>, now: string): Promise<string | null> {
  const name = await makeBackup(parts, new Date(now));
  await damage(name);
  return (await proveBackup(parts, name, new Date())).problem;
}

async function changeManifest(name: string, change: (manifest: Manifest) => object): Promise<void> {
  const manifest = await readManifest(target, name);
  await put(manifestKey(name), JSON.stringify({ ...manifest, ...change(manifest) }));
}

const DAMAGES: [sentence: string, damage: (name: string) => Promise<void>][] = [
  ['incorrect header', (name) => put(tableKey(name, 'laps'), 'no gzip')],
  ['is missing', (name) => target.remove(tableKey(name, 'users'))],
  [
    'The rows of laps are not those that were saved.',
    (name) =>
      changeManifest(name, ({ tables }) => ({
        tables: tables.map((table) => (table.name === 'laps' ? { ...table, checksum: '1' } : table)),
      })),
  ],
  ['The board of', (name) => changeManifest(name, () => ({ boards: { [trackId]: 'other' } }))],
  [
    'is damaged',
    async (name) => put(sharedKey((await readManifest(target, name)).files[0]?.key ?? ''), 'damaged'),
  ],
];

test('a proof finds rows that are lost, tables that are changed, and files that are damaged or missing', async () => {
  for (const [index, [sentence, damage]] of DAMAGES.entries())
    expect(await prove(damage, `2026-06-08T00:00:0${index}.000Z`)).toContain(sentence);
  // Another test file on the same PostgreSQL may be at a proof of its own just now.
  await vi.waitFor(
    async () => {
      const { rows } = await source.database.pool.query(
        "SELECT FROM pg_database WHERE datname LIKE 'pitboard_proof_%'",
      );
      expect(rows).toEqual([]);
    },
    { timeout: 60_000, interval: 200 },
  );
});

test('only the newest backups are kept, with the files that they have', async () => {
  const names = await listBackupNames(target);
  await put(sharedKey('lap-files/of-nothing'), 'left over');
  await pruneBackups(target, 2);
  expect(await listBackupNames(target)).toEqual(names.slice(0, 2));
  expect(await listKeys(target, 'shared')).toHaveLength(1);
});

test('administrators see the backups with their proofs, and start one', async () => {
  const admin = await insertSignedIn(app.db, { isAdmin: true, role: 'admin' });
  const call = (method: 'GET' | 'POST', server = app) => server.as(admin).send(method, '/api/admin/backups');
  const { target: name, backups } = (await call('GET')).json();
  expect(name).toBe(folder);
  expect(backups).toEqual((await listBackups(target, key)).backups);
  expect(backups[0].proof.problem).toContain('is damaged');
  expect((await call('POST')).json()).toEqual({ started: true });
  const log = await app.as(admin).get('/api/admin/audit-log?action=start-backup');
  expect(log.json().entries).toMatchObject([{ userId: admin.userId }]);
  const ready = await app.asGuest().get('/api/ready');
  expect(ready.json()).toEqual({
    status: 'ready',
    backup: { ageHours: expect.any(Number), isProven: false },
  });
  const without = await startTestApp({ database: source.database });
  expect((await call('GET', without)).json()).toEqual({
    target: null,
    backups: [],
    damaged: [],
    restore: null,
  });
  expect((await call('POST', without)).statusCode).toBe(409);
});

// `npm run test:s3` starts an object storage, on which it runs all tests of this file too.
test.skipIf(TEST_S3_ENDPOINT === null)('a bucket of the settings is a target of its own', async () => {
  const s3 = await createTestBucket(TEST_S3_ENDPOINT ?? '');
  const { bucket } = await createTestBucket(TEST_S3_ENDPOINT ?? '');
  const opened = await openBackupTarget({ backupTarget: `s3://${bucket}`, s3 });
  if (!opened) throw new Error('There is no target.');
  expect(opened.name).toBe(`s3://${bucket}`);
  const bucketParts = { ...parts, target: opened.storage };
  const name = await makeBackup(bucketParts, new Date());
  expect(await proveBackup(bucketParts, name, new Date())).toMatchObject({ problem: null });
  expect((await listBackups(opened.storage, key)).backups).toMatchObject([
    { name, proof: { problem: null }, signature: 'valid' },
  ]);
});
