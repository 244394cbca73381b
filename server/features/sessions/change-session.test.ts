import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { laps } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
  type TestLap,
} from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

async function insertDriven(given: { laps?: TestLap[] } = {}) {
  const driver = await insertSignedIn(app.db);
  const trackId = await insertTrack(app.db);
  const carModelId = await insertCarModel(app.db, { modelDisplay: 'MX-5 1.8', generation: 'NB' });
  const userCarId = await insertUserCar(app.db, { userId: driver.userId, carModelId });
  const times = given.laps ?? [{ lapTimeMs: 62_000 }, { lapTimeMs: 60_000 }, { lapTimeMs: 61_000 }];
  const session = { trackId, userId: driver.userId, userCarId, tireCompound: 'street-300' as const };
  const sessionId = await insertSession(app.db, { ...session, laps: times, videoUrl: 'https://a.example/1' });
  return { ...driver, trackId, userCarId, sessionId };
}

const change = (sessionId: string, payload: object, who: Person = null) =>
  app.as(who).patch(`/api/sessions/${sessionId}`, payload);
const board = async (trackId: string) => (await guest.get(`/api/laps/track/${trackId}/best`)).json();

async function lapIds(trackId: TrackId): Promise<string[]> {
  const rows = await app.db.select().from(laps).where(eq(laps.trackId, trackId)).orderBy(laps.number);
  return rows.map(({ id }) => id);
}

async function listAudit(sessionId: string) {
  return await app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, sessionId))
    .orderBy(desc(auditLog.at));
}

test('a driver corrects car, tyres and video of a session: the board shows it at once', async () => {
  const { headers, userId, trackId, sessionId } = await insertDriven();
  const carModelId = await insertCarModel(app.db, {
    make: 'Lotus',
    modelFamily: 'Elise',
    modelDisplay: 'Elise S',
  });
  const userCarId = await insertUserCar(app.db, { userId, carModelId, nickname: 'Featherweight' });
  expect(await board(trackId)).toMatchObject([{ carMake: 'Mazda', tireCompound: 'street-300' }]);
  const videoUrl = 'https://video.example/lap?v=2';
  const response = await change(sessionId, { userCarId, tireCompound: 'rcomp', videoUrl }, { headers });
  expect(response.statusCode).toBe(200);
  const changed = { userCarId, tireCompound: 'rcomp', videoUrl, linesPrivate: null };
  expect(response.json()).toMatchObject({ id: sessionId, ...changed, carName: 'Featherweight', lapCount: 3 });
  expect(await board(trackId)).toMatchObject([
    { carMake: 'Lotus', carModel: 'Elise', tireCompound: 'rcomp', videoUrl, lapTimeMs: 60_000 },
  ]);
  const byTires = `/api/laps/track/${trackId}/best?tire=street-300`;
  expect((await guest.get(byTires)).json()).toEqual([]);
});

test('fields that are not given stay, a video can be removed, and equal values change nothing', async () => {
  const { headers, trackId, sessionId, userCarId } = await insertDriven();
  expect((await change(sessionId, { videoUrl: null }, { headers })).json()).toMatchObject({
    videoUrl: null,
    userCarId,
    tireCompound: 'street-300',
  });
  expect((await board(trackId))[0]).not.toHaveProperty('videoUrl');
  const same = { userCarId, tireCompound: 'street-300', videoUrl: null, linesPrivate: null, laps: [] };
  expect((await change(sessionId, same, { headers })).statusCode).toBe(200);
  expect(await listAudit(sessionId)).toHaveLength(1);
});

test('whether others may see its lines is kept for each session, and follows the profile again with null', async () => {
  const { headers, sessionId } = await insertDriven();
  for (const linesPrivate of [true, false, null]) {
    const response = await change(sessionId, { linesPrivate }, { headers });
    expect(response.json()).toMatchObject({ linesPrivate });
  }
});

test('a lap that is left out leaves the board, keeps its id, and can be put back', async () => {
  const { headers, trackId, sessionId } = await insertDriven();
  const [first, best, third] = await lapIds(trackId);
  const out = await change(sessionId, { laps: [{ lapId: best, isLeftOut: true }] }, { headers });
  expect(out.json()).toMatchObject({
    bestLapId: third,
    bestLapTimeMs: 61_000,
    lapCount: 3,
    refusedLaps: [{ lapId: best, number: 2, lapTimeMs: 60_000, reasons: ['left_out'] }],
    laps: [
      { lapId: first, status: 'valid', isLeftOut: false },
      { lapId: best, status: 'rejected', reasons: ['left_out'], isLeftOut: true },
      { lapId: third, status: 'valid', isLeftOut: false },
    ],
  });
  expect(await board(trackId)).toMatchObject([{ lapId: third, lapTimeMs: 61_000 }]);
  const again = await change(sessionId, { laps: [{ lapId: best, isLeftOut: true }] }, { headers });
  expect(again.statusCode).toBe(200);
  const back = await change(sessionId, { laps: [{ lapId: best, isLeftOut: false }] }, { headers });
  expect(back.json()).toMatchObject({ bestLapId: best, refusedLaps: [] });
  expect(await board(trackId)).toMatchObject([{ lapId: best, lapTimeMs: 60_000 }]);
});

test('a lap with a warning gets its warning back, and a board without its only laps is empty', async () => {
  const warned: TestLap = { lapTimeMs: 60_000, status: 'warning', reasons: ['gap_in_data'] };
  const { headers, trackId, sessionId } = await insertDriven({ laps: [warned] });
  const [lapId] = await lapIds(trackId);
  await change(sessionId, { laps: [{ lapId, isLeftOut: true }] }, { headers });
  expect(await board(trackId)).toEqual([]);
  const [track] = await app.db.select().from(tracks).where(eq(tracks.id, trackId));
  expect(track?.entryCount).toBe(0);
  const back = await change(sessionId, { laps: [{ lapId, isLeftOut: false }] }, { headers });
  expect(back.json().laps).toMatchObject([{ status: 'warning', reasons: ['gap_in_data'], isLeftOut: false }]);
});

test('the audit log says who changed what, with cars and tyres before and after', async () => {
  const { headers, userId, trackId, sessionId } = await insertDriven();
  const carModelId = await insertCarModel(app.db, { modelDisplay: 'Elise S', generation: 'S2' });
  const userCarId = await insertUserCar(app.db, { userId, carModelId });
  const [lapId] = await lapIds(trackId);
  const videoUrl = 'https://video.example/who-i-am';
  const wish = { userCarId, tireCompound: 'rcomp', videoUrl, laps: [{ lapId, isLeftOut: true }] };
  await change(sessionId, wish, { headers });
  const changes = {
    car: ['MX-5 1.8 (NB)', 'Elise S (S2)'],
    tireCompound: ['street-300', 'rcomp'],
    lapsLeftOut: [null, '1'],
  };
  const counts = { userCarId: 1, tireCompound: 1, videoUrl: 1, lapsLeftOut: 1, lapsPutBack: 0 };
  const entry = { userId, action: 'change-session', subject: sessionId, counts, changes };
  expect(await listAudit(sessionId)).toMatchObject([entry]);
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const log = await app.as(admin).get('/api/admin/audit-log');
  expect(log.json().entries).toContainEqual(expect.objectContaining(entry));
  expect(log.body).not.toContain('who-i-am');
});

describe('refused', () => {
  test('a guest gets 401, and nothing is changed', async () => {
    const { trackId, sessionId } = await insertDriven();
    expect((await change(sessionId, { tireCompound: 'rcomp' })).statusCode).toBe(401);
    expect((await guest.get(`/api/sessions/${sessionId}`)).statusCode).toBe(401);
    expect(await board(trackId)).toMatchObject([{ tireCompound: 'street-300' }]);
  });

  test('another driver gets 403, an administrator too', async () => {
    const { trackId, sessionId } = await insertDriven();
    for (const isAdmin of [false, true]) {
      const admin = await insertSignedIn(app.db, { isAdmin });
      expect((await change(sessionId, { tireCompound: 'rcomp' }, admin)).statusCode).toBe(403);
      const read = await app.as(admin).get(`/api/sessions/${sessionId}`);
      expect(read.statusCode).toBe(403);
      expect(read.body).not.toContain('a.example');
    }
    expect(await board(trackId)).toMatchObject([{ tireCompound: 'street-300' }]);
    expect(await listAudit(sessionId)).toEqual([]);
  });

  test('a car of somebody else, or one that has left the garage, gets 403; the own retired one may stay', async () => {
    const { headers, userId, trackId, sessionId } = await insertDriven();
    const strange = await insertUserCar(app.db, { userId: (await insertSignedIn(app.db)).userId });
    const retired = await insertUserCar(app.db, { userId, retiredAt: new Date() });
    for (const userCarId of [strange, retired, randomUUID()]) {
      const response = await change(sessionId, { tireCompound: 'rcomp', userCarId }, { headers });
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject({ message: 'This car is not in your garage.' });
    }
    expect(await board(trackId)).toMatchObject([{ carMake: 'Mazda', tireCompound: 'street-300' }]);
    const own = { trackId, userId, userCarId: retired, laps: [{ lapTimeMs: 70_000 }] };
    const older = await insertSession(app.db, own);
    expect((await change(older, { userCarId: retired }, { headers })).statusCode).toBe(200);
  });

  test('a session or a lap that is not there gets 404, and a lap of another session too', async () => {
    const { headers, trackId, sessionId } = await insertDriven();
    const other = await insertDriven();
    expect((await change(randomUUID(), {}, { headers })).statusCode).toBe(404);
    const read = await app.as({ headers }).get(`/api/sessions/${randomUUID()}`);
    expect(read.statusCode).toBe(404);
    for (const lapId of [randomUUID(), (await lapIds(other.trackId))[0]]) {
      const wish = { tireCompound: 'rcomp', laps: [{ lapId, isLeftOut: true }] };
      expect((await change(sessionId, wish, { headers })).statusCode).toBe(404);
    }
    expect(await board(trackId)).toMatchObject([{ tireCompound: 'street-300' }]);
  });

  test('a lap that does not count cannot be left out', async () => {
    const rejected: TestLap = { lapTimeMs: 50_000, status: 'rejected', reasons: ['off_track'] };
    const { headers, trackId, sessionId } = await insertDriven({ laps: [rejected, { lapTimeMs: 60_000 }] });
    const [lapId] = await lapIds(trackId);
    const response = await change(sessionId, { laps: [{ lapId, isLeftOut: true }] }, { headers });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ message: 'Lap 1 does not count anyway.' });
    const back = await change(sessionId, { laps: [{ lapId, isLeftOut: false }] }, { headers });
    expect(back.json().laps[0]).toMatchObject({ status: 'rejected', reasons: ['off_track'] });
  });

  test('bad input gets 400 with the field', async () => {
    const { headers, sessionId } = await insertDriven();
    const bad: [string, unknown][] = [
      ['userCarId', 'mine'],
      ['userCarId', null],
      ['tireCompound', 'wets'],
      ['videoUrl', 'javascript:alert(1)'],
      ['videoUrl', ''],
      ['linesPrivate', 'yes'],
      ['laps', [{ lapId: 'x', isLeftOut: true }]],
      ['laps', [{ lapId: randomUUID() }]],
      ['laps', Array.from({ length: 5_001 }, () => ({ lapId: randomUUID(), isLeftOut: true }))],
    ];
    for (const [field, value] of bad) {
      const response = await change(sessionId, { [field]: value }, { headers });
      expect(response.statusCode, field).toBe(400);
      const fields = Object.keys(response.json().fields);
      expect(fields.every((name) => name.startsWith(field))).toBe(true);
    }
    expect((await change('no-uuid', {}, { headers })).statusCode).toBe(400);
    expect(await listAudit(sessionId)).toEqual([]);
  });
});
