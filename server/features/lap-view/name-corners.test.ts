import { beforeAll, expect, test } from 'vitest';
import { lapComparisonSchema } from '#contract/lap-view/comparison.ts';
import { lapTraceSchema } from '#contract/lap-view/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { fromDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { distanceMeters } from '#engine/geo.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { insertKartUpload, type KartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();
let administrator: SignedIn;

beforeAll(async () => {
  administrator = await insertSignedIn(app.db, { isAdmin: true });
});

const nameCorners = (trackId: string, corners: unknown, who: Person = administrator) =>
  app.as(who).put(`/api/admin/tracks/${trackId}/corner-names`, { corners });
const listNamings = async (trackId: string) =>
  (await app.as(administrator).get(`/api/admin/audit-log?subject=${trackId}`)).json().entries;

/** The corners of a comparison, and where their apexes are. */
async function compareCorners({ url, nextLap }: KartUpload) {
  const response = await guest.get(`${url}/comparison?with=${nextLap.id}`);
  const { reference, corners } = lapComparisonSchema.parse(response.json());
  const { meters, latSteps, lonSteps } = reference;
  const [lats, lons] = [fromDegreeSteps(latSteps), fromDegreeSteps(lonSteps)];
  return corners.map((corner) => {
    const station = meters.findIndex((along) => along >= corner.apexMeters);
    return { ...corner, position: { lat: lats[station] ?? 0, lon: lons[station] ?? 0 } };
  });
}

const namesOf = (corners: { name: string | null }[]) => corners.map(({ name }) => name);

async function traceCorners({ url }: KartUpload) {
  const { corners, ...columns } = lapTraceSchema.parse((await guest.get(`${url}/trace`)).json());
  return { corners, columns };
}

test('a lap shows how it drove through every corner', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db));
  const { corners, columns } = await traceCorners(upload);
  // An oval.
  expect(corners.map(({ number, name }) => [number, name])).toEqual([
    [1, null],
    [2, null],
  ]);
  for (const { startMeters, apexMeters, endMeters, minKmh, entryKmh, timeMs } of corners) {
    // At an end of the lap, the slowest point of the corner across the line may be the line itself.
    expect(startMeters).toBeLessThanOrEqual(apexMeters);
    expect(apexMeters).toBeLessThanOrEqual(endMeters);
    expect(startMeters).toBeLessThan(endMeters);
    expect(endMeters).toBeLessThanOrEqual(columns.meters.at(-1) ?? 0);
    expect(minKmh).toBeLessThanOrEqual(entryKmh);
    expect(timeMs).toBeGreaterThan(0);
  }
  // The rest of the lap is driven on the straights.
  const inCornersMs = corners.reduce((sum, { timeMs }) => sum + timeMs, 0);
  expect(inCornersMs).toBeLessThan(upload.lap.lapTimeMs);
  for (const [index, { startMeters }] of corners.entries())
    expect(startMeters).toBeGreaterThanOrEqual(corners[index - 1]?.endMeters ?? 0);
});

test('an administrator names a corner: laps and comparisons show it at once, and the audit log says so', async () => {
  const trackId = await insertKartTrack(app.db);
  const upload = await insertKartUpload(app, trackId);
  const [, second] = await compareCorners(upload);
  if (!second) throw new Error('An oval has two corners.');
  await traceCorners(upload);
  const seen = (await guest.get(`${upload.url}/trace`)).headers.etag;

  const response = await nameCorners(trackId, [{ name: ' Tarzan ', ...second.position }]);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ corners: [{ name: 'Tarzan', ...second.position }] });
  expect(namesOf(await compareCorners(upload))).toEqual([null, 'Tarzan']);
  expect(namesOf((await traceCorners(upload)).corners)).toEqual([null, 'Tarzan']);
  expect((await guest.get(`${upload.url}/trace`, { 'if-none-match': seen })).statusCode).toBe(200);
  expect(await listNamings(trackId)).toMatchObject([
    {
      action: 'name-corners',
      userId: administrator.userId,
      counts: { named: 1 },
      changes: { corners: [null, 'Tarzan'] },
    },
  ]);

  // The same again changes nothing; a list without it takes the name away.
  await nameCorners(trackId, [{ name: 'Tarzan', ...second.position }]);
  expect(await listNamings(trackId)).toHaveLength(1);
  await nameCorners(trackId, []);
  expect(namesOf(await compareCorners(upload))).toEqual([null, null]);
  expect(await listNamings(trackId)).toHaveLength(2);
});

test('names stay when the track has a line of its own', async () => {
  const trackId = await insertKartTrack(app.db);
  const upload = await insertKartUpload(app, trackId);
  const [first] = await compareCorners(upload);
  await nameCorners(trackId, [{ name: 'Hairpin', ...first?.position }]);
  await app.runJobs();
  // Laps of the oval begin in a corner, which may be the first or the last one.
  const [named, ...others] = (await compareCorners(upload)).filter(({ name }) => name !== null);
  expect(others).toEqual([]);
  expect(named?.name).toBe('Hairpin');
  const moved = distanceMeters(named?.position ?? KART_CORNER, first?.position ?? KART_CORNER);
  expect(moved).toBeLessThan(100);
});

test('guests get 401, drivers get 403, and neither names anything', async () => {
  const trackId = await insertKartTrack(app.db);
  const upload = await insertKartUpload(app, trackId);
  const [first] = await compareCorners(upload);
  const corners = [{ name: 'Mine', ...first?.position }];
  expect((await nameCorners(trackId, corners, null)).statusCode).toBe(401);
  expect((await nameCorners(trackId, corners, upload)).statusCode).toBe(403);
  expect(namesOf(await compareCorners(upload))).toEqual([null, null]);
  expect(await listNamings(trackId)).toEqual([]);
});

const KART_CORNER = { lat: KART_TRACK.centerLat, lon: KART_TRACK.centerLon };

test.each([
  ['no list', undefined, 'corners'],
  ['an empty name', [{ ...KART_CORNER, name: ' ' }], 'corners.0.name'],
  [
    'a long name',
    [{ ...KART_CORNER, name: 'a'.repeat(LIMITS.cornerNameCharactersMax + 1) }],
    'corners.0.name',
  ],
  ['a latitude that is none', [{ name: 'Far', lat: 91, lon: 1 }], 'corners.0.lat'],
  [
    'another place',
    [
      { ...KART_CORNER, name: 'Near' },
      { name: 'Far', lat: 48, lon: 11 },
    ],
    'corners.1',
  ],
  [
    'too many',
    Array.from({ length: LIMITS.cornersMax + 1 }, () => ({ ...KART_CORNER, name: 'Again' })),
    'corners',
  ],
])('%s is refused', async (_what, corners, field) => {
  const trackId = await insertKartTrack(app.db);
  const response = await nameCorners(trackId, corners);
  expect(response.statusCode).toBe(400);
  expect(Object.keys(response.json().fields)).toEqual([field]);
  expect(await listNamings(trackId)).toEqual([]);
});

test('a track that does not exist has no corners', async () => {
  expect((await nameCorners('no-such-track', [])).statusCode).toBe(404);
});
