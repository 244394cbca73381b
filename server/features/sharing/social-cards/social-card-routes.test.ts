import { expect, test } from 'vitest';
import sharp from 'sharp';
import { insertSession, insertSignedIn, insertTrack, insertUser } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { eventBody } from '#server/testing/race-events.ts';

const app = useTestApp();
const guest = app.asGuest();

const get = (trackId: string, headers?: Record<string, string>) =>
  guest.get(`/api/tracks/${trackId}/preview.png`, headers);

const OUTLINE: [number, number][] = [
  [51.1777, 1.1989],
  [51.1787, 1.1999],
  [51.1777, 1.2009],
  [51.1767, 1.1999],
];

test('a link to a track has a picture, of the size that is asked for everywhere', async () => {
  const trackId = await insertTrack(app.db, { outline: OUTLINE });
  const response = await get(trackId);
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=300',
  });
  expect(await sharp(response.rawPayload).metadata()).toMatchObject({
    format: 'png',
    width: 1200,
    height: 630,
  });
});

test('there is no picture of a track that does not exist', async () => {
  expect((await get('no-such-track')).statusCode).toBe(404);
  expect((await get('No%20Id')).statusCode).toBe(400);
});

test('a client that has the picture gets it again only after the record has changed', async () => {
  const { db } = app.database;
  const trackId = await insertTrack(db, { outline: OUTLINE });
  const first = await get(trackId);
  const etag = String(first.headers['etag']);
  const again = await get(trackId, { 'if-none-match': etag });
  expect(again.statusCode).toBe(304);
  expect(again.rawPayload).toHaveLength(0);

  const userId = await insertUser(db);
  await insertSession(db, { trackId, userId, laps: [{ lapTimeMs: 61_234 }] });
  const changed = await get(trackId, { 'if-none-match': etag });
  expect(changed.statusCode).toBe(200);
  expect(changed.rawPayload.equals(first.rawPayload)).toBe(false);
});

test('a link to a lap that ranks has a picture with its time, and one to another lap has none', async () => {
  const { db, pool } = app.database;
  const trackId = await insertTrack(db, { outline: OUTLINE });
  const userId = await insertUser(db);
  const laps = [{ lapTimeMs: 60_000 }, { lapTimeMs: 59_000, status: 'rejected' as const }];
  const sessionId = await insertSession(db, { trackId, userId, laps });
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM laps WHERE session_id = $1 ORDER BY number',
    [sessionId],
  );
  const [ranking, rejected] = rows.map(({ id }) => `/api/tracks/${trackId}/laps/${id}/preview.png`);
  const picture = await guest.get(ranking ?? '');
  expect(picture.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=300',
  });
  expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
  const { etag } = picture.headers;
  expect((await guest.get(ranking ?? '', { 'if-none-match': String(etag) })).statusCode).toBe(304);
  expect((await guest.get(rejected ?? '')).statusCode).toBe(404);
  expect((await guest.get(`${ranking}?vs=${rows[1]?.id}`)).statusCode).toBe(404);
  expect((await guest.get(`${ranking}?vs=no-id`)).statusCode).toBe(400);
  expect((await guest.get(`/api/tracks/${trackId}/laps/no-id/preview.png`)).statusCode).toBe(400);
});

test('a link to a comparison has a picture of its own, which another gap changes', async () => {
  const { db, pool } = app.database;
  const trackId = await insertTrack(db, { outline: OUTLINE });
  for (const lapTimeMs of [60_000, 61_250, 61_251]) {
    await insertSession(db, { trackId, userId: await insertUser(db), laps: [{ lapTimeMs }] });
  }
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM laps WHERE track_id = $1 ORDER BY lap_time_ms',
    [trackId],
  );
  const [reference, second, third] = rows.map(({ id }) => id);
  const alone = `/api/tracks/${trackId}/laps/${reference}/preview.png`;
  const pictures = await Promise.all(
    [alone, `${alone}?vs=${second}`, `${alone}?vs=${third}`].map(async (url) => {
      const { rawPayload } = await guest.get(url);
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
      return rawPayload.toString('base64');
    }),
  );
  expect(new Set(pictures).size).toBe(3);
});

test('a link to a driver has a picture for guests, of what the boards show of the driver', async () => {
  const { db } = app.database;
  const trackId = await insertTrack(db, { outline: OUTLINE });
  const userId = await insertUser(db, { firstName: 'Zoë', lastName: 'Faber' });
  const picture = `/api/users/${userId}/preview.png`;
  expect((await guest.get(picture)).statusCode).toBe(404);
  await insertSession(db, { trackId, userId, laps: [{ lapTimeMs: 61_234 }] });
  const first = await guest.get(picture);
  expect(await sharp(first.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
  const byName = await guest.get(`/api/users/${encodeURIComponent('Zoë Faber')}/preview.png`);
  expect(byName.rawPayload.equals(first.rawPayload)).toBe(true);
  const { etag } = first.headers;
  expect((await guest.get(picture, { 'if-none-match': String(etag) })).statusCode).toBe(304);

  const faster = await insertUser(db);
  await insertSession(db, { trackId, userId: faster, laps: [{ lapTimeMs: 60_000 }] });
  const withoutRecord = await guest.get(picture, { 'if-none-match': String(etag) });
  expect(withoutRecord.rawPayload.equals(first.rawPayload)).toBe(false);
});

test('there is no picture of a driver who does not exist, or whose lap does not rank', async () => {
  const { db } = app.database;
  const userId = await insertUser(db);
  const trackId = await insertTrack(db, { outline: OUTLINE });
  await insertSession(db, { trackId, userId, laps: [{ lapTimeMs: 61_000, status: 'rejected' }] });
  for (const idOrName of [userId, 'no-driver', '%E2%80%AE', encodeURIComponent('../../tracks')])
    expect((await guest.get(`/api/users/${idOrName}/preview.png`)).statusCode, idOrName).toBe(404);
  expect((await guest.get(`/api/users/${'x'.repeat(201)}/preview.png`)).statusCode).toBe(400);
});

test('a link to a live session has a picture until the session has ended', async () => {
  const { db } = app.database;
  const trackId = await insertTrack(db, { outline: OUTLINE });
  const driver = app.as(await insertSignedIn(db));
  const { code } = (
    await driver.post('/api/live/sharing', { trackId, visibility: 'link', title: 'Club Day' })
  ).json();
  const picture = `/api/live/${code}/preview.png`;
  const response = await guest.get(picture);
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=300',
  });
  expect(await sharp(response.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
  expect((await driver.delete('/api/live/sharing')).statusCode).toBe(200);
  expect((await guest.get(picture)).statusCode).toBe(404);
  expect((await guest.get('/api/live/no-code/preview.png')).statusCode).toBe(400);
});

test('a link to an event has a picture, which changes with its results; one to a draft has none', async () => {
  const organiser = app.as(await insertSignedIn(app.db, { role: 'moderator' }));
  const trackId = await insertTrack(app.db, { outline: OUTLINE });
  const created = await organiser.post('/api/events', eventBody(trackId));
  const path = `/api/events/${created.json().id}`;
  const getPicture = () => guest.get(`${path}/preview.png`);
  expect((await getPicture()).statusCode).toBe(404);

  await organiser.post(`${path}/state`, { state: 'open' });
  const { classes } = (await guest.get(path)).json();
  const entry = { classId: classes[0].id, number: '7', group: null, driverName: 'Ada Brook' };
  const entered = await organiser.post(`${path}/entries`, { ...entry, carName: 'Opel Corsa' });
  await organiser.post(`${path}/state`, { state: 'running' });
  const before = await getPicture();
  expect(before.headers).toMatchObject({ 'content-type': 'image/png' });
  expect(await sharp(before.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });

  const run = { courseNumber: 1, timeMs: 64_123, cones: 0, gates: 0, status: 'timed', reason: null };
  await organiser.post(`${path}/runs`, { ...run, entryId: entered.json().id });
  const after = await getPicture();
  expect(after.statusCode).toBe(200);
  expect(after.rawPayload.equals(before.rawPayload)).toBe(false);
});
