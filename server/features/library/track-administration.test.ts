import { eq } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { trackAdministrationEndpoints } from '#contract/tracks/administration.ts';
import { bearingDegrees, distanceMeters, middle } from '#engine/geo.ts';
import { KART_TRACK, kartLineAcross } from '#engine/testing/kart-track.ts';
import { addJobsOfStart } from '#server/background-jobs.ts';
import { setAdministrator } from '#server/model/people/role-store.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { readTrackDocument } from './import/read-track-document.ts';
import {
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  type SignedIn,
} from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true, firstName: 'Mara', lastName: 'Lind' });
});

const correct = (trackId: string, payload: object, who: Person = admin) =>
  app.as(who).patch(`/api/admin/tracks/${trackId}`, payload);
const remove = (trackId: string, who: Person = admin) => app.as(who).delete(`/api/admin/tracks/${trackId}`);

async function rowOf(trackId: TrackId) {
  const [row] = await app.db.select().from(tracks).where(eq(tracks.id, trackId));
  if (!row) throw new Error('There is no such row.');
  return row;
}

test('an administrator corrects the names of a track: they show at once, its boards are new, and its laps stay', async () => {
  const trackId = await insertTrack(app.db);
  await insertSession(app.db, { trackId, userId: admin.userId, laps: [{ lapTimeMs: 60_000 }] });
  const before = await rowOf(trackId);
  const correction = { name: ' New Ring ', location: 'Kent', configuration: null, country: 'Wales' };
  const response = await correct(trackId, correction);
  expect(response.statusCode).toBe(200);
  const names = { name: 'New Ring', location: 'Kent', configuration: null, country: 'Wales' };
  expect(response.json()).toMatchObject({ track: { id: trackId, ...names }, sessionsToRetime: 0 });
  expect((await app.as(admin).get(`/api/tracks/${trackId}`)).json()).toMatchObject(names);
  const listed: { id: string }[] = (await app.as(admin).get('/api/tracks')).json();
  expect(listed.find(({ id }) => id === trackId)).toMatchObject(names);
  const after = await rowOf(trackId);
  expect(after.boardVersion).toBe(before.boardVersion + 1);
  expect(after.retimeDueAt).toBeNull();
  expect(after.correctedAt).not.toBeNull();
});

async function startsOf(trackId: TrackId) {
  const { rows } = await app.database.pool.query(
    'SELECT started_at FROM laps WHERE track_id = $1 ORDER BY number',
    [trackId],
  );
  return rows;
}

test('a moved line times the laps again in the background, and the board shows it', async () => {
  const trackId = await insertKartTrack(app.db, { name: 'Moving Kart Ring' });
  await app.as(admin).uploadLaps(trackId, kartCsv());
  const before = await startsOf(trackId);
  // A line at the end of the first sector is crossed at other moments.
  const { name: _name, ...line } = KART_TRACK.sectors[0] ?? { name: '' };
  const response = await correct(trackId, { startFinishLine: line, sectors: [], outline: null });
  expect(response.json()).toMatchObject({ track: { startFinishLine: line }, sessionsToRetime: 1 });
  expect(await startsOf(trackId)).toEqual(before);
  await app.runJobs();
  expect((await rowOf(trackId)).retimeDueAt).toBeNull();
  expect(await startsOf(trackId)).not.toEqual(before);
  expect((await app.as(admin).get(`/api/laps/track/${trackId}/best`)).json()).toHaveLength(1);
});

test('laps that were timed while the line moved are timed again, those of later uploads are not', async () => {
  const trackId = await insertKartTrack(app.db, { name: 'Hurried Kart Ring' });
  const { name: _name, ...line } = KART_TRACK.sectors[0] ?? { name: '' };
  const { time } = app.lapWorkers;
  const spy = vi.spyOn(app.lapWorkers, 'time').mockImplementationOnce(async (...parameters) => {
    const timed = await time(...parameters);
    expect((await correct(trackId, { startFinishLine: line, sectors: [], outline: null })).statusCode).toBe(
      200,
    );
    await app.runJobs();
    return timed;
  });
  const file = kartCsv();
  expect((await app.as(admin).uploadLaps(trackId, file)).statusCode).toBe(200);
  spy.mockRestore();
  const before = await startsOf(trackId);
  await app.runJobs();
  expect((await rowOf(trackId)).retimeDueAt).toBeNull();
  expect(await startsOf(trackId)).not.toEqual(before);
  await app.as(admin).uploadLaps(trackId, kartCsv());
  expect((await rowOf(trackId)).retimeDueAt).toBeNull();
});

const positionOf = ([lat = 0, lon = 0]: readonly number[] = []) => ({ lat, lon });

test('a line that is moved takes the outline with it: it begins there, in the driving direction', async () => {
  const trackId = await insertKartTrack(app.db, { outline: KART_TRACK.outline });
  const { name: _name, ...line } = KART_TRACK.sectors[0] ?? { name: '', ...kartLineAcross(-12, 12) };
  const outlineWith = async (startFinishLine: object): Promise<[number, number][]> =>
    (await correct(trackId, { startFinishLine, sectors: [] })).json().track.outline;
  const begun = await outlineWith(line);
  expect(distanceMeters(middle(line.a, line.b), positionOf(begun[0]))).toBeLessThan(20);
  expect(begun).toHaveLength((KART_TRACK.outline?.length ?? 0) + 1);
  const backwards = bearingDegrees(positionOf(begun[1]), positionOf(begun.at(-2)));
  expect(await outlineWith({ a: line.b, b: line.a, bearingDeg: backwards })).toEqual(begun.toReversed());
});

test('sessions that a stopped server did not time are timed by the next one', async () => {
  const trackId = await insertTrack(app.db);
  await app.db.update(tracks).set({ retimeDueAt: new Date() }).where(eq(tracks.id, trackId));
  await addJobsOfStart(app.database, { startedAt: new Date(), isOnlyWriter: true, log: app.fastify.log });
  await app.runJobs();
  expect((await rowOf(trackId)).retimeDueAt).toBeNull();
});

test.each([
  ['nothing', {}, 'request'],
  ['an empty name', { name: ' ' }, 'name'],
  ['a radius of nothing', { radiusMeters: 0 }, 'radiusMeters'],
  ['a place that is none', { centerLat: 91 }, 'centerLat'],
  ['an unknown status', { status: 'secret' }, 'status'],
  ['a line of one point', { startFinishLine: line([51.1777, 1.1989], [51.1777, 1.1989]) }, 'startFinishLine'],
  ['a line elsewhere', { startFinishLine: line([48, 11], [48.0001, 11]) }, 'startFinishLine'],
  ['a sector elsewhere', { sectors: [{ name: 'S1', ...line([48, 11], [48.0001, 11]) }] }, 'sectors.0'],
  [
    'an outline of two points',
    {
      outline: [
        [51, 1],
        [51, 2],
      ],
    },
    'outline',
  ],
])('%s is refused, and nothing changes', async (_what, correction, field) => {
  const trackId = await insertTrack(app.db);
  const before = await rowOf(trackId);
  const response = await correct(trackId, correction);
  expect(response.statusCode).toBe(400);
  if (field !== 'request') expect(Object.keys(response.json().fields)).toEqual([field]);
  expect(await rowOf(trackId)).toEqual(before);
});

test('two tracks at one place cannot have the same names', async () => {
  await insertTrack(app.db, { name: 'Twin Ring', configuration: 'Long' });
  const other = await insertTrack(app.db, { name: 'Twin Ring', configuration: 'Short' });
  const response = await correct(other, { configuration: 'Long' });
  expect(response.statusCode).toBe(409);
  expect((await correct(other, { configuration: 'Short', country: 'Kent' })).statusCode).toBe(200);
});

test('an administrator deletes a track without laps and gets 409 for one with laps', async () => {
  const [empty, driven] = [await insertTrack(app.db), await insertTrack(app.db)];
  await insertSession(app.db, { trackId: driven, userId: admin.userId, laps: [{ lapTimeMs: 60_000 }] });
  const refused = await remove(driven);
  expect(refused.statusCode).toBe(409);
  expect(refused.json().message).toBe('There are laps on this track, so it cannot be deleted.');
  expect((await app.as(admin).get(`/api/tracks/${driven}`)).statusCode).toBe(200);

  expect((await remove(empty)).json()).toEqual({ removed: true });
  expect((await app.as(admin).get(`/api/tracks/${empty}`)).statusCode).toBe(404);
  expect((await remove(empty)).statusCode).toBe(404);
});

test('the export of all tracks can be imported again, by administrators alone', async () => {
  await insertKartTrack(app.db, { name: 'Exported Ring', configuration: 'Full' });
  const response = await app.as(admin).get('/api/admin/tracks/export');
  expect(response.headers['content-disposition']).toBe('attachment; filename="tracks.json"');
  const { tracks: all } = trackAdministrationEndpoints.exportTracks.response.parse(response.json());
  const exported = all.find(({ name }) => name === 'Exported Ring');
  expect(exported?.startFinishLine).toEqual(KART_TRACK.startFinishLine);
  const read = readTrackDocument(response.body).find(({ name }) => name === 'Exported Ring');
  const { id: _id, timeZone: _timeZone, ...definition } = exported ?? { id: '', timeZone: '' };
  // A track that no set brought has no origin, in a document as in the library.
  const { finishLine: _finishLine, origin, ...rest } = { finishLine: null, ...definition };
  expect([origin, read?.origin]).toEqual([null, undefined]);
  expect(read).toMatchObject({ ...rest, outline: expect.any(Array), problems: {} });
  for (const [headers, status] of [
    [{}, 401],
    [(await insertSignedIn(app.db)).headers, 403],
  ] as const) {
    const refused = await app.as({ headers }).get('/api/admin/tracks/export');
    expect(refused.statusCode).toBe(status);
  }
});

test('only administrators correct, delete and read the log', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertSignedIn(app.db);
  for (const [headers, status] of [
    [{}, 401],
    [driver.headers, 403],
  ] as const) {
    expect((await correct(trackId, { name: 'Mine' }, { headers })).statusCode).toBe(status);
    expect((await remove(trackId, { headers })).statusCode).toBe(status);
    const log = await app.as({ headers }).get('/api/admin/audit-log');
    expect(log.statusCode).toBe(status);
  }
  expect((await rowOf(trackId)).name).not.toBe('Mine');
});

test('the log says who did what to which, latest first, by pages; grants from the terminal too', async () => {
  const trackId = await insertTrack(app.db);
  await correct(trackId, { name: 'Logged Ring', country: 'Wales' });
  await remove(trackId);
  const email = 'new.admin@example.com';
  const userId = await insertUser(app.db, { email, emailVerified: true });
  await insertUser(app.db, { role: 'owner' });
  await setAdministrator(app.db, email.toUpperCase(), true);
  await setAdministrator(app.db, email, false);

  const page = (await app.as(admin).get('/api/admin/audit-log?limit=3')).json();
  expect(page.entries).toMatchObject([
    { action: 'revoke-administration', subject: userId, userId: null, userName: null },
    { action: 'grant-administration', subject: userId, userId: null, userName: null },
    { action: 'remove-track', subject: trackId, userId: admin.userId, userName: 'Mara Lind' },
  ]);
  expect(JSON.stringify(page)).not.toContain('@');
  const next = (await app.as(admin).get('/api/admin/audit-log?limit=1&offset=3')).json();
  expect(next.entries).toMatchObject([
    { action: 'correct-track', subject: trackId, counts: { name: 1, country: 1 } },
  ]);
  expect(next.total).toBe(page.total);
  for (const query of ['limit=0', 'limit=501', 'limit=x', 'offset=-1', 'offset=1e99'])
    expect((await app.as(admin).get(`/api/admin/audit-log?${query}`)).statusCode).toBe(400);
});

function line([aLat, aLon]: [number, number], [bLat, bLon]: [number, number]) {
  return { a: { lat: aLat, lon: aLon }, b: { lat: bLat, lon: bLon }, bearingDeg: null };
}
