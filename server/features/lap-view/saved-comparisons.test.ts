import { beforeAll, expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { savedComparisonEndpoints } from '#contract/lap-view/saved-comparisons.ts';
import { insertComparison } from '#server/model/comparisons/saved-comparison-store.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { insertKartUpload, type KartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { deleteForGood } from '#server/testing/leave.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let upload: KartUpload;
let reader: SignedIn;

beforeAll(async () => {
  upload = await insertKartUpload(app, await insertKartTrack(app.db));
  reader = await insertSignedIn(app.db);
});

const body = (given: object = {}) => ({
  name: 'Old tyres',
  trackId: upload.trackId,
  lapIds: [upload.lap.id, upload.nextLap.id],
  ...given,
});

const save = (who: Person, given: object = {}) => app.as(who).post('/api/comparisons', body(given));

async function listSaved(who: Person) {
  const response = await app.as(who).get('/api/comparisons');
  return savedComparisonEndpoints.list.response.parse(response.json());
}

const rename = (who: Person, id: string, name: unknown) =>
  app.as(who).put(`/api/comparisons/${id}`, { name });

test('a saved comparison gets another name from its owner alone', async () => {
  const person = await insertSignedIn(app.db);
  const { id } = (await save(person)).json();
  expect((await rename(person, id, ' Wet against dry ')).json()).toEqual({ renamed: true });
  expect(await listSaved(person)).toMatchObject([{ id, name: 'Wet against dry' }]);
  for (const name of [' ', 'x'.repeat(LIMITS.comparisonNameCharactersMax + 1), 'a\u0000b', 7])
    expect((await rename(person, id, name)).statusCode, String(name)).toBe(400);
  expect((await rename(person, 'no-id', 'Name')).statusCode).toBe(400);
  expect((await rename(person, unknown(1), 'Name')).statusCode).toBe(404);
  expect((await rename(reader, id, 'Name')).statusCode).toBe(403);
  expect((await app.asGuest().put(`/api/comparisons/${id}`, { name: 'Name' })).statusCode).toBe(401);
  expect(await listSaved(person)).toMatchObject([{ id, name: 'Wet against dry' }]);
});

test('a comparison is saved under a name, found again and deleted', async () => {
  const first = await save(reader);
  expect(first.statusCode).toBe(200);
  await save(reader, { name: ' New tyres ', lapIds: [upload.nextLap.id, upload.lap.id] });
  const saved = await listSaved(reader);
  expect(saved).toMatchObject([
    { name: 'New tyres', trackId: upload.trackId, lapIds: [upload.nextLap.id, upload.lap.id] },
    { name: 'Old tyres', lapIds: [upload.lap.id, upload.nextLap.id] },
  ]);
  for (const { id } of saved)
    expect((await app.as(reader).delete(`/api/comparisons/${id}`)).json()).toEqual({ deleted: true });
  expect(await listSaved(reader)).toEqual([]);
});

test('guests get 401, and a comparison of somebody else 403 without a change', async () => {
  const { id } = (await save(reader)).json();
  const guest = app.asGuest();
  expect((await guest.get('/api/comparisons')).statusCode).toBe(401);
  expect((await guest.post('/api/comparisons', body())).statusCode).toBe(401);
  expect((await guest.delete(`/api/comparisons/${id}`)).statusCode).toBe(401);
  const stranger = await insertSignedIn(app.db);
  expect((await app.as(stranger).delete(`/api/comparisons/${id}`)).statusCode).toBe(403);
  expect(await listSaved(stranger)).toEqual([]);
  expect((await listSaved(reader)).map((one) => one.id)).toEqual([id]);
});

const unknown = (index: number) => `2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d93${index}`;

test('bad input is refused: no name, one lap, five laps, a lap twice, unknown ids', async () => {
  const [a, b] = [upload.lap.id, upload.nextLap.id];
  for (const given of [
    { name: ' ' },
    { name: 'x'.repeat(LIMITS.comparisonNameCharactersMax + 1) },
    { name: 'a\u0000b' },
    { lapIds: [a] },
    { lapIds: [a, a] },
    { lapIds: [a, b, unknown(1), unknown(2), unknown(3)] },
    { lapIds: [a, 'no id'] },
  ])
    expect((await save(reader, given)).statusCode, JSON.stringify(given)).toBe(400);
  expect((await save(reader, { lapIds: [a, unknown(1)] })).statusCode).toBe(404);
  expect((await save(reader, { trackId: 'no-such-track' })).statusCode).toBe(404);
  expect((await app.as(reader).delete('/api/comparisons/no-id')).statusCode).toBe(400);
  expect((await app.as(reader).delete(`/api/comparisons/${unknown(1)}`)).statusCode).toBe(404);
});

test('private laps of others cannot be saved, and own ones can', async () => {
  const shy = await insertKartUpload(app, await insertKartTrack(app.db));
  await app.as(shy).patch(`/api/sessions/${shy.sessionId}`, { linesPrivate: true });
  const given = { trackId: shy.trackId, lapIds: [shy.lap.id, shy.nextLap.id] };
  expect((await save(reader, given)).statusCode).toBe(403);
  expect((await save(shy, given)).statusCode).toBe(200);
});

test('more than the limit is refused', async () => {
  const collector = await insertSignedIn(app.db);
  const comparison = { ...body(), userId: collector.userId };
  for (let count = 0; count < LIMITS.savedComparisonsMax; count += 1)
    await insertComparison(app.db, comparison);
  expect((await save(collector)).statusCode).toBe(409);
});

test('calls at once save no more than the limit', async () => {
  const collector = await insertSignedIn(app.db);
  const comparison = { ...body(), userId: collector.userId };
  for (let count = 0; count < LIMITS.savedComparisonsMax - 2; count += 1)
    await insertComparison(app.db, comparison);
  const answers = await Promise.all(Array.from({ length: 8 }, () => save(collector)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(6);
  expect(await listSaved(collector)).toHaveLength(LIMITS.savedComparisonsMax);
});

test('it goes with its laps, and with the person who saved it', async () => {
  const other = await insertKartUpload(app, await insertKartTrack(app.db));
  const collector = await insertSignedIn(app.db);
  await save(collector);
  await save(collector, { name: 'Other', trackId: other.trackId, lapIds: [other.lap.id, other.nextLap.id] });
  expect(await listSaved(collector)).toHaveLength(2);
  expect((await app.as(other).delete(`/api/sessions/${other.sessionId}`)).statusCode).toBe(200);
  expect(await listSaved(collector)).toMatchObject([{ name: 'Old tyres' }]);
  await app.database.pool.query('DELETE FROM users WHERE id = $1', [collector.userId]);
  const left = await app.database.pool.query('SELECT FROM saved_comparisons WHERE user_id = $1', [
    collector.userId,
  ]);
  expect(left.rowCount).toBe(0);
});

test('it goes with the laps of a deleted driver, too', async () => {
  const leaving = await insertKartUpload(app, await insertKartTrack(app.db));
  const collector = await insertSignedIn(app.db);
  await save(collector, { trackId: leaving.trackId, lapIds: [leaving.lap.id, leaving.nextLap.id] });
  await deleteForGood(app, leaving);
  expect(await listSaved(collector)).toEqual([]);
});
