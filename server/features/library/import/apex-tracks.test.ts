import { beforeAll, expect, test } from 'vitest';
import type { ParsedApexTrack } from '#contract/library/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { bearingDegrees, distanceMeters, middle } from '#engine/geo.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
});

const parse = async (content: unknown) => {
  const file = { name: 'apex.json', content: JSON.stringify(content) };
  return await app.as(admin).postForm('/api/apex/parse', [['file', file]]);
};
const parsed = async (content: unknown) =>
  (await parse(content)).json<{ tracks: ParsedApexTrack[] }>().tracks;

const imported = async (tracks: unknown) => (await app.as(admin).post('/api/apex/import', { tracks })).json();
const migrated = async () => (await app.as(admin).post('/api/apex/migrate-to-main')).json();
const ask = async (text: string) => (await app.database.pool.query(text)).rows;
const staged = () => ask('SELECT * FROM apex_tracks ORDER BY key');

const START = {
  type: 'start_finish',
  a: { lat: 50.1, lon: 6.9 },
  b: { lat: 50.1, lon: 6.9003 },
  bearingDeg: 180,
};
const apexTrack = (given: object = {}) => ({
  name: 'Apex Ring',
  configuration: 'Grand Prix',
  city: 'Nürburg',
  country: 'DE',
  geofenceRadiusM: 1_500,
  traps: [START, { type: 'split', name: 'Dip', lat: 50.11, lon: 6.91, bearingDeg: 90, widthM: 30 }],
  ...given,
});

test('nothing imported is nothing to migrate, and it is said', async () => {
  expect(await migrated()).toEqual({
    success: false,
    summary: { migrated: 0, existing: 0, skipped: 0 },
    warnings: [],
    error: 'There are no imported apex tracks to migrate.',
  });
});

test('a track is read with its traps: two ends, or a point with bearing and width', async () => {
  const [track] = await parsed({ tracks: [apexTrack()] });
  expect(track).toMatchObject({
    row: 1,
    track: {
      name: 'Apex Ring',
      configuration: 'Grand Prix',
      city: 'Nürburg',
      country: 'Germany',
      geofenceRadiusM: 1_500,
      centerLat: 50.1,
      centerLon: 6.90015,
    },
    problems: {},
    warnings: [],
  });
  const [start, sector] = track?.traps ?? [];
  expect(start).toEqual({ ...START, name: null });
  if (!sector) throw new Error('There is no sector.');
  expect(sector).toMatchObject({ type: 'sector', name: 'Dip', bearingDeg: 90 });
  expect(distanceMeters(sector.a, sector.b)).toBeCloseTo(30, 6);
  // A driver who goes east has the first end, the left one, in the north.
  expect(bearingDegrees(sector.a, sector.b)).toBeCloseTo(180, 6);
  expect(distanceMeters(middle(sector.a, sector.b), { lat: 50.11, lon: 6.91 })).toBeCloseTo(0, 6);
});

test('a trap that is no line is left out with a warning, and so is what has not one start/finish trap', async () => {
  const point = { type: 'start_finish', lat: 50.1, lon: 6.9 };
  const tracks = await parsed([
    apexTrack({ traps: [point] }),
    { track: apexTrack({ traps: undefined }), traps: [START, START] },
    apexTrack({
      traps: [
        { ...START, type: 'START/FINISH' },
        { ...START, type: undefined },
      ],
    }),
    'nothing',
    apexTrack({ name: 5, city: null, traps: 'none' }),
  ]);
  expect(tracks.map(({ warnings }) => warnings)).toEqual([
    [
      'Trap 1 was left out. It is a point. A line needs two ends, or a point with bearing and width.',
      'Exactly one start/finish trap is needed; this track has none.',
    ],
    ['Exactly one start/finish trap is needed; this track has 2.'],
    ['Trap 2 was left out. It has no type.'],
    ['Exactly one start/finish trap is needed; this track has none.'],
    ['Exactly one start/finish trap is needed; this track has none.'],
  ]);
  expect(tracks.map(({ problems }) => Object.keys(problems).toSorted())).toEqual([
    [],
    [],
    [],
    ['centerLat', 'name', 'track'],
    ['centerLat', 'traps'],
  ]);
  expect(tracks[0]?.track).toMatchObject({ centerLat: 50.1, centerLon: 6.9 });
  expect(tracks[4]?.track.name).toBe('5');
});

test('a file without tracks is refused in one sentence', async () => {
  for (const content of [[], {}, { tracks: {} }, [1], [{}]]) {
    const response = await parse(content);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toBe('No valid tracks found in file');
  }
  expect((await app.as(admin).post('/api/apex/import', { tracks: 'none' })).json()).toMatchObject({
    error: 'invalid_input',
  });
});

test('importing and migrating twice changes nothing more', async () => {
  const rows = await parsed([
    apexTrack(),
    apexTrack({ configuration: 'No Line', centerLat: 50.1, centerLon: 6.9, traps: [] }),
    apexTrack({ name: null }),
    apexTrack({ geofenceRadiusM: 900 }),
  ]);
  const first = await imported(rows);
  const warnings = [
    'Row 2 (Apex Ring): Exactly one start/finish trap is needed; this track has none.',
    'Row 3 (no name): It was left out. name: The name is missing.',
    'Row 4 (Apex Ring): It was left out, because an earlier row is the same track.',
  ];
  expect(first).toEqual({ summary: { tracksUpserted: 2, trapsUpserted: 2, warnings }, warnings });
  const afterFirst = await staged();
  expect(afterFirst).toHaveLength(2);
  expect(await imported(rows)).toEqual(first);
  expect(await staged()).toEqual(afterFirst);

  expect(await migrated()).toEqual({
    success: true,
    summary: { migrated: 1, existing: 0, skipped: 1 },
    warnings: ['Apex Ring, No Line was skipped: exactly one start/finish trap is needed.'],
  });
  const library = await ask('SELECT * FROM tracks ORDER BY id');
  expect(await migrated()).toMatchObject({
    success: true,
    summary: { migrated: 0, existing: 1, skipped: 1 },
  });
  expect(await ask('SELECT * FROM tracks ORDER BY id')).toEqual(library);

  const track = (await guest.get('/api/tracks/apex-ring-grand-prix')).json<Track>();
  expect(track).toMatchObject({
    name: 'Apex Ring',
    location: 'Nürburg',
    country: 'Germany',
    radiusMeters: 1_500,
    status: 'official',
    timeZone: 'Europe/Berlin',
    startFinishLine: { a: START.a, b: START.b, bearingDeg: 180 },
  });
  expect(track.sectors.map(({ name }) => name)).toEqual(['Dip']);
});

test('a later file replaces what was kept of a track, and the library keeps the lines that laps were timed on', async () => {
  await imported([apexTrack({ name: 'Changing' })]);
  await migrated();
  const moved = { ...START, b: { lat: 50.1, lon: 6.9004 } };
  await imported([apexTrack({ name: 'Changing', traps: [moved] })]);
  const [row] = await ask("SELECT definition FROM apex_tracks WHERE key LIKE 'changing%'");
  expect(row.definition.traps).toEqual([{ ...moved, name: null }]);
  await migrated();
  const track = (await guest.get('/api/tracks/changing-grand-prix')).json<Track>();
  expect(track.startFinishLine?.b).toEqual(START.b);
});

test('imports and migrations are written down', async () => {
  await imported([apexTrack({ name: 'Written Down' })]);
  await migrated();
  const entries = await ask('SELECT action, counts FROM audit_log ORDER BY at DESC LIMIT 2');
  expect(entries).toMatchObject([
    { action: 'migrate-apex-tracks', counts: { migrated: 1 } },
    { action: 'import-apex-tracks', counts: { tracksUpserted: 1, trapsUpserted: 2 } },
  ]);
});
