import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { libraryTrack } from '../../tests/library.ts';
import { listTriedSamples } from '../../tests/lap-samples.ts';
import { isLongRun } from '../../tests/long-run.ts';
import { simulateDrive, toLapFile, type DriveOptions } from '../simulation/drive.ts';
import { KART_TRACK, kartLineAcross } from '../testing/kart-track.ts';
import { openFixes, openLapFile, timeLaps, type OpenedLapFile } from '../time-lap-file.ts';
import { roundTimes } from '../timing/round-times.ts';
import { undirectedLine } from '../timing-line.ts';
import { trackFromLine, type Track } from '../track.ts';
import { cutLapProof, type LapProof } from './lap-proof.ts';
import { timeProof } from './time-proof.ts';

const GRATTAN = libraryTrack('grattan-raceway-full');

/** Returns the times of all complete laps, and those from their proofs after a way through JSON. */
function timeTwice(file: OpenedLapFile, track: Track) {
  const laps = timeLaps(file, track).laps.filter(({ status }) => status !== 'incomplete');
  const proofs = laps.map((lap) => cutLapProof(file, lap, track));
  const again = proofs.map((proof) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What was written is read.
    const lap = timeProof(JSON.parse(JSON.stringify(proof)) as LapProof);
    return lap && roundTimes(lap);
  });
  return { laps, proofs, first: laps.map(roundTimes), again };
}

const open = (track: Track, options: Partial<DriveOptions>) =>
  openFixes(toLapFile(simulateDrive(track, { seed: 3, laps: 4, ...options }).fixes));

test.each([
  ['exact, 10 Hz', {}],
  ['1 Hz without speeds', { rateHz: 1, hasSpeed: false, noiseMeters: 0.4 }],
  ['noisy, 5 Hz', { rateHz: 5, noiseMeters: 0.6, driftMeters: 1, coordinateDecimals: 6 }],
  ['good, 25 Hz, with missing fixes', { rateHz: 25, noiseMeters: 0.04, lossShare: 0.1, jitterMs: 3 }],
  ['stamps cut to 100 ms', { rateHz: 8, timeStampStepMs: 100, noiseMeters: 0.2 }],
])('a proof gives the same milliseconds, ± and sectors as the whole recording: %s', (_name, receiver) => {
  for (const track of [GRATTAN, KART_TRACK]) {
    const { first, again } = timeTwice(open(track, { receiver }), track);
    expect(first.length).toBeGreaterThan(2);
    expect(again).toEqual(first);
  }
});

test('a line that reaches another part of the track gives the same lap', () => {
  const track = { ...KART_TRACK, startFinishLine: kartLineAcross(-365, 5) };
  const { first, again } = timeTwice(open(track, {}), track);
  expect(first.length).toBeGreaterThan(2);
  expect(again).toEqual(first);
});

test('outside of the lap a proof holds only the fixes that both crossings are worked out from', () => {
  const { proofs } = timeTwice(open(KART_TRACK, { receiver: { rateHz: 10 } }), KART_TRACK);
  for (const proof of proofs) {
    const fixesOutside = (proof && timeProof(proof)?.fixesOutside) ?? 0;
    expect(fixesOutside).toBeGreaterThan(0);
    expect(fixesOutside).toBeLessThanOrEqual(14);
  }
});

test('fixes that do not cross the line give no lap', () => {
  const [proof] = timeTwice(open(KART_TRACK, {}), KART_TRACK).proofs;
  if (!proof) throw new Error('The drive has laps.');
  const moved = { ...proof, lats: proof.lats.map((lat) => lat + 1) };
  expect(timeProof(moved)).toBeNull();
});

const SAMPLES_FOLDER = process.env['LAP_SAMPLES'];

test.skipIf(SAMPLES_FOLDER === undefined)('laps of real recordings give the same milliseconds', () => {
  let lapCount = 0;
  for (const { path, truth } of listTriedSamples(SAMPLES_FOLDER ?? '')) {
    if (!truth?.startFinish) continue;
    const track = trackFromLine(undirectedLine(...truth.startFinish));
    const { first, again } = timeTwice(openLapFile(readFileSync(path), inflateLapFile), track);
    expect(again, path).toEqual(first);
    lapCount += first.length;
  }
  expect(lapCount).toBeGreaterThan(isLongRun ? 100 : 10);
});
