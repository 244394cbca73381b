import { beforeAll, expect, test } from 'vitest';
import { type CreatedTrack, type ParsedTrack, adminEndpoints } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { kartCsv } from '#server/testing/kart-uploads.ts';
import { startTestApp, type TestApp, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
});

const parse = (content: string) =>
  app.as(admin).postForm('/api/admin/parse-tracks', [['file', { name: 'tracks.json', content }]]);
const create = (tracks: unknown) => app.as(admin).post('/api/admin/create-tracks', { tracks });
const createFrom = (json: string | Buffer) =>
  app.as(admin).post('/api/admin/create-tracks', json, { 'content-type': 'application/json' });
const created = async (tracks: unknown) => (await create(tracks)).json<CreatedTrack[]>();
const ask = async (text: string) => (await app.database.pool.query(text)).rows;
const countTracks = async () => Number((await ask('SELECT count(*) FROM tracks'))[0].count);

const analyze = async (on: TestApp) =>
  (await on.as(admin).postForm('/api/analyze-gps', [['file', kartCsv()]])).json().gpsSuggestions;

let count = 0;
/** A track as a file gives it, far away from all others. */
const newTrack = (given: object = {}) => ({
  name: `Ring ${++count}`,
  location: 'Adenau',
  configuration: 'Full',
  country: 'Germany',
  centerLat: 10 + count / 10,
  centerLon: 20,
  radiusMeters: 900,
  ...given,
});

test.each(Object.values(adminEndpoints))('$path is for administrators only', async ({ path: url }) => {
  expect((await guest.post(url)).statusCode).toBe(401);
  const driver = await insertSignedIn(app.db);
  const response = await app.as(driver).post(url);
  expect(response.statusCode).toBe(403);
  expect(response.json()).toEqual({ error: 'not_allowed', message: 'Only administrators may do this.' });
});

test('a file of tracks is read, reviewed and created, and the tracks are there for everybody', async () => {
  const { id: _id, ...kart } = KART_TRACK;
  const track = {
    ...kart,
    ...newTrack({ name: 'Kartbahn Süd' }),
    centerLat: kart.centerLat,
    centerLon: kart.centerLon,
  };
  const file = await parse(JSON.stringify([track, newTrack({ location: undefined })]));
  expect(file.statusCode).toBe(200);
  const [first, second] = file.json<ParsedTrack[]>();
  expect(first).toMatchObject({ row: 1, name: 'Kartbahn Süd', location: 'Adenau', problems: {} });
  expect(second).toMatchObject({
    row: 2,
    location: null,
    problems: { location: 'The city or region is missing.' },
  });
  expect(await countTracks()).toBe(0);

  const results = await created([first, { ...second, location: 'Spa' }]);
  expect(results.map(({ row, status }) => [row, status])).toEqual([
    [1, 'success'],
    [2, 'success'],
  ]);
  expect(results[0]).toMatchObject({
    name: 'Kartbahn Süd',
    configuration: 'Full',
    location: 'Adenau',
    country: 'Germany',
    message: 'The track was added.',
    trackId: 'kartbahn-sud-full',
  });
  const stored = (await guest.get('/api/tracks/kartbahn-sud-full')).json<Track>();
  expect(stored).toMatchObject({
    startFinishLine: kart.startFinishLine,
    timeZone: 'Europe/Berlin',
    status: 'official',
  });
  const listed = (await guest.get('/api/tracks')).json<Track[]>();
  const thinned = listed.find(({ id }) => id === 'kartbahn-sud-full')?.outline ?? [];
  expect(stored.outline?.length).toBeGreaterThan(thinned.length);
  expect(thinned.length).toBeGreaterThan(3);
});

test('a lap file is matched to a track that was created a moment ago', async () => {
  const { id: _id, ...kart } = KART_TRACK;
  const before = await startTestApp({ database: app.database });
  const known = (await analyze(before)).length;
  const [result] = await created([
    { ...newTrack(), ...kart, name: 'Just Made', location: 'Town', country: 'Germany' },
  ]);
  expect(result?.status).toBe('success');
  // Another copy of the server, which read the library before, knows them too.
  const found: { trackId: string }[] = await analyze(before);
  expect(found).toHaveLength(known + 1);
  expect(found.map(({ trackId }) => trackId)).toContain(result?.trackId);
});

test('the same name and configuration within two kilometres is the same track; farther away it is another', async () => {
  const track = newTrack({ name: 'Twin Peaks' });
  const again = { ...track, name: 'TWIN  peaks ', centerLat: track.centerLat + 0.017 };
  const results = await created([
    track,
    again,
    { ...track, centerLat: track.centerLat + 0.019 },
    { ...track, configuration: 'Short' },
    { ...track, configuration: null },
  ]);
  expect(results.map(({ status, trackId }) => [status, trackId])).toEqual([
    ['success', 'twin-peaks-full'],
    ['exists', 'twin-peaks-full'],
    ['success', 'twin-peaks-full-2'],
    ['success', 'twin-peaks-short'],
    ['success', 'twin-peaks'],
  ]);
  const before = await countTracks();
  expect((await created([track, again])).map(({ status }) => status)).toEqual(['exists', 'exists']);
  expect(await countTracks()).toBe(before);
});

test('a row with problems gets them by field and stops none of the others', async () => {
  const rows = [
    newTrack({ radiusMeters: 'NaN' }),
    newTrack(),
    null,
    newTrack({ name: ' ', centerLat: 91 }),
    newTrack({ startFinishLine: { a: { lat: 1, lon: 1 }, b: { lat: 1, lon: 1 } } }),
    newTrack({ radiusMeters: '750' }),
  ];
  const results = await created(rows);
  expect(results.map(({ status }) => status)).toEqual([
    'error',
    'success',
    'error',
    'error',
    'error',
    'success',
  ]);
  expect(results[0]?.message).toBe('radiusMeters: This must be a number.');
  expect(results[3]?.message).toContain('name: The name is missing.');
  expect(results[3]?.message).toContain('centerLat: This must be between -90 and 90.');
  expect(results[4]?.message).toBe('startFinishLine: Its two ends are the same point.');
});

test('the audit log records a created track', async () => {
  await created([newTrack(), {}]);
  const [entry] = await ask('SELECT user_id, action, counts FROM audit_log ORDER BY at DESC LIMIT 1');
  expect(entry).toEqual({
    user_id: admin.userId,
    action: 'create-tracks',
    counts: { success: 1, exists: 0, error: 1 },
  });
});

test('a track that the database refuses leaves nothing behind', async () => {
  const before = await countTracks();
  await app.database.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
     CREATE TRIGGER refuse BEFORE INSERT ON audit_log EXECUTE FUNCTION refuse()`,
  );
  expect((await create([newTrack()])).statusCode).toBe(500);
  await app.database.pool.query('DROP TRIGGER refuse ON audit_log');
  expect(await countTracks()).toBe(before);
});

test('two imports of the same tracks at once create each track once', async () => {
  const tracks = [newTrack(), newTrack()];
  const results = await Promise.all([created(tracks), created(tracks)]);
  expect(results.flat().filter(({ status }) => status === 'success')).toHaveLength(2);
  expect(results.flat().filter(({ status }) => status === 'exists')).toHaveLength(2);
});

test('a file without tracks is refused in one sentence', async () => {
  for (const content of [
    '[]',
    '{}',
    '{"tracks":[]}',
    '[{}]',
    '[1,"two",null]',
    '{"name":"One"}',
    '"text"',
    'null',
  ]) {
    const response = await parse(content);
    expect([content, response.statusCode]).toEqual([content, 400]);
    expect(response.json().message).toBe('No valid tracks found in file');
  }
  for (const content of ['', '[{"name":', 'name,location', '\u0000']) {
    const response = await parse(content);
    expect([content, response.statusCode]).toEqual([content, 400]);
    expect(response.json().message).toBe('This file is not valid JSON.');
  }
  const noFile = await app.as(admin).postForm('/api/admin/parse-tracks', [['other', 'x']]);
  expect(noFile.statusCode).toBe(400);
});

test('a file with too much in it is refused with a sentence that names the limit', async () => {
  const large = await parse(' '.repeat(LIMITS.libraryFileBytesMax + 1));
  expect(large.statusCode).toBe(413);
  expect(large.json().message).toBe('tracks.json is too large: this file may have at most 64 MB.');
  const many = await parse(
    JSON.stringify(Array.from({ length: LIMITS.tracksMax + 1 }, () => ({ name: 'x' }))),
  );
  expect(many.statusCode).toBe(413);
  expect(many.json().message).toBe('A file may have at most 20000 tracks.');
});

test('a request without tracks, without JSON, or with too much of it is refused with a sentence', async () => {
  expect((await create('none')).json()).toMatchObject({
    error: 'invalid_input',
    fields: { tracks: expect.any(String) },
  });
  for (const payload of ['', '{', '[]', 'null', `{"tracks":${'['.repeat(1_000_000)}`]) {
    expect((await createFrom(payload)).statusCode).toBe(400);
  }
  const large = Buffer.alloc(LIMITS.importBytesMax + 1, ' ');
  const refused = await createFrom(large);
  expect(refused.statusCode).toBe(413);
  expect(refused.json()).toEqual({ error: 'too_large', message: 'An import may have at most 64 MB.' });
  const many = await create(Array.from({ length: LIMITS.tracksMax + 1 }, () => 0));
  expect(many.json().fields).toEqual({ tracks: 'At most 20000 can be sent at once.' });
});

test('fields that are deep, odd or hostile do no harm', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const odd = names.map((name) => `"${name}":{"name":"x","isAdmin":true}`).join(',');
  const payload = `{"tracks":[{"name":${deep}},{"outline":${deep}},{${odd}},{"name":"\\u0000\\ud800","location":"L","country":"C","centerLat":1,"centerLon":2}]}`;
  const response = await createFrom(payload);
  expect(response.statusCode).toBe(200);
  expect(response.json<CreatedTrack[]>().map(({ status }) => status)).toEqual([
    'error',
    'error',
    'error',
    'success',
  ]);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});
