import { beforeAll, expect, test } from 'vitest';
import type { CreatedTrack } from '#contract/library/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
});

const created = async (tracks: unknown[]): Promise<CreatedTrack[]> =>
  (await app.as(admin).post('/api/admin/create-tracks', { tracks })).json();
const ask = async (text: string) => (await app.database.pool.query(text)).rows;
const countTracks = async () => Number((await ask('SELECT count(*) FROM tracks'))[0].count);

const TRACK = {
  location: 'Adenau',
  configuration: 'Full',
  country: 'Germany',
  centerLat: 41,
  centerLon: 20,
  radiusMeters: 900,
};

const LINE = { a: { lat: 41, lon: 20 }, b: { lat: 41, lon: 20.0003 }, bearingDeg: 0 };

test('a track that exists comes back with its differences, and only the chosen ones are applied', async () => {
  const known = { ...TRACK, name: 'Waldring', lengthMeters: 3_000 };
  const [first] = await created([known]);
  const id = first?.trackId ?? '';
  const changed = { ...known, location: 'Adenau, Eifel', radiusMeters: 950, lengthMeters: null };
  const imported = { ...changed, startFinishLine: LINE };

  const [compared] = await created([imported]);
  expect(compared).toMatchObject({ status: 'exists', trackId: id });
  expect(compared?.differences).toEqual([
    { field: 'location', before: 'Adenau', after: 'Adenau, Eifel' },
    { field: 'radiusMeters', before: '900 m', after: '950 m' },
    {
      field: 'startFinishLine',
      before: null,
      after: '41.000000, 20.000150, towards 0°',
    },
  ]);
  const get = async () => (await app.asGuest().get(`/api/tracks/${id}`)).json<Track>();
  expect(await get()).toMatchObject({ location: 'Adenau', radiusMeters: 900, startFinishLine: null });

  const [updated] = await created([{ ...imported, update: ['location', 'startFinishLine'] }]);
  expect(updated).toMatchObject({ status: 'updated', trackId: id });
  expect(await get()).toMatchObject({
    location: 'Adenau, Eifel',
    radiusMeters: 900,
    lengthMeters: 3_000,
    startFinishLine: LINE,
  });
  const due = await ask(`SELECT retime_due_at IS NOT NULL AS due FROM tracks WHERE id = '${id}'`);
  expect(due).toEqual([{ due: true }]);
  const entries = await ask(
    `SELECT counts FROM audit_log WHERE action = 'correct-track' AND subject = '${id}'`,
  );
  expect(entries).toEqual([{ counts: { location: 1, startFinishLine: 1 } }]);
  const [again] = await created([{ ...imported, radiusMeters: 900 }]);
  expect(again).toMatchObject({ status: 'exists', differences: [] });
});

test('an update of a track that is not there, or of no field that there is, changes nothing', async () => {
  const before = await countTracks();
  const rows = [['location'], ['id'], 'all'].map((update) => ({ ...TRACK, name: 'Nowhere', update }));
  const results = await created(rows);
  expect(results.map(({ status, message }) => [status, message])).toEqual([
    ['error', 'The library does not have this track any more.'],
    ['error', 'update: This is no list of fields.'],
    ['error', 'update: This is no list of fields.'],
  ]);
  expect(await countTracks()).toBe(before);
});
