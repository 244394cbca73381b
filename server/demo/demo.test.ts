import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSignedIn } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { beginDemo, findDemo } from './demo-store.ts';
import { prepareDemo, type PrepareParts } from './prepare-demo.ts';
import { planSeason } from './season.ts';
import { loadLibraries } from '#server/libraries/library-store.ts';
import { startLapWorkers, type LapWorkers } from '#server/timing/lap-workers.ts';
import { openDemo } from './open-demo.ts';

const BEGAN_AT = new Date('2026-11-21T12:00:00Z');
// The first of them with every kind of format, and a mishap among them.
const season = planSeason(BEGAN_AT).slice(0, 4);
const sessionCount = season.flatMap(({ sessions }) => sessions).length;

let testApp: TestApp;
let lapWorkers: LapWorkers;
let parts: PrepareParts;

beforeAll(async () => {
  testApp = await startTestApp();
  const { database, storage, incomingFolder, app } = testApp;
  lapWorkers = startLapWorkers();
  parts = { db: database.db, storage, lapWorkers, incomingFolder, log: app.log };
  await loadLibraries(database.db);
});
afterAll(async () => {
  await lapWorkers.close();
  await testApp.close();
});

async function get(url: string, headers: { cookie?: string } = {}) {
  return (await testApp.app.inject({ url, headers })).json();
}

async function countFiles(): Promise<number> {
  let count = 0;
  for await (const _ of testApp.storage.list('lap-files')) count += 1;
  return count;
}

const prepare = (signal = new AbortController().signal, onProgress = (): void => {}) =>
  prepareDemo(parts, { season, signal, onProgress });

/** The tests of a life: each goes on where the one before has ended. */

test('without a demo there is none to tell of, and none to remove', async () => {
  expect(await get('/api/demo')).toEqual({ state: 'none', driversDone: 0, drivers: 0 });
  const { headers } = await insertSignedIn(testApp.database.db, { isAdmin: true });
  const response = await testApp.app.inject({ method: 'DELETE', url: '/api/admin/demo', headers });
  expect(response.statusCode).toBe(404);
});

test('a preparation that is cut off goes on where it was, and drives nothing twice', async () => {
  await beginDemo(parts.db, BEGAN_AT);
  const stopping = new AbortController();
  expect(await prepare(stopping.signal, () => stopping.abort())).toBe(false);
  const before = await countFiles();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(sessionCount);
  expect((await findDemo(parts.db))?.state).toBe('preparing');

  expect(await prepare()).toBe(true);
  expect(await countFiles()).toBe(sessionCount);
  expect((await findDemo(parts.db))?.state).toBe('ready');
});

test('a demo driver has a profile with sessions, a car and refused laps with reasons, and is on a board', async () => {
  const driver =
    season.find(({ sessions }) => sessions.some(({ mishap }) => mishap === 'wrong_way')) ?? season[0];
  if (!driver) throw new Error('There are no drivers.');
  const name = `${driver.firstName} ${driver.lastName}`;
  const { headers } = await insertSignedIn(parts.db);
  const user = await get(`/api/users/${encodeURIComponent(name)}`, headers);
  expect(user).toMatchObject({ firstName: driver.firstName, lastName: driver.lastName });
  expect(await get(`/api/users/${user.id}/cars`, headers)).toMatchObject([{ modelKey: driver.car.modelKey }]);
  const board: { userName: string }[] = await get(`/api/laps/track/${driver.sessions[0]?.trackId}/best`);
  expect(board.map(({ userName }) => userName)).toContain(name);
  const { rows } = await testApp.database.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM laps WHERE status = 'rejected' AND cardinality(reasons) > 0",
  );
  expect(rows[0]?.count).toBeGreaterThan(0);
});

test('only administrators remove the demo', async () => {
  const call = { method: 'DELETE', url: '/api/admin/demo' } as const;
  expect((await testApp.app.inject(call)).statusCode).toBe(401);
  const { headers } = await insertSignedIn(testApp.database.db);
  expect((await testApp.app.inject({ ...call, headers })).statusCode).toBe(403);
});

test('removed, nothing is left of it, real drivers stay, and it never comes back', async () => {
  const { headers, userId } = await insertSignedIn(parts.db, { isAdmin: true });
  const versions = await boardVersions();
  const demo = await openDemo(parts, true);
  expect(await demo.status()).toMatchObject({ state: 'ready' });
  expect(await demo.remove(userId)).toEqual({ drivers: season.length, sessions: sessionCount });

  expect(await countFiles()).toBe(0);
  expect(await demo.status()).toMatchObject({ state: 'none' });
  const { rows } = await testApp.database.pool.query<{ issuer: string }>('SELECT DISTINCT issuer FROM users');
  expect(rows).toEqual([{ issuer: 'local' }]);
  expect((await testApp.app.inject({ url: '/api/auth/user', headers })).statusCode).toBe(200);
  const tracks: { id: string; entryCount: number }[] = await get('/api/tracks');
  expect(tracks.filter(({ entryCount }) => entryCount > 0)).toEqual([]);
  const after = await boardVersions();
  for (const { trackId } of season.flatMap(({ sessions }) => sessions))
    expect(after.get(trackId)).toBeGreaterThan(versions.get(trackId) ?? Number.NaN);

  expect(await (await openDemo(parts, true)).status()).toMatchObject({ state: 'none' });
  expect(await prepare()).toBe(false);
  expect(await countFiles()).toBe(0);
});

async function boardVersions(): Promise<Map<string, number>> {
  const { rows } = await testApp.database.pool.query<{ id: string; version: number }>(
    'SELECT id, board_version::int AS version FROM tracks',
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}
