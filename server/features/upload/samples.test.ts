import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { SAMPLE_LAP_FILES } from '#contract/upload/labels.ts';
import { asTrackId } from '#contract/testing/ids.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { saveClubSettings } from '#server/model/club/club-settings-store.ts';
import { isStoredSample } from '#server/model/laps/stored-sample.ts';
import { findLapFileKey } from '#server/model/laps/sample-files.ts';
import { shareCourses, shareTracks } from '#server/model/laps/timing/shared-tracks.ts';
import { retimeSessions } from '#server/model/laps/retime.ts';
import { insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import { listKeptFiles } from '#server/testing/kart-uploads.ts';
import { passMinute } from '#server/testing/pass-minute.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { libraryTrack } from '../../../tests/library.ts';

const app = useTestApp();
const guest = app.asGuest();

const CLUB = { name: 'Club', timeZone: 'UTC', registration: 'open' } as const;
const ZANDVOORT = asTrackId('circuit-zandvoort-grand-prix');
const NAME = 'zandvoort-5hz.gpx';
const SAMPLE = { name: NAME, content: readFileSync(join(projectFolder, 'data/lap-files', NAME)) };

let first: SignedIn;
let second: SignedIn;

beforeAll(async () => {
  await insertTrack(app.db, libraryTrack(ZANDVOORT));
});

beforeEach(async () => {
  await saveClubSettings(app.db, { ...CLUB, hasSamples: true, hasSimulatorBoards: false });
  first = await insertSignedIn(app.db);
  second = await insertSignedIn(app.db);
});

const upload = async (driver: SignedIn) =>
  (await app.as(driver).uploadLaps(ZANDVOORT, SAMPLE)).json().results[0];

const analyze = async (driver: SignedIn) =>
  (await app.as(driver).postForm('/api/analyze-gps', [['file', SAMPLE]])).json();

const lapUrl = (lapId: string) => `/api/tracks/${ZANDVOORT}/laps/${lapId}`;
const statusOf = async (url: string, person: SignedIn | null = null) =>
  (await app.as(person).get(url)).statusCode;
const listBoard = async () => (await guest.get(`/api/laps/track/${ZANDVOORT}/simulated`)).json();

test('every driver uploads a sample once, each with laps of their own that can be opened, compared and proven', async () => {
  const results = [await upload(first), await upload(second)];
  expect(results).toMatchObject([
    { success: true, bestLapId: null, bestLapTimeMs: null },
    { success: true, bestLapId: null, bestLapTimeMs: null },
  ]);
  const [one, other] = results.map(({ simulatedLapId }) => String(simulatedLapId));
  expect(one).not.toBe(other);
  expect((await guest.get(lapUrl(String(one)))).json()).toMatchObject({
    status: 'simulated',
    reasons: ['sample'],
    place: null,
  });
  expect(await statusOf(`${lapUrl(String(one))}/comparison?with=${other}`)).toBe(200);
  expect((await guest.get(`${lapUrl(String(other))}/proof`)).json().lapFile).toMatchObject({
    isSimulated: true,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await upload(first)).toMatchObject({ success: false, alreadyUploaded: true });
});

test('the analysis says before the form what becomes of a sample, and whether it is there already', async () => {
  expect((await analyze(first)).message).toMatch(/^This is a sample: .* never rank with real ones\.$/);
  await upload(first);
  expect((await analyze(second)).message).toMatch(/^This is a sample/);
  expect((await analyze(first)).message).toBe('This file has already been uploaded.');
});

test('a sample of which a byte is changed is a sample, too', async () => {
  for (const { fileName } of SAMPLE_LAP_FILES) {
    const path = join(projectFolder, 'data/lap-files', fileName);
    const { positionsHash } = await timeFile(path);
    const key = await findLapFileKey({ sha256: 'f'.repeat(64), positionsHash }, first.userId);
    expect([fileName, isStoredSample(key)]).toEqual([fileName, true]);
  }
  const changed = { name: 'mine.gpx', content: `${SAMPLE.content.toString()}\n` };
  const [result] = (await app.as(first).uploadLaps(ZANDVOORT, changed)).json().results;
  expect(result).toMatchObject({ success: true, bestLapId: null, simulatedLapId: expect.any(String) });
});

async function timeFile(path: string) {
  const [tracks, courses] = [await shareTracks(app.db)(), await shareCourses(app.db)()];
  const task = { path, trackId: null, tracks, courses, pointsMax: 1 };
  const read = await app.lapWorkers.analyze(task, { userId: first.userId, byteCount: 1 });
  if (!read.isReadable) throw new Error(read.sentence);
  return read.value;
}

test('samples rank on no board, are flagged by no check, and follow the laps of simulators without a rank', async () => {
  const { simulatedLapId } = await upload(first);
  await upload(second);
  await app.runJobs();
  expect((await guest.get(`/api/laps/track/${ZANDVOORT}/best`)).json()).toEqual([]);
  expect((await guest.get(`/api/laps/track/${ZANDVOORT}/record-history`)).json()).toEqual([]);
  expect((await app.database.pool.query('SELECT FROM lap_flags')).rowCount).toBe(0);
  const { isOn, records } = await listBoard();
  expect(isOn).toBe(false);
  const own = records.filter(({ driverId }: { driverId: string }) => driverId === first.userId);
  expect(own).toMatchObject([{ lapId: simulatedLapId, isSample: true, rank: null }]);
});

test('a sample that is timed again stays one, and its deletion leaves those of others', async () => {
  const { sessionId } = await upload(first);
  const { simulatedLapId } = await upload(second);
  const deps = {
    db: app.db,
    storage: app.storage,
    lapWorkers: app.lapWorkers,
    workFolder: app.incomingFolder,
  };
  for await (const { outcome } of retimeSessions(deps, { trackId: ZANDVOORT, isDryRun: false }))
    expect(outcome).toBe('unchanged');
  const kept = (await listKeptFiles(app.storage)).length;
  expect((await app.as(first).delete(`/api/sessions/${sessionId}`)).statusCode).toBe(200);
  await passMinute(app);
  expect((await listKeptFiles(app.storage)).length).toBe(kept - 1);
  expect(await statusOf(lapUrl(simulatedLapId))).toBe(200);
  expect((await upload(first)).success).toBe(true);
});

test('where an owner has switched samples off, none is offered or listed; their laps are for their drivers', async () => {
  const { simulatedLapId } = await upload(first);
  expect((await guest.get('/api/samples')).json().samples).toHaveLength(7);
  await saveClubSettings(app.db, { ...CLUB, hasSamples: false });
  expect((await guest.get('/api/samples')).json()).toEqual({ samples: [] });
  expect(await statusOf(`/api/samples/${NAME}`)).toBe(404);
  expect(await listBoard()).toEqual({ isOn: false, raceClasses: [], records: [] });
  expect(await statusOf(lapUrl(simulatedLapId), first)).toBe(200);
  expect(await statusOf(lapUrl(simulatedLapId))).toBe(404);
});

test('an owner switches samples off, with an entry in the audit log; a call without the switch leaves it', async () => {
  const owner = await insertSignedIn(app.db, { role: 'owner' });
  const save = async (body: object) => (await app.as(owner).put('/api/admin/club', body)).json().club;
  expect(await save({ ...CLUB, hasSamples: false })).toMatchObject({ hasSamples: false });
  expect(await save(CLUB)).toMatchObject({ hasSamples: false });
  const { entries } = (await app.as(owner).get('/api/admin/audit-log')).json();
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'change-club', changes: { samples: ['on', 'off'] } }),
  );
  expect((await app.as(owner).put('/api/admin/club', { ...CLUB, hasSamples: 1 })).statusCode).toBe(400);
});
