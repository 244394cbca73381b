import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import type {
  LiveDriver,
  LiveFix,
  LiveSharing,
  LiveStateAnswer,
  LiveUpdate,
} from '#contract/live/schemas.ts';
import { LIVE_LIMITS } from '#contract/live/labels.ts';
import { endSilentSharings } from '#server/model/live/live-store.ts';
import { users } from '#server/model/people/schema.ts';
import {
  insertApiToken,
  insertSignedIn,
  insertTrack,
  insertUserCar,
  type SignedIn,
} from '#server/testing/builders.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { driveLive, type LiveDrive } from '#server/testing/live-drive.ts';
import { openStream } from '#server/testing/open-stream.ts';
import { openAgain } from '#server/testing/test-database.ts';
import { startTestApp, type TestApp, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let trackId: TrackId;
let ana: SignedIn;
let bo: SignedIn;

beforeAll(async () => {
  trackId = await insertKartTrack(app.db);
  [ana, bo] = [
    await insertSignedIn(app.db, { displayName: 'Ana' }),
    await insertSignedIn(app.db, { displayName: 'Bo' }),
  ];
});

// Engine and server round each time by itself.
const ROUNDING_MS = 1.5;

const start = async (who: SignedIn, body: object = {}): Promise<LiveSharing> => {
  const response = await app.as(who).post('/api/live/sharing', { trackId, visibility: 'link', ...body });
  expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
  return response.json();
};

const send = (who: SignedIn, { sharingId }: LiveSharing, fixes: LiveFix[], on: TestApp = app) =>
  on.as(who).post('/api/live/sharing/fixes', { sharingId, fixes });

async function sendAll(
  who: SignedIn,
  sharing: LiveSharing,
  { fixes }: Pick<LiveDrive, 'fixes'>,
): Promise<void> {
  for (let from = 0; from < fixes.length; from += 300)
    expect((await send(who, sharing, fixes.slice(from, from + 300))).statusCode).toBe(200);
}

const watch = async (code: string, on: TestApp = app): Promise<LiveStateAnswer> =>
  (await on.asGuest().get(`/api/live/${code}`)).json();

const countRows = async (table: string): Promise<number> =>
  Number((await app.database.pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

function expectLaps(driver: LiveDriver | undefined, { trueLaps }: LiveDrive): void {
  const times = trueLaps.map(({ lapTimeMs }) => lapTimeMs);
  const best = Math.min(...times);
  expect(driver?.lap).toBe(trueLaps.length + 1);
  expect(Math.abs((driver?.bestMs ?? 0) - best)).toBeLessThan(20 + ROUNDING_MS);
  expect(Math.abs((driver?.lastMs ?? 0) - (times.at(-1) ?? 0))).toBeLessThan(20 + ROUNDING_MS);
}

describe('a live session', () => {
  test('shows laps, sectors and the order of two drivers to a guest, as the server times them', async () => {
    const drives = [driveLive({ seed: 1, laps: 3 }), driveLive({ seed: 2, laps: 2, styleSeed: 4 })] as const;
    const userCarId = await insertUserCar(app.db, { userId: ana.userId });
    const first = await start(ana, { userCarId, title: 'Autumn Track Day' });
    const second = await start(bo, { code: first.code });
    expect(second.code).toBe(first.code);
    await sendAll(ana, first, drives[0]);
    await sendAll(bo, second, drives[1]);
    const { session, drivers } = await watch(first.code);
    expect(session).toMatchObject({ title: 'Autumn Track Day', visibility: 'link', track: { id: trackId } });
    expect(drivers.map(({ name, number }) => [number, name])).toEqual([
      [1, 'Ana'],
      [2, 'Bo'],
    ]);
    expect(drivers[0]?.car).toEqual(expect.any(String));
    for (const [index, drive] of drives.entries()) expectLaps(drivers[index], drive);
    for (const { state, bestSectors } of drivers) {
      expect(state).toBe('on_track');
      expect(bestSectors).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    }
    expect((await app.asGuest().get(`/api/live/${first.code}/qr-code.svg`)).body).toContain('<svg');
  });

  test('reaches those who watch by stream at any copy of the server, with positions of who shows lines only', async () => {
    const other = await startTestApp({ database: openAgain(app.database) });
    await app.db.update(users).set({ keepLinesPrivate: true }).where(eq(users.id, bo.userId));
    const [shown, hidden] = [await start(ana), await start(bo)];
    expect([shown.showsLine, hidden.showsLine]).toEqual([true, false]);
    const streams = await Promise.all(
      [shown, hidden].map(({ code }) => openStream(other.fastify, { query: `?live=${code}` })),
    );
    const drive = driveLive({ seed: 3, laps: 1 });
    for (const [who, sharing] of [
      [ana, shown],
      [bo, hidden],
    ] as const) {
      // The batches of one driver come to both copies in turn.
      for (const [index, batch] of drive.batches.entries())
        expect((await send(who, sharing, batch, index % 2 === 0 ? app : other)).statusCode).toBe(200);
    }
    for (const stream of streams)
      await expect.poll(() => latest(stream.list('live'))?.bestMs, { timeout: 20_000 }).toBeGreaterThan(0);
    for (const { code } of [shown, hidden]) expectLaps((await watch(code)).drivers[0], drive);
    expect((await watch(shown.code)).positions).toHaveLength(1);
    expect((await watch(hidden.code)).positions).toEqual([]);
    const moves = streams.map((stream) => stream.list('live-moves').flat());
    expect(moves[0]).toContainEqual([1, expect.any(Number), expect.any(Number)]);
    expect(moves[1]).toContainEqual([1]);
    expect(moves[1]?.every((move) => Array.isArray(move) && move.length === 1)).toBe(true);
    await app.as(ana).delete('/api/live/sharing');
    await expect.poll(() => streams[0]?.list('live-end'), { timeout: 20_000 }).toEqual([{}]);
    await app.db.update(users).set({ keepLinesPrivate: false }).where(eq(users.id, bo.userId));
  });

  test('reaches a wall where no notifications arrive, as behind a pooler, with positions as well', async () => {
    const { notifications } = app.database;
    const deaf = { ...notifications, isListening: () => false, subscribe: () => () => {} };
    const behindPooler = await startTestApp({ database: { ...app.database, notifications: deaf } });
    const sharing = await start(ana);
    const stream = await openStream(behindPooler.fastify, { query: `?live=${sharing.code}` });
    const { fixes } = driveLive({ seed: 11, laps: 2 });
    await sendAll(ana, sharing, { fixes: fixes.slice(0, -100) });
    const { positions } = await watch(sharing.code);
    expect(positions).toEqual([[1, expect.any(Number), expect.any(Number)]]);
    await expect
      .poll(() => stream.list('live-moves').flat(), { timeout: 20_000 })
      .toContainEqual(positions[0]);
    expect(latest(stream.list('live'))?.bestMs).toBeGreaterThan(0);
    stream.close();
  });

  test('shows no position before the first crossing and none in the pits, and says so', async () => {
    const sharing = await start(ana);
    const stream = await openStream(app.fastify, { query: `?live=${sharing.code}` });
    const { fixes } = driveLive({ seed: 4, laps: 1 });
    // A minute at a standstill after the drive, 20 metres from its end, which may be sent before the standstill comes.
    const [at, lastLat, lon] = fixes.at(-1) ?? [0, 0, 0];
    const lat = lastLat + 0.0002;
    const shift = 60_000;
    const driven = fixes.map(([time, ...rest]): LiveFix => [time - shift, ...rest]);
    const standing = Array.from({ length: 60 }, (_, second): LiveFix => [
      at - shift + 1000 * (second + 1),
      lat,
      lon,
      0,
      null,
    ]);
    await send(ana, sharing, driven.slice(0, 10));
    await send(ana, sharing, driven.slice(10));
    await send(ana, sharing, standing);
    const driver = (await watch(sharing.code)).drivers[0];
    const time = expect.any(Number);
    expect(driver).toMatchObject({
      state: 'pits',
      sectorStartedAt: null,
      lap: 2,
      sectors: [time, time, time],
    });
    expect(driver?.bestMs).toBeGreaterThan(0);
    await expect.poll(() => stream.list('live-moves').length, { timeout: 20_000 }).toBeGreaterThan(0);
    await expect.poll(() => latest(stream.list('live'))?.state, { timeout: 20_000 }).toBe('pits');
    expect(stream.list('live-moves').flat()).not.toContainEqual([
      1,
      expect.closeTo(lat, 4),
      expect.closeTo(lon, 4),
    ]);
    stream.close();
  });

  test('for everybody is found by its track, and drivers there join it', async () => {
    const own = await insertKartTrack(app.db);
    const [first, second] = await Promise.all(
      [ana, bo].map((who) => start(who, { trackId: own, visibility: 'everybody' })),
    );
    expect(first?.code).toBe(second?.code);
    const list = async () => (await app.asGuest().get(`/api/live?trackId=${own}`)).json().sessions;
    expect(await list()).toEqual([
      expect.objectContaining({ code: first?.code, trackId: own, driverCount: 2 }),
    ]);
    await start(ana, { trackId: own });
    await start(bo, { trackId: own });
    expect(await list()).toEqual([]);
  });
});

describe('the end', () => {
  test('comes when the driver stops, starts elsewhere or sends nothing, and leaves no row', async () => {
    const drive = driveLive({ seed: 5, laps: 1 });
    const first = await start(ana);
    await start(bo, { code: first.code });
    await sendAll(ana, first, drive);
    expect((await app.as(ana).delete('/api/live/sharing')).json()).toEqual({ ended: true });
    expect((await app.as(ana).delete('/api/live/sharing')).json()).toEqual({ ended: false });
    expect((await send(ana, first, drive.fixes.slice(0, 5))).statusCode).toBe(404);
    expect((await watch(first.code)).drivers.map(({ name }) => name)).toEqual(['Bo']);

    const again = await start(bo);
    expect((await app.asGuest().get(`/api/live/${first.code}`)).statusCode).toBe(404);
    await sendAll(bo, again, drive);
    await app.runJobs();
    expect((await app.as(bo).get('/api/live/sharing')).json().sharing).toMatchObject({ code: again.code });
    await app.database.pool.query("UPDATE live_timings SET seen_at = now() - interval '21 minutes'");
    expect(await endSilentSharings(app.db)).toBe(true);
    expect((await app.as(bo).get('/api/live/sharing')).json()).toEqual({ sharing: null });
    for (const table of ['live_sessions', 'live_sharings', 'live_timings', 'live_batches'])
      expect([table, await countRows(table)]).toEqual([table, 0]);
  });

  test('keeps no fixes of laps that are over', async () => {
    const sharing = await start(ana);
    const { batches } = driveLive({ seed: 6, laps: 3 });
    for (const batch of batches) await send(ana, sharing, batch);
    expect(await countRows('live_batches')).toBeLessThan(batches.length / 3);
  });
});

describe('what is refused', () => {
  test('guests and tokens of another purpose share nothing', async () => {
    const fixes = driveLive({ seed: 7, laps: 1 }).fixes.slice(0, 10);
    const sharing = await start(ana);
    const body = { sharingId: sharing.sharingId, fixes };
    expect((await app.asGuest().post('/api/live/sharing/fixes', body)).statusCode).toBe(401);
    expect((await app.asGuest().post('/api/live/sharing', { trackId, visibility: 'link' })).statusCode).toBe(
      401,
    );
    expect((await app.asGuest().delete('/api/live/sharing')).statusCode).toBe(401);
    const { headers } = await insertApiToken(app.db, ana.userId, ['read']);
    expect((await app.as({ headers }).post('/api/live/sharing/fixes', body)).statusCode).toBe(403);
    expect((await send(bo, sharing, fixes)).statusCode).toBe(404);
  });

  test('a session of another track, a car of somebody else and a track without a start line', async () => {
    const { code } = await start(ana);
    const refuse = async (body: object) =>
      (await app.as(bo).post('/api/live/sharing', { trackId, visibility: 'link', ...body })).statusCode;
    expect(await refuse({ code, trackId: await insertTrack(app.db) })).toBe(409);
    expect(await refuse({ trackId: await insertTrack(app.db, { startFinishLine: null }) })).toBe(409);
    expect(await refuse({ userCarId: await insertUserCar(app.db, { userId: ana.userId }) })).toBe(403);
    expect(await refuse({ code: 'abcdefghjkmn' })).toBe(404);
    expect(await refuse({ trackId: 'no-such-track' })).toBe(404);
    expect(await refuse({ title: 'a'.repeat(81) })).toBe(400);
    expect(await refuse({ title: 'a\u202Eb' })).toBe(400);
    expect(await refuse({ visibility: 'all' })).toBe(400);
  });

  test('fixes out of order, of another time or place, too many, and none', async () => {
    const sharing = await start(ana);
    const { fixes } = driveLive({ seed: 8, laps: 1 });
    const [first = [0, 0, 0, 0, 0], second = first] = fixes;
    const now = Date.now();
    const wrong: LiveFix[][] = [
      [],
      [second, first],
      [first, first],
      [[now + 600_000, first[1], first[2], 0, null]],
      [[now, 0, 0, 0, null]],
      [[now, 91, 0, 0, null]],
      [[now, first[1], first[2], -1, null]],
      [[Number.NaN, first[1], first[2], 0, null]],
      Array.from({ length: 301 }, (_, index): LiveFix => [now - 1000 + index, first[1], first[2], 0, null]),
    ];
    for (const batch of wrong) {
      const response = await send(ana, sharing, batch);
      expect([JSON.stringify(batch).slice(0, 80), response.statusCode]).toEqual([expect.any(String), 400]);
    }
    for (const batch of [[[1]], [['a', 1, 2, 3, 4]], 'fixes', [[...first, 1]]])
      expect(
        (await app.as(ana).post('/api/live/sharing/fixes', { sharingId: sharing.sharingId, fixes: batch }))
          .statusCode,
      ).toBe(400);
  });

  test('a repeated batch, old fixes and jumps change nothing', async () => {
    const sharing = await start(ana);
    const { fixes } = driveLive({ seed: 9, laps: 1 });
    const batch = fixes.slice(0, 100);
    expect((await send(ana, sharing, batch)).json()).toEqual({ taken: 100, lastFixAt: batch.at(-1)?.[0] });
    expect((await send(ana, sharing, batch)).json().taken).toBe(0);
    const [at, lat, lon] = batch.at(-1) ?? [0, 0, 0];
    const jump: LiveFix[] = [
      [at + 100, lat, lon, 20, null],
      [at + 200, lat + 0.01, lon, 20, null],
      [at + 300, lat, lon, 20, null],
    ];
    expect((await send(ana, sharing, jump)).json().taken).toBe(2);
    await start(ana);
    const old: LiveFix = [Date.now() - 3_600_000, lat, lon, 20, null];
    const { sharingId } = (await app.as(ana).get('/api/live/sharing')).json().sharing;
    expect((await send(ana, { ...sharing, sharingId }, [old])).json().taken).toBe(0);
  });

  test('a flood of batches gets 429', async () => {
    const cy = await insertSignedIn(app.db);
    const sharing = await start(cy);
    const [fix] = driveLive({ seed: 10, laps: 1 }).fixes;
    if (!fix) throw new Error('There is no fix.');
    await app.database.pool.query("INSERT INTO call_counts VALUES ($1, $2, now() + interval '1 minute')", [
      `driver ${cy.userId} POST /api/live/sharing/fixes`,
      LIVE_LIMITS.batchesPerMinuteMax - 1,
    ]);
    expect((await send(cy, sharing, [fix])).statusCode).toBe(200);
    expect((await send(cy, sharing, [fix])).statusCode).toBe(429);
  });
});

function latest(updates: unknown[]): LiveDriver | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The tests of the contract check what the server sends.
  return (updates as LiveUpdate[]).findLast(({ drivers }) => drivers.length > 0)?.drivers[0];
}
