import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from '#server/testing/browser.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { listKeptFiles } from '#server/testing/kart-uploads.ts';
import { type Person, startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { beginDemo, findDemo } from '#server/model/demo/demo-store.ts';
import { DEMO_MODERATOR } from './demo-drivers.ts';
import { prepareDemo, type PrepareDeps } from './prepare-demo.ts';
import { planSeason } from './season.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { openDemo } from './open-demo.ts';

const PUBLIC_URL = 'http://localhost:4200';
const BEGAN_AT = new Date('2026-11-21T12:00:00Z');
// Together they make notices of several kinds. Every kind of format and a mishap are among their sessions.
const SUBJECTS = [
  'ruben.rumblestrip',
  'leila.slipstream',
  'wanjiru.windtunnel',
  'rashid.redflag',
  DEMO_MODERATOR,
];
const season = planSeason(BEGAN_AT).filter(({ subject }) => SUBJECTS.includes(subject));
const sessionCount = season.flatMap(({ sessions }) => sessions).length;

const app = useTestApp();
let parts: PrepareDeps;

beforeAll(async () => {
  const { storage, lapWorkers, incomingFolder } = app;
  parts = { db: app.db, storage, lapWorkers, incomingFolder, log: app.fastify.log };
  await loadLibraries(app.db);
});

const get = async (url: string, who: Person = null) => (await app.as(who).get(url)).json();

const countFiles = async () => (await listKeptFiles(app.storage)).length;

const prepare = (signal = new AbortController().signal, onProgress = (_done: number): void => {}) =>
  prepareDemo(parts, { season, signal, onProgress });

/** The tests of a life: each goes on where the one before has ended. */

test('a server without a demo shows none, and has none to remove', async () => {
  expect(await get('/api/demo')).toEqual({ state: 'none', driversDone: 0, drivers: 0 });
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const response = await app.as(admin).delete('/api/admin/demo');
  expect(response.statusCode).toBe(404);
});

test('a preparation that is cut off goes on where it was, and drives nothing twice', async () => {
  await beginDemo(parts.db, BEGAN_AT);
  const stopping = new AbortController();
  // Some have driven in the last months only, which come later.
  const stop = (done: number): void => void (done === 3 && stopping.abort());
  expect(await prepare(stopping.signal, stop)).toBe(false);
  const before = await countFiles();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(sessionCount);
  expect((await findDemo(parts.db))?.state).toBe('preparing');

  expect(await prepare()).toBe(true);
  expect(await countFiles()).toBe(sessionCount);
  expect((await findDemo(parts.db))?.state).toBe('ready');
});

test('the community has held one event, with laps of its drivers, and enters another one', async () => {
  await app.runJobs();
  const { events } = await get('/api/events');
  expect(events).toMatchObject([
    { name: 'Season Finale', state: 'open', entryCount: season.length },
    { name: 'Club Time Attack', state: 'official' },
  ]);
  const { runs, results } = await get(`/api/events/${events[1].id}`);
  expect(runs.length).toBeGreaterThan(0);
  expect(results.overall[0]).toMatchObject({ place: 1, totalMs: expect.any(Number) });
});

test('a demo driver has a profile with sessions, a car and refused laps with reasons, and is on a board', async () => {
  const driver =
    season.find(({ sessions }) => sessions.some(({ mishap }) => mishap === 'wrong_way')) ?? season[0];
  if (!driver) throw new Error('There are no drivers.');
  const name = `${driver.firstName} ${driver.lastName}`;
  const member = await insertSignedIn(parts.db);
  const user = await get(`/api/users/${encodeURIComponent(name)}`, member);
  expect(user).toMatchObject({ firstName: driver.firstName, lastName: driver.lastName });
  expect(await get(`/api/users/${user.id}/cars`, member)).toMatchObject([{ modelKey: driver.car.modelKey }]);
  const board: { userName: string }[] = await get(`/api/laps/track/${driver.sessions[0]?.trackId}/best`);
  expect(board.map(({ userName }) => userName)).toContain(name);
  const { rows } = await app.database.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM laps WHERE status = 'rejected' AND cardinality(reasons) > 0",
  );
  expect(rows[0]?.count).toBeGreaterThan(0);
});

test('demo drivers have notices of lost records, rivals and decisions, and people on this computer may sign in as some of them', async () => {
  await app.runJobs();
  const { database } = app;
  const settings = { publicUrl: PUBLIC_URL };
  const local = await startTestApp({
    database,
    demo: await openDemo(parts, false),
    settings,
  });
  const browser = openBrowser(local.fastify, PUBLIC_URL);
  const choice = await browser.open('/api/login?returnTo=/');
  expect(choice.body).toContain('Demo driver');
  await browser.open(choice.path, { account: 'demo:ruben.rumblestrip' });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const user = (await local.asGuest().get('/api/auth/user', { cookie })).json();
  expect(user).toMatchObject({ firstName: 'Ruben', lastName: 'Rumblestrip', isAdmin: false });
  const { notices, unread } = (await local.asGuest().get('/api/notices', { cookie })).json();
  const kinds = new Set(notices.map(({ kind }: { kind: string }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['record_lost', 'new_rival', 'lap_decided']));
  expect(unread).toBe(notices.length);

  const again = await browser.open('/api/login?returnTo=/');
  const notOffered = await browser.open(again.path, { account: 'demo:leila.slipstream' });
  expect(notOffered.path).toBe('/login?error=cancelled');
  const elsewhere = await startTestApp({ database, settings: { ...settings, hasOwnAccounts: true } });
  expect((await elsewhere.asGuest().get('/api/auth/user', { cookie })).statusCode).toBe(401);
});

test('only administrators remove the demo', async () => {
  expect((await app.asGuest().delete('/api/admin/demo')).statusCode).toBe(401);
  const driver = await insertSignedIn(app.db);
  expect((await app.as(driver).delete('/api/admin/demo')).statusCode).toBe(403);
});

test('removed, nothing is left of it, real drivers stay, and it never comes back', async () => {
  const admin = await insertSignedIn(parts.db, { isAdmin: true });
  const versions = await boardVersions();
  const demo = await openDemo(parts, true);
  expect(await demo.status()).toMatchObject({ state: 'ready' });
  expect(await demo.remove(admin.userId)).toEqual({ drivers: season.length, sessions: sessionCount });

  expect(await countFiles()).toBe(0);
  expect(await demo.status()).toMatchObject({ state: 'none' });
  const { rows } = await app.database.pool.query<{ issuer: string }>('SELECT DISTINCT issuer FROM users');
  expect(rows).toEqual([{ issuer: 'local' }]);
  expect((await app.as(admin).get('/api/auth/user')).statusCode).toBe(200);
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
  const { rows } = await app.database.pool.query<{ id: string; version: number }>(
    'SELECT id, board_version::int AS version FROM tracks',
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}
