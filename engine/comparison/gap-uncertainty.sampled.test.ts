import { expect, test } from 'vitest';
import { isLongRun } from '../../tests/long-run.ts';
import { libraryTrack } from '../../tests/library.ts';
import { at } from '../fix-columns.ts';
import { simulateDrive } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import {
  addCounts,
  countKind,
  countPair,
  noCounts,
  PAIR_KINDS,
  timedLap,
  type Counts,
} from '../testing/simulated-pairs.ts';
import { compareLaps } from './compare-laps.ts';

const GRATTAN = libraryTrack('grattan-raceway-full');

/** The noise of these kinds shows in their data: fast and slow, quiet and noisy, with quick drift and with drift that lasts for minutes. */
const RECEIVERS: Partial<Receiver>[] = [
  { rateHz: 25, driftMeters: 0.5, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.1 },
  { rateHz: 10, driftMeters: 0.7, noiseMeters: 0.05, speedNoiseMetersPerSecond: 0.1 },
  { rateHz: 10, driftMeters: 0.3, noiseMeters: 0.3, speedNoiseMetersPerSecond: 0.1 },
  { rateHz: 5, driftMeters: 0.7, noiseMeters: 0.05, speedNoiseMetersPerSecond: 0.1 },
  // These two are like phones.
  { rateHz: 1, driftMeters: 2, noiseMeters: 0.3, speedNoiseMetersPerSecond: 0.3 },
  { rateHz: 1, driftMeters: 3, driftSeconds: 600, noiseMeters: 0.2, speedNoiseMetersPerSecond: 0.2 },
];

// `npm run test:all` drives all of them.
const PAIRS = isLongRun ? [1, 2] : [1];
const SEEDS = isLongRun ? [200, 300, 400, 500] : [200, 300];

test('the band holds the true gap at 92 to 98 % of places and the true loss in as many stretches, within a recording and across two', () => {
  const tracks = ['grattan-raceway-full', 'circuit-de-monaco-street-circuit'].map(libraryTrack);
  const all = noCounts();
  RECEIVERS.forEach((receiver, kind) => {
    const counts = noCounts();
    for (const [index, track] of tracks.entries()) {
      for (const pair of PAIRS) {
        const seed = 100 * kind + 20 * index + 2 * pair;
        const one = simulateDrive(track, { seed, styleSeed: seed, laps: 4, receiver });
        const other = simulateDrive(track, { seed: seed + 1, styleSeed: seed + 1, laps: 4, receiver });
        addCounts(counts, countPair(track, { drive: one, lap: 1 }, { drive: one, lap: 2 }));
        addCounts(counts, countPair(track, { drive: one, lap: 1 }, { drive: other, lap: 1 }));
      }
    }
    // There are few pairs of each kind: their drift is slow, so one pair is inside all around or outside for half of a
    // lap.
    expect(shareInside(counts.gap), JSON.stringify(receiver)).toBeGreaterThan(0.8);
    expect(shareInside(counts.losses), JSON.stringify(receiver)).toBeGreaterThan(0.8);
    addCounts(all, counts);
  });
  expect(all.gap.places).toBeGreaterThan(12_500 * PAIRS.length);
  expect(all.losses.places).toBeGreaterThan(400 * PAIRS.length);
  for (const counts of [all.gap, all.losses]) {
    expect(shareInside(counts)).toBeGreaterThan(0.92);
    expect(shareInside(counts)).toBeLessThan(0.98);
  }
});

function shareInside({ places, inside }: Counts): number {
  return inside / places;
}

test('the band holds the true gap and the true losses of every kind of pair: clean, with holes, of mixed rates, shifted to one side, with jittering time stamps, with drift', () => {
  const all = noCounts();
  for (const kind of PAIR_KINDS) {
    const counts = noCounts();
    for (const seed of SEEDS) addCounts(counts, countKind(kind, GRATTAN, seed));
    expect(counts.gap.places).toBeGreaterThan(750 * SEEDS.length);
    // Drift is slow, so a pair is often inside all around or outside for half of a lap. The long test has more of them.
    expect(shareInside(counts.gap), kind.name).toBeGreaterThan(0.85);
    expect(shareInside(counts.losses), kind.name).toBeGreaterThan(0.85);
    addCounts(all, counts);
  }
  expect(all.losses.places).toBeGreaterThan(125 * SEEDS.length);
  expect(shareInside(all.losses)).toBeGreaterThan(0.92);
  expect(shareInside(all.losses)).toBeLessThan(0.98);
});

test('one time stamp that is wrong widens the band around it and nowhere else', () => {
  const receiver = { driftMeters: 0.3, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 };
  const drive = simulateDrive(GRATTAN, { seed: 12, laps: 3, receiver });
  const wrongMs = (drive.trueLaps[2]?.startTimeMs ?? 0) + 40_000;
  const fixes = drive.fixes.map((fix) =>
    Math.abs(fix.timeMs - wrongMs) < 50 ? { ...fix, timeMs: fix.timeMs + 90 } : fix,
  );
  const laps = [drive, { ...drive, fixes }].map((driven) => {
    const [first, second] = [1, 2].map((lap) => timedLap(GRATTAN, { drive: driven, lap }));
    if (!first || !second) throw new Error('Both laps rank.');
    const comparison = compareLaps(first, [{ ...second, isSameRecording: true }]);
    const [other] = comparison?.laps ?? [];
    if (!other) throw new Error('The laps were driven on one track.');
    return other;
  });
  const [right, wrong] = laps;
  if (!right || !wrong) throw new Error('There are two comparisons.');
  let [near, far] = [0, 0];
  wrong.elapsedMs.forEach((elapsedMs, station) => {
    const ratio = at(wrong.bandMs, station) / at(right.bandMs, station);
    const awayMs = Math.abs(elapsedMs - 40_000);
    if (awayMs < 200) near = Math.max(near, ratio);
    if (awayMs > 3000) far = Math.max(far, ratio);
  });
  expect(near).toBeGreaterThan(1.3);
  expect(far).toBeLessThan(1.02);
});

test('a hole widens the band where it is, and the gap ends no more certain than both lap times', () => {
  const receiver = { rateHz: 25, driftMeters: 0.3, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 };
  const drive = simulateDrive(GRATTAN, { seed: 12, laps: 3, receiver });
  const start = drive.trueLaps[2]?.startTimeMs ?? 0;
  const isSeen = (timeMs: number) => timeMs < start + 40_000 || timeMs > start + 44_000;
  const holed = { ...drive, fixes: drive.fixes.filter(({ timeMs }) => isSeen(timeMs)) };
  const [first, second] = [timedLap(GRATTAN, { drive, lap: 1 }), timedLap(GRATTAN, { drive: holed, lap: 2 })];
  if (first === null || second === null) throw new Error('Both laps rank.');
  const comparison = compareLaps(first, [{ ...second, isSameRecording: true }]);
  const [other] = comparison?.laps ?? [];
  if (!comparison || !other) throw new Error('The laps were driven on one track.');
  const { bandMs, gapMs } = other;
  const inHole = bandMs.filter((_, station) => {
    const elapsedMs = at(comparison.reference.elapsedMs, station) + at(gapMs, station);
    return elapsedMs > 41_500 && elapsedMs < 42_500;
  });
  const usual = bandMs.toSorted()[Math.floor(bandMs.length / 2)] ?? 0;
  expect(inHole.length).toBeGreaterThan(2);
  expect(Math.min(...inHole)).toBeGreaterThan(3 * usual);
  expect(at(bandMs, bandMs.length - 1)).toBeGreaterThanOrEqual(
    Math.hypot(first.lap.uncertaintyMs, second.lap.uncertaintyMs) - 1e-6,
  );
});
