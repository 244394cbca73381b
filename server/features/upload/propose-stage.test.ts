import { expect, test } from 'vitest';
import type { LapComparison } from '#contract/lap-view/comparison.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Analysis, UploadResult } from '#contract/upload/schemas.ts';
import { simulateDrive, toLapFile, type DrivenFix } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { openFixes } from '#engine/time-lap-file.ts';
import { proposeTracks } from '#engine/proposal/propose-tracks.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import type { TestFile } from '#server/testing/form.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { libraryTrack } from '../../../tests/library.ts';

// A hill climb from the first file of a driver to the comparison with another one. Each run is a file of its own.

/** A road, of which a part is raced. */
const ROAD = libraryTrack('grattan-raceway-full');
const RACED_METERS = { from: 100, to: 2000 };
const RECEIVER = { rateHz: 10, noiseMeters: 0.3, driftMeters: 0.7, coordinateDecimals: 7 };

const app = useTestApp();
const guest = app.asGuest();

/** Drives up the hill once; the recording begins just before the start, and ends after the finish. */
function run(seed: number, topSpeedMetersPerSecond: number): DrivenFix[] {
  const { fixes, passages } = simulateDrive(ROAD, {
    seed,
    laps: 1,
    leadInMeters: 0,
    receiver: RECEIVER,
    topSpeedMetersPerSecond,
    startTimeMs: Date.UTC(2026, 5, 6, 9, seed),
  });
  const [from, to] = [passages[RACED_METERS.from], passages[RACED_METERS.to]];
  if (from === undefined || to === undefined) throw new Error('The road is longer than that.');
  return fixes.filter(({ timeMs }) => timeMs >= from.timeMs && timeMs <= to.timeMs);
}

function gpx(seed: number, topSpeedMetersPerSecond: number): TestFile {
  const fixes = run(seed, topSpeedMetersPerSecond);
  return { name: `run-${seed}.gpx`, content: writeGpx({ fixes, trueLaps: [], passages: [] }) };
}

test('a stage goes from three runs in three files to a board, a second driver who is matched, and their comparison', async () => {
  const driver = await insertSignedIn(app.db);
  const runs = [gpx(1, 40), gpx(2, 41), gpx(3, 42)];
  const [proposal] = proposeTracks(openFixes(toLapFile(run(1, 40))));
  if (proposal === undefined) throw new Error('The run suggests a stage.');
  expect(proposal.kind).toBe('stage');
  const { startFinishLine, finishLine, sectors } = proposal.track;
  const described = {
    name: 'Hill',
    location: 'Mayen',
    country: 'Germany',
    startFinishLine,
    finishLine,
    sectors,
  };
  const propose = async (files: readonly TestFile[]) =>
    await app
      .as(driver)
      .postForm('/api/tracks/proposals', [
        ['track', JSON.stringify(described)],
        ...files.map((file): [string, TestFile] => ['file', file]),
      ]);
  const refused = await propose(runs.slice(0, 2));
  expect(refused.json().message).toContain('A new track needs 3 laps');
  const proposed = await propose(runs);
  expect(proposed.statusCode, proposed.body).toBe(200);
  const track = proposed.json<Track>();
  expect(track.finishLine).toEqual(finishLine);
  expect(track.sectors).toHaveLength(2);
  // The way stays open: the end is far from the start.
  expect(track.outline?.at(-1)).not.toEqual(track.outline?.[0]);

  const upload = async (files: readonly TestFile[], who: SignedIn) =>
    (await app.as(who).uploadLaps(track.id, files)).json<{ results: UploadResult[] }>().results;
  const own = await upload(runs, driver);
  expect(own.map(({ success, lapCount }) => [success, lapCount])).toEqual([
    [true, 1],
    [true, 1],
    [true, 1],
  ]);

  const rival = await insertSignedIn(app.db);
  const faster = gpx(4, 50);
  const analysis = (await app.as(rival).postForm('/api/analyze-gps', [['file', faster]])).json<Analysis>();
  expect(analysis.gpsSuggestions[0]).toMatchObject({ trackId: track.id, lapCount: 1 });
  expect(analysis.gpsSuggestions[0]?.confidencePct).toBeGreaterThanOrEqual(90);
  expect((await upload([faster], rival))[0]).toMatchObject({ success: true, lapCount: 1 });

  const board = (await guest.get(`/api/laps/track/${track.id}/best`)).json<LapRecord[]>();
  expect(board.map(({ rank }) => rank)).toEqual([1, 2]);
  const [record, next] = board;
  if (record?.lapId === undefined || next?.lapId === undefined) throw new Error('Both laps have an id.');
  const view = (await guest.get(`/api/tracks/${track.id}/laps/${record.lapId}`)).json();
  expect(view.sectorTimesMs).toHaveLength(3);
  const compared = await guest.get(
    `/api/tracks/${track.id}/laps/${record.lapId}/comparison?with=${next.lapId}`,
  );
  expect(compared.statusCode, compared.body).toBe(200);
  const [slower] = compared.json<LapComparison>().laps;
  expect(slower?.gapMs.at(-1)).toBe(next.lapTimeMs - record.lapTimeMs);

  const again = await app.as(rival).postForm('/api/tracks/proposals', [
    ['track', JSON.stringify({ ...described, name: 'Hill again' })],
    ['file', gpx(5, 44)],
    ['file', gpx(6, 45)],
    ['file', gpx(7, 46)],
  ]);
  expect(again.statusCode).toBe(409);
});
