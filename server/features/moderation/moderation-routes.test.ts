import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { moderationEndpoints } from '#contract/moderation/evidence.ts';
import { asTrackId } from '#contract/testing/ids.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { carModels } from '#server/model/cars/schema.ts';
import { lapFlags } from '#server/model/flags/schema.ts';
import { laps } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { insertSession, insertSignedIn, insertTrack, insertUserCar } from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

const TRACK = asTrackId('weathertech-raceway-laguna-seca-full');
// The first position is left out, which makes it a recording of its own: samples are not checked.
const RECORDING = readFileSync(
  join(projectFolder, 'data/lap-files/laguna-seca-racechrono.csv'),
  'utf8',
).replace(/^1778953330,[^\n]*\n/m, '');

beforeAll(async () => {
  await loadLibraries(app.db);
});

const FLAG = { reason: 'time', sentence: 'Too quick for this car.' };

/** A lap with a faster one of another driver, flagged by a third. */
async function insertFlagged() {
  const trackId = await insertTrack(app.db);
  const [driver, other, flagger] = [
    await insertSignedIn(app.db),
    await insertSignedIn(app.db),
    await insertSignedIn(app.db),
  ];
  const moderator = await insertSignedIn(app.db, { role: 'moderator' });
  const sessionId = await insertSession(app.db, {
    trackId,
    userId: driver.userId,
    laps: [{ lapTimeMs: 62_000 }, { lapTimeMs: 61_000 }],
  });
  await insertSession(app.db, { trackId, userId: other.userId, laps: [{ lapTimeMs: 60_000 }] });
  const rows = await app.db.select().from(laps).where(eq(laps.sessionId, sessionId));
  const lap = rows.find(({ lapTimeMs }) => lapTimeMs === 61_000);
  if (!lap) throw new Error('There is no lap.');
  const url = `/api/tracks/${trackId}/laps/${lap.id}`;
  expect((await app.as(flagger).post(`${url}/flags`, FLAG)).statusCode).toBe(200);
  return {
    trackId,
    driver,
    other,
    flagger,
    moderator,
    lap,
    url,
    adminUrl: url.replace('/api/', '/api/admin/'),
  };
}

type Flagged = Awaited<ReturnType<typeof insertFlagged>>;

const decide = ({ adminUrl }: Flagged, person: Person, verdict = 'keep') =>
  app.as(person).post(`${adminUrl}/decision`, { verdict, reason: 'The lap cuts the last corner.' });

async function getDecided(person: Person, { lap }: Flagged) {
  const response = await app.as(person).get(`/api/admin/decided-laps?lapIds=${lap.id}`);
  return moderationEndpoints.decidedLaps.response.parse(response.json());
}

const getWaiting = async (person: Person) => {
  const response = await app.as(person).get('/api/admin/waiting');
  return moderationEndpoints.waiting.response.parse(response.json());
};

async function getEvidence(person: Person, adminUrl: string, query = '') {
  const response = await app.as(person).get(`${adminUrl}/evidence${query}`);
  expect(response.statusCode).toBe(200);
  return moderationEndpoints.evidence.response.parse(response.json());
}

test('only moderators see evidence, decisions and what waits', async () => {
  const one = await insertFlagged();
  for (const path of ['/api/admin/waiting', '/api/admin/decided-laps', `${one.adminUrl}/evidence`]) {
    expect((await app.asGuest().get(path)).statusCode).toBe(401);
    for (const person of [one.driver, one.flagger])
      expect((await app.as(person).get(path)).statusCode).toBe(403);
    expect((await app.as(one.moderator).get(path)).statusCode).toBe(200);
  }
  const wrong = ['/api/admin/decided-laps?lapIds=none', `${one.adminUrl}/evidence?reason=envy`];
  for (const path of wrong) expect((await app.as(one.moderator).get(path)).statusCode).toBe(400);
});

test('evidence is there while a flag is open, for its reasons', async () => {
  const one = await insertFlagged();
  const url = `${one.adminUrl}/evidence`;
  expect((await app.as(one.moderator).get(`${url}?reason=tires`)).statusCode).toBe(404);
  const elsewhere = url.replace(one.trackId, await insertTrack(app.db));
  expect((await app.as(one.moderator).get(elsewhere)).statusCode).toBe(404);
  await decide(one, one.moderator);
  expect((await app.as(one.moderator).get(url)).statusCode).toBe(409);
});

test('a flag without a figure shows the lap among the others', async () => {
  const one = await insertFlagged();
  const { groups, curve } = await getEvidence(one.moderator, one.adminUrl);
  expect(curve).toBeNull();
  expect(groups).toEqual([{ scope: 'all', limitMs: null, timesMs: [60_000] }]);
});

test('the fastest other lap of the queue is of another driver', async () => {
  const one = await insertFlagged();
  const queue = (await app.as(one.moderator).get('/api/admin/flagged-laps')).json();
  const found = queue.find(({ lapId }: { lapId: string }) => lapId === one.lap.id);
  expect(found).toMatchObject({
    record: { lapTimeMs: 60_000 },
    driverOtherBest: { lapTimeMs: 62_000 },
    driverCount: 2,
    rank: 2,
  });
});

test('a recording of a quicker car is shown with its power along the lap, the limit and the place', async () => {
  const [driver, moderator] = [
    await insertSignedIn(app.db),
    await insertSignedIn(app.db, { role: 'moderator' }),
  ];
  const key = eq(carModels.modelKey, 'mazda-mx-5-na-1-6');
  const [model] = await app.db.select().from(carModels).where(key);
  if (!model) throw new Error('The library has this car.');
  const userCarId = await insertUserCar(app.db, { userId: driver.userId, carModelId: model.id });
  const file = { name: 'laps.csv', content: RECORDING };
  const uploaded = await app.as(driver).uploadLaps(TRACK, file, { userCarId, tireCompound: 'rcomp' });
  const { bestLapId } = uploaded.json().results[0];
  await app.runJobs();
  const adminUrl = `/api/admin/tracks/${TRACK}/laps/${bestLapId}`;
  const { curve, path, place, closeUp } = await getEvidence(moderator, adminUrl, '?reason=power');
  const { measure } = (await app.as(moderator).get('/api/admin/flagged-laps'))
    .json()
    .find(({ lapId }: { lapId: string }) => lapId === bestLapId).flags[0];
  expect(curve).toMatchObject({ quantity: 'power', limit: measure.limit });
  // The stretch is the one of which the check has its figure.
  expect(curve?.held?.value).toBeCloseTo(measure.found, 1);
  expect(curve?.held?.seconds).toBeCloseTo(3, 0);
  if (!curve?.held || !path || !place || !closeUp) throw new Error('The evidence is whole.');
  const held = curve.values.slice(curve.held.from, curve.held.to + 1);
  expect(held.some((value) => value !== null && value > measure.limit)).toBe(true);
  expect(path.lats).toHaveLength(curve.values.length);
  expect(place.lats.length).toBeGreaterThan(3);
  expect(closeUp.lap.lats.length).toBeGreaterThan(place.lats.length);
});

test('a decision is undone at any time by those who may decide, and the list says who decided', async () => {
  const one = await insertFlagged();
  const [second, third] = [
    await insertSignedIn(app.db, { role: 'moderator' }),
    await insertSignedIn(app.db, { isAdmin: true }),
  ];
  await decide(one, one.moderator, 'reject');
  const decided = await getDecided(one.moderator, one);
  expect(decided).toMatchObject({
    total: 1,
    laps: [{ verdict: 'reject', isOwnDecision: true, whyNot: null, lapTimeMs: 61_000 }],
  });
  expect((await getDecided(second, one)).laps).toMatchObject([{ isOwnDecision: false, whyNot: null }]);
  const afterLast = await app.as(second).get(`/api/admin/decided-laps?lapIds=${one.lap.id}&limit=1&offset=1`);
  expect(afterLast.json()).toEqual({ laps: [], total: 1 });
  // The driver appeals: somebody else than who decided undoes it.
  await app.as(one.driver).post(`${one.url}/appeal`, { sentence: 'It was the whole lap.' });
  expect((await getDecided(one.moderator, one)).laps[0]?.whyNot).toContain('somebody else decides');
  await decide(one, second, 'keep');
  // The first moderator, whose decision was appealed against, does not undo the decision on the appeal.
  expect((await getDecided(one.moderator, one)).laps[0]?.whyNot).toContain('somebody else decides');
  expect((await app.as(one.moderator).delete(`${one.adminUrl}/decision`)).statusCode).toBe(403);
  expect((await getDecided(third, one)).laps[0]?.whyNot).toBeNull();
  expect((await app.as(third).delete(`${one.adminUrl}/decision`)).statusCode).toBe(200);
  expect((await getDecided(third, one)).laps).toMatchObject([{ verdict: 'reject' }]);
});

test('a decision stays in the list when the account of who flagged the lap is deleted', async () => {
  const one = await insertFlagged();
  await decide(one, one.moderator);
  await app.db.delete(lapFlags).where(eq(lapFlags.lapId, one.lap.id));
  expect((await getDecided(one.moderator, one)).laps).toMatchObject([{ trackId: one.trackId }]);
});

test('what waits is counted for those who may decide on it', async () => {
  const one = await insertFlagged();
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const before = await getWaiting(one.moderator);
  const ofAdmin = await getWaiting(admin);
  expect(before.flags).toBeGreaterThan(0);
  expect(before.cars).toBe(0);
  await app.db.update(tracks).set({ status: 'community_submitted' }).where(eq(tracks.id, one.trackId));
  const [model] = await app.db.select().from(carModels).limit(1);
  if (!model) throw new Error('The library has cars.');
  await app.db.update(carModels).set({ status: 'community_submitted' }).where(eq(carModels.id, model.id));
  expect(await getWaiting(one.moderator)).toEqual({ ...before, tracks: before.tracks + 1 });
  expect(await getWaiting(admin)).toEqual({
    ...ofAdmin,
    tracks: ofAdmin.tracks + 1,
    cars: ofAdmin.cars + 1,
  });
  await decide(one, one.moderator, 'reject');
  expect((await getWaiting(admin)).flags).toBe(ofAdmin.flags - 1);
  await app.as(one.driver).post(`${one.url}/appeal`, { sentence: 'It was the whole lap.' });
  expect((await getWaiting(admin)).appeals).toBe(ofAdmin.appeals + 1);
  // An appeal does not wait for the moderator whom it is against.
  expect((await getWaiting(one.moderator)).appeals).toBe(before.appeals);
});
