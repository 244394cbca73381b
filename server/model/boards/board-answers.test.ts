import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { identityFromClaims } from '#server/model/people/identity.ts';
import { upsertUser } from '#server/model/people/auth-session-store.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { insertSession, insertSignedIn, insertTrack, insertUser } from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { countEntries, refreshSessionBests } from './session-bests-store.ts';
import { DAY_MS } from '#engine/durations.ts';

const app = useTestApp();

const boardOf = (trackId: TrackId, who: Person = null, query = '') =>
  app.as(who).get(`/api/laps/track/${trackId}/best${query}`);

async function insertBoard(drivers: number): Promise<TrackId> {
  const trackId = await insertTrack(app.db);
  for (let i = 0; i < drivers; i++) {
    const userId = await insertUser(app.db);
    await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 + i }] });
  }
  return trackId;
}

test('a client that has a board already gets a 304, until a lap is driven', async () => {
  const trackId = await insertBoard(2);
  const first = await boardOf(trackId);
  expect(first.headers['cache-control']).toBe('private, no-cache');
  const { etag } = first.headers;
  const again = await boardOf(trackId, { headers: { 'if-none-match': etag } });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
  expect((await boardOf(trackId, { headers: { 'if-none-match': `"other", ${etag}` } })).statusCode).toBe(304);

  await insertSession(app.db, { trackId, userId: await insertUser(app.db), laps: [{ lapTimeMs: 59_000 }] });
  const changed = await boardOf(trackId, { headers: { 'if-none-match': etag } });
  expect(changed.statusCode).toBe(200);
  expect(changed.json()).toHaveLength(3);
  expect(changed.headers.etag).not.toBe(etag);
});

test('compressed and plain answers are the same', async () => {
  const trackId = await insertBoard(8);
  const plain = await boardOf(trackId);
  expect(plain.headers['content-encoding']).toBeUndefined();
  const packed = await boardOf(trackId, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(packed.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
    'content-type': 'application/json; charset=utf-8',
  });
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  expect(packed.headers.etag).toBe(plain.headers.etag);
  const refused = await boardOf(trackId, { headers: { 'accept-encoding': 'gzip;q=0' } });
  expect(refused.headers['content-encoding']).toBeUndefined();
});

test('boards under different filters, pages and drivers are never mixed up', async () => {
  const trackId = await insertBoard(3);
  const { userId, headers } = await insertSignedIn(app.db);
  await insertSession(app.db, {
    trackId,
    userId,
    tireCompound: 'rcomp',
    laps: [{ lapTimeMs: 70_000 }],
  });
  const lengthOf = async (query: string, asked = {}) =>
    (await boardOf(trackId, { headers: asked }, query)).json().length;
  for (let i = 0; i < 2; i++) {
    expect(await lengthOf('')).toBe(4);
    expect(await lengthOf('?limit=2')).toBe(2);
    expect(await lengthOf('?limit=2&offset=3')).toBe(1);
    expect(await lengthOf('?tire=rcomp')).toBe(1);
    expect(await lengthOf('?tire=rcomp&make=Unmade')).toBe(0);
    expect(await lengthOf('?limit=2&includeOwn=true')).toBe(2);
    expect(await lengthOf('?limit=2&includeOwn=true', headers)).toBe(3);
    expect(await lengthOf('?timePeriod=&make=')).toBe(4);
  }
});

test('a name that changes at a sign-in shows on the board; a picture of the provider never does', async () => {
  const trackId = await insertTrack(app.db);
  const signInAs = (name: string, picture?: string) =>
    upsertUser(app.db, identityFromClaims('https://id.example', 'sub', { name, picture }));
  const userId = await signInAs('Ann Lee');
  await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const shown = async () => {
    const [{ userName, userAvatar }] = (await boardOf(trackId)).json();
    return [userName, userAvatar];
  };
  expect(await shown()).toEqual(['Ann Lee', null]);
  await signInAs('Ann Park');
  expect(await shown()).toEqual(['Ann Park', null]);
  await signInAs('Ann Park', 'https://id.example/ann.png');
  expect(await shown()).toEqual(['Ann Park', null]);
});

test('a library of cars that is loaded again changes the boards', async () => {
  const trackId = await insertBoard(1);
  const version = async () =>
    (await app.database.pool.query('SELECT board_version FROM tracks WHERE id = $1', [trackId])).rows;
  const before = await version();
  await loadLibraries(app.db);
  expect(await version()).not.toEqual(before);
});

test('a board of a period is asked for each time: laps leave it by themselves', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db);
  await insertSession(app.db, { trackId, userId, startedAt: new Date(), laps: [{ lapTimeMs: 60_000 }] });
  const monthly = async () => (await boardOf(trackId, null, '?timePeriod=1-month')).json();
  expect(await monthly()).toHaveLength(1);
  // Two months seem to pass, which changes nothing on the board itself.
  await app.database.pool.query('UPDATE sessions SET started_at = $2 WHERE track_id = $1', [
    trackId,
    new Date(Date.now() - 62 * DAY_MS),
  ]);
  const changed = { trackIds: [trackId], userIds: [userId] };
  await refreshSessionBests(app.db, changed, await countEntries(app.db, changed));
  expect(await monthly()).toEqual([]);
});

test('a board shows the best lap with the evidence that is asked for', async () => {
  const trackId = await insertTrack(app.db);
  const [ana, ben] = [await insertUser(app.db), await insertUser(app.db)];
  const videoUrl = 'https://video.example/lap';
  const byLogger = { status: 'warning', reasons: ['timed_by_logger'] } as const;
  await insertSession(app.db, { trackId, userId: ana, laps: [{ lapTimeMs: 60_000 }] });
  await insertSession(app.db, { trackId, userId: ana, videoUrl, laps: [{ lapTimeMs: 61_000 }] });
  await insertSession(app.db, {
    trackId,
    userId: ben,
    laps: [{ lapTimeMs: 59_000, ...byLogger, reasons: [...byLogger.reasons] }],
  });
  const times = async (query: string) =>
    (await boardOf(trackId, null, query)).json().map(({ lapTimeMs }: { lapTimeMs: number }) => lapTimeMs);
  expect(await times('')).toEqual([59_000, 60_000]);
  expect(await times('?evidence=')).toEqual([59_000, 60_000]);
  expect(await times('?evidence=file')).toEqual([60_000]);
  expect(await times('?evidence=video')).toEqual([61_000]);
  expect(await times('?evidence=video&timePeriod=1-month')).toEqual([]);
  const summary = await app.asGuest().get(`/api/laps/track/${trackId}/summary?evidence=video`);
  expect(summary.json()).toMatchObject({ totalLaps: 1, racers: 1 });
  expect((await boardOf(trackId, null, '?evidence=hearsay')).statusCode).toBe(400);
});
