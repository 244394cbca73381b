import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import type { TrackId } from '#contract/ids.ts';
import type { CreatedTrack, ParsedTrack } from '#contract/library/schemas.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { ListedTrack, Track } from '#contract/tracks/schemas.ts';
import { uploadEndpoints } from '#contract/upload/schemas.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { driveKart } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { retimeSessions } from '#server/model/laps/retime.ts';

// Tracks that end elsewhere than they begin: hill climbs and rally stages. Here, two thirds of an oval.

const app = useTestApp();
let admin: SignedIn;

beforeEach(async () => {
  await app.database.pool.query('TRUNCATE tracks CASCADE');
  admin = await insertSignedIn(app.db, { isAdmin: true });
});

const [FIRST_SECTOR, FINISH] = KART_TRACK.sectors;
if (FIRST_SECTOR === undefined || FINISH === undefined) throw new Error('The kart track has two sectors.');

/** Other programs write stages like this: a start and a finish, and the points of the path beyond both. */
const STAGE = {
  name: 'Hill of Karts',
  location: 'Munich',
  country: 'Germany',
  start: KART_TRACK.startFinishLine,
  finish: { a: FINISH.a, b: FINISH.b },
  sectors: [FIRST_SECTOR],
  track_map_array: KART_TRACK.outline?.slice(0, 36),
};

const get = async <Value>(url: string) => (await app.as(admin).get(url)).json<Value>();

async function parse(content: unknown): Promise<ParsedTrack> {
  const file = { name: 'tracks.json', content: JSON.stringify(content) };
  const response = await app.as(admin).postForm('/api/admin/parse-tracks', [['file', file]]);
  const [track] = response.json<ParsedTrack[]>();
  if (track === undefined) throw new Error('No track was read.');
  return track;
}

async function create(track: ParsedTrack): Promise<TrackId> {
  const response = await app.as(admin).post('/api/admin/create-tracks', { tracks: [track] });
  const [result] = response.json<CreatedTrack[]>();
  return result?.trackId ?? asTrackId('');
}

test('a stage is read with its finish, and its path stays open', async () => {
  const track = await parse([STAGE]);
  expect(track).toMatchObject({ problems: {}, startFinishLine: STAGE.start });
  expect(track.finishLine).toEqual({ ...STAGE.finish, bearingDeg: null });
  expect(track.outline?.[0]).toEqual(KART_TRACK.outline?.[0]);
  expect(track.outline?.at(-1)).not.toEqual(track.outline?.[0]);
  expect(track.outline).toHaveLength(32);
  // The length counts from the start to the finish, and not back.
  expect(track.lengthMeters).toBeGreaterThan(500);
  expect(track.lengthMeters).toBeLessThan(620);
});

test('points from the finish down to the start are turned round', async () => {
  const upwards = await parse([STAGE]);
  const downwards = await parse([{ ...STAGE, track_map_array: STAGE.track_map_array?.toReversed() }]);
  expect(downwards.outline).toEqual(upwards.outline);
  expect(downwards.warnings).toContain('The outline was turned round, from the start to the finish.');
});

test('a finish that is a point is no finish, and then nothing is timed rather than something else', async () => {
  const track = await parse([{ ...STAGE, finish: [48.1, 11.6] }]);
  expect(track.startFinishLine).toBeNull();
  expect(track.finishLine ?? null).toBeNull();
  expect(track.warnings).toContain(
    'The finish was left out, so runs cannot be timed here yet. It is a point. A line needs two ends, or a point with bearing and width.',
  );
});

test('a finish where the start is makes a circuit, and so does a line that is called a finish line', async () => {
  const circuits = [
    { ...STAGE, finish: STAGE.start },
    { ...STAGE, start: undefined, finish: undefined, finishLine: KART_TRACK.startFinishLine },
  ];
  for (const circuit of circuits) {
    const track = await parse([circuit]);
    expect(track.startFinishLine).toEqual(KART_TRACK.startFinishLine);
    expect(track.finishLine ?? null).toBeNull();
  }
});

test('a run is found, uploaded, ranked on the board and timed again', async () => {
  const trackId = await create(await parse([STAGE]));
  const stored = await get<Track>(`/api/tracks/${trackId}`);
  expect(stored.finishLine).toEqual({ ...STAGE.finish, bearingDeg: null });
  const [listed] = await get<ListedTrack[]>('/api/tracks');
  expect(listed?.finishLine).toEqual(stored.finishLine);

  const drive = driveKart(3);
  const file = { name: 'runs.csv', content: writeGenericCsv(drive) };
  const driver = await insertSignedIn(app.db, { firstName: 'Uma', lastName: 'Run' });
  const analysis = await app.as(driver).postForm('/api/analyze-gps', [['file', file]]);
  expect(analysis.json().gpsSuggestions[0]).toMatchObject({ trackId });

  const response = await app.as(driver).uploadLaps(trackId, file);
  const [result] = uploadEndpoints.upload.response.parse(response.json()).results;
  expect(result).toMatchObject({ success: true, lapCount: 3 });
  const runTimes = drive.trueLaps.map(({ sectorTimesMs: [one = 0, two = 0] }) => one + two);
  const [record, ...others] = await get<LapRecord[]>(`/api/laps/track/${trackId}/best`);
  expect(others).toEqual([]);
  expect(record?.userName).toBe('Uma Run');
  expect(Math.abs((record?.lapTimeMs ?? 0) - Math.min(...runTimes))).toBeLessThanOrEqual(2);
  expect(await retimeAgain(trackId)).toEqual(['unchanged']);
});

/** Retimes the sessions of a track; returns the outcome of each. */
async function retimeAgain(trackId: TrackId): Promise<string[]> {
  const workFolder = await mkdtemp(join(tmpdir(), 'pitboard-stages-'));
  const { database, storage, lapWorkers } = app;
  const parts = { db: database.db, storage, lapWorkers, workFolder };
  const outcomes: string[] = [];
  for await (const { outcome } of retimeSessions(parts, { trackId, isDryRun: false })) outcomes.push(outcome);
  await rm(workFolder, { recursive: true });
  return outcomes;
}

test('an apex track with a trap of type finish becomes a stage', async () => {
  const traps = [
    { type: 'start_finish', ...KART_TRACK.startFinishLine },
    { type: 'finish', ...STAGE.finish },
    { type: 'split', ...FIRST_SECTOR },
  ];
  const apex = { name: 'Apex Hill', city: 'Munich', country: 'DE', geofenceRadiusM: 500, traps };
  const file = { name: 'apex.json', content: JSON.stringify([apex]) };
  const read = await app.as(admin).postForm('/api/apex/parse', [['file', file]]);

  await app.as(admin).post('/api/apex/import', { tracks: read.json().tracks });
  expect((await app.as(admin).post('/api/apex/migrate-to-main')).json()).toMatchObject({
    summary: { migrated: 1 },
  });
  const [stage] = await get<ListedTrack[]>('/api/tracks');
  expect(stage?.finishLine).toEqual({ ...STAGE.finish, bearingDeg: null });
  expect(stage?.sectors).toHaveLength(1);
});
