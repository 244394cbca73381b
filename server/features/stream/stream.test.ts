import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { TrackId, UserId } from '#contract/ids.ts';
import { openNotifications, sendMessage } from '#server/kernel/database/notifications.ts';
import {
  insertApiToken,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  type SignedIn,
} from '#server/testing/builders.ts';
import { openStream } from '#server/testing/open-stream.ts';
import { startTestApp, type TestApp, useTestApp } from '#server/testing/test-app.ts';
import { openAgain, useTestDatabase } from '#server/testing/test-database.ts';

const app = useTestApp();
const opened = useTestDatabase();

const drive = (trackId: TrackId, userId: UserId, lapTimeMs: number) =>
  insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs }] });

const follow = ({ headers }: SignedIn, on: TestApp = app) => openStream(on.fastify, { headers });

/** Waits until a stream has sent these events; the machine may be slow. */
const hears = (stream: Awaited<ReturnType<typeof openStream>>, event: string, data: unknown[]) =>
  expect.poll(() => stream.list(event), { timeout: 20_000 }).toEqual(data);

test('a stream sends the number of unread notices at the start and when it changes', async () => {
  const trackId = await insertTrack(app.db);
  const [ana, bo] = [await insertSignedIn(app.db), await insertUser(app.db)];
  await drive(trackId, ana.userId, 60_000);
  const stream = await follow(ana);
  await hears(stream, 'notices', [{ unread: 0 }]);
  await drive(trackId, bo, 59_000);
  await app.runJobs();
  await hears(stream, 'notices', [{ unread: 0 }, { unread: 1 }]);
  const [latest] = (await app.as(ana).get('/api/notices')).json().notices;
  await app.as(ana).put('/api/notices/read', { untilId: latest.id });
  await hears(stream, 'notices', [{ unread: 0 }, { unread: 1 }, { unread: 0 }]);
  stream.close();
});

test('another copy of the server sends it too, also where it hears no notifications', async () => {
  const deaf = {
    ...app.database,
    notifications: { ...app.database.notifications, isListening: () => false, subscribe: () => () => {} },
  };
  const copies = [
    await startTestApp({ database: openAgain(app.database) }),
    await startTestApp({ database: deaf, noticePollMs: 50 }),
  ];
  const trackId = await insertTrack(app.db);
  const [ana, bo] = [await insertSignedIn(app.db), await insertUser(app.db)];
  const streams = await Promise.all(copies.map((copy) => follow(ana, copy)));
  for (const stream of streams) await hears(stream, 'notices', [{ unread: 0 }]);
  await drive(trackId, ana.userId, 60_000);
  await drive(trackId, bo, 59_000);
  await app.runJobs();
  for (const stream of streams) await hears(stream, 'notices', [{ unread: 0 }, { unread: 1 }]);
});

test('a stream ends with its session, and one that opens meanwhile stays open', async () => {
  const [ana, bo] = [await insertSignedIn(app.db), await insertSignedIn(app.db)];
  const stream = await follow(ana);
  await app.as(ana).post('/api/logout');
  const other = await follow(bo);
  await expect.poll(() => stream.isOpen(), { timeout: 20_000 }).toBe(false);
  expect(other.isOpen()).toBe(true);
  other.close();
});

test('a stream ends when its user deletes the account, and hears nothing of it', async () => {
  const ana = await insertSignedIn(app.db, { displayName: 'Careful Carla' });
  const stream = await follow(ana);
  await app.as(ana).send('DELETE', '/api/account', { name: 'Careful Carla' });
  await expect.poll(() => stream.isOpen(), { timeout: 20_000 }).toBe(false);
  expect(stream.list('notices')).toEqual([{ unread: 0 }]);
});

test('a stream stays open while the sessions of others are looked up', async () => {
  const [ana, bo] = [await insertSignedIn(app.db), await insertSignedIn(app.db)];
  const polled = await startTestApp({
    database: { ...app.database, notifications: { ...app.database.notifications, isListening: () => false } },
    noticePollMs: 20,
  });
  const first = await follow(ana, polled);
  const client = await app.database.pool.connect();
  await client.query('BEGIN; LOCK TABLE notices IN ACCESS EXCLUSIVE MODE');
  const waiting = "SELECT FROM pg_locks WHERE relation = 'notices'::regclass AND NOT granted";
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBeGreaterThan(0);
  const opening = follow(bo, polled);
  await client.query('COMMIT');
  client.release();
  const second = await opening;
  await sleep(200);
  expect([first.isOpen(), second.isOpen()]).toEqual([true, true]);
});

test('five pages of a user may have one, and the next gets 429', async () => {
  const ana = await insertSignedIn(app.db);
  const copy = await startTestApp({ database: app.database });
  const url = await copy.fastify.listen({ port: 0, host: '127.0.0.1' });
  const headers = { ...ana.headers, accept: 'text/event-stream' };
  const pages = Array.from({ length: 6 }, () => new AbortController());
  const open = async ({ signal }: AbortController) =>
    (await fetch(`${url}/api/stream`, { headers, signal })).status;
  const statuses = [];
  for (const page of pages) statuses.push(await open(page));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  pages[0]?.abort();
  await expect.poll(() => open(new AbortController()), { timeout: 20_000 }).toBe(200);
  // Kept connections would hold up the end of the copy.
  copy.fastify.server.closeAllConnections();
});

test('a guest without a live session gets 401, another request than for a stream 400, and a token nothing', async () => {
  const ana = await insertSignedIn(app.db);
  expect((await openStream(app.fastify)).statusCode).toBe(401);
  expect((await app.as(ana).get('/api/stream')).statusCode).toBe(400);
  expect((await openStream(app.fastify, { query: '?live=abcdefghjkmn' })).statusCode).toBe(404);
  expect((await openStream(app.fastify, { query: '?live=..' })).statusCode).toBe(400);
  const { headers } = await insertApiToken(app.db, ana.userId, ['read']);
  expect((await openStream(app.fastify, { headers })).statusCode).toBeGreaterThanOrEqual(401);
});

test('a server that stops ends its streams', async () => {
  const copy = await startTestApp({ database: app.database });
  const stream = await follow(await insertSignedIn(app.db), copy);
  await copy.fastify.close();
  await expect.poll(() => stream.isOpen(), { timeout: 20_000 }).toBe(false);
});

test('notifications come again after their connection broke, and say that some may be missing', async () => {
  const { pool } = opened.database;
  const notifications = openNotifications({
    pool,
    connectionString: opened.directConnectionString,
    heartbeatMs: 50,
  });
  onTestFinished(() => notifications.close());
  const heard: string[] = [];
  let gaps = 0;
  notifications.subscribe('laps', { onMessage: (text) => heard.push(text), onGap: () => (gaps += 1) });
  await expect.poll(() => notifications.isListening(), { timeout: 20_000 }).toBe(true);
  await sendMessage(opened.database.db, 'laps', 'one');
  await sendMessage(opened.database.db, 'others', 'none');
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual(['one']);
  await pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pitboard notifications' AND datname = current_database()",
  );
  await expect.poll(() => gaps, { timeout: 20_000 }).toBe(2);
  await sendMessage(opened.database.db, 'laps', 'two words');
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual(['one', 'two words']);
});

test('an address that leads to another database counts as deaf', async () => {
  const notifications = openNotifications({
    pool: app.database.pool,
    connectionString: opened.directConnectionString,
    heartbeatMs: 50,
  });
  onTestFinished(() => notifications.close());
  notifications.subscribe('laps', { onMessage: () => undefined });
  await sleep(400);
  expect(notifications.isListening()).toBe(false);
});
