import { expect, test } from 'vitest';
import { toLapFile, simulateDrive } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { CHIPS } from '../testing/chips.ts';
import { isLongRun } from '../../tests/long-run.ts';
import { libraryTrack } from '../../tests/library.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { buildTrackShape } from '../center-line.ts';
import type { Track } from '../track.ts';
import { findCrossings } from './crossings.ts';
import { lapUncertaintyMs, lapUncertaintyParts } from './uncertainty.ts';

const TRACKS = ['grattan-raceway-full', 'weathertech-raceway-laguna-seca-full'];

/** The track with its start/finish line elsewhere: 0 where it is, 1 and more at its sector lines, in bends and braking zones. */
function timedOn(track: Track, line: number): Track {
  const startFinishLine = line === 0 ? track.startFinishLine : (track.sectors[line - 1] ?? null);
  return { ...track, startFinishLine, sectors: [] };
}

/** The share of simulated laps whose true time lies within the stated uncertainty, and the mean of that uncertainty. */
function coverage(
  receiver: Partial<Receiver>,
  { laps = 12, seeds = [1], line = 0 } = {},
): { share: number; meanMs: number } {
  const drives = TRACKS.flatMap((id, index) => seeds.map((seed) => ({ id, seed: 100 * index + seed })));
  const outcomes = drives.flatMap(({ id, seed }) => {
    const track = timedOn(libraryTrack(id), line);
    const drive = simulateDrive(track, { seed, laps, receiver });
    const timed = timeLaps(openFixes(toLapFile(drive.fixes)), track);
    const whole = timed.laps.filter(({ status }) => status !== 'incomplete');
    expect(whole).toHaveLength(drive.trueLaps.length);
    return whole.map((lap, index) => ({
      isInside: Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0)) <= lap.uncertaintyMs,
      uncertaintyMs: lap.uncertaintyMs,
    }));
  });
  return {
    share: outcomes.filter((outcome) => outcome.isInside).length / outcomes.length,
    meanMs: outcomes.reduce((sum, outcome) => sum + outcome.uncertaintyMs, 0) / outcomes.length,
  };
}

/** Receivers differ in rate, drift, noise, speeds, stamps and decimals. */
const RECEIVERS: Partial<Receiver>[] = [
  { rateHz: 25, driftMeters: 0.3, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 },
  { rateHz: 10, driftMeters: 0.6, noiseMeters: 0.05, speedNoiseMetersPerSecond: 0.1 },
  { rateHz: 25, driftMeters: 1, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.05, coordinateDecimals: 7 },
  { rateHz: 10, driftMeters: 1.5, noiseMeters: 0.1, speedNoiseMetersPerSecond: 0.1 },
  { rateHz: 5, driftMeters: 1, noiseMeters: 0.1, speedNoiseMetersPerSecond: 0.1 },
  { rateHz: 1, driftMeters: 1.4, noiseMeters: 0.3, speedNoiseMetersPerSecond: 0.3, coordinateDecimals: 6 },
  { rateHz: 10, driftMeters: 0.4, noiseMeters: 0.05, speedNoiseMetersPerSecond: 0.1, timeStampStepMs: 10 },
  { rateHz: 10, driftMeters: 0.4, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.1, coordinateDecimals: 6 },
  { rateHz: 10, driftMeters: 1.4, noiseMeters: 0.3, speedNoiseMetersPerSecond: 0.3, coordinateDecimals: 6 },
];

/** The receivers of lap timers are taken each at one of its rates. */
const KNOWN_RECEIVERS = CHIPS.map(({ receiver, ratesHz }) => ({ ...receiver, rateHz: ratesHz[0] ?? 10 }));

/** `npm run test:all` drives all of them. */
const SEEDS = isLongRun ? [1, 2, 3] : [1];

test.each([
  ['by the size of their drift', RECEIVERS],
  ['as the data sheets of their chips describe them', KNOWN_RECEIVERS],
])('of the laps of receivers %s, 93 to 97 in a hundred lie within the stated uncertainty', (_, receivers) => {
  const shares = receivers.map((receiver, index) => {
    const seeds = SEEDS.map((seed) => 10 * index + seed);
    return coverage(receiver, { seeds, line: index % 3 }).share;
  });
  const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  expect(share).toBeGreaterThanOrEqual(0.93);
  expect(share).toBeLessThanOrEqual(0.97);
  for (const one of shares) expect(one).toBeGreaterThan(0.85);
});

test('a receiver that drifts more gets a wider uncertainty, where its speeds show it', () => {
  const quiet = { rateHz: 10, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 };
  const [still, drifting] = [0.2, 2].map((driftMeters) => coverage({ ...quiet, driftMeters }).meanMs);
  expect(drifting).toBeGreaterThan(3 * (still ?? 0));
});

test('a receiver without speeds shows its drift by laps beside each other, and a slow one as well', () => {
  for (const receiver of [
    { rateHz: 10, hasSpeed: false },
    { rateHz: 1, speedNoiseMetersPerSecond: 0.1, noiseMeters: 0.1 },
  ]) {
    const [still, drifting] = [0.2, 2.5].map((driftMeters) => coverage({ ...receiver, driftMeters }).meanMs);
    expect(drifting).toBeGreaterThan(2 * (still ?? 0));
  }
});

test('speeds that are poor or wrong in the same corners of every lap do not widen the uncertainty', () => {
  const quiet = { rateHz: 10, driftMeters: 0.4, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 };
  const good = coverage(quiet);
  const poor = coverage({ ...quiet, speedDriftMetersPerSecond: 0.3, speedDriftSeconds: 2 });
  expect(poor.meanMs).toBeLessThan(1.3 * good.meanMs);
  expect(poor.share).toBeGreaterThan(0.9);
});

test('noise, rounding and coarse stamps make the stated uncertainty wider', () => {
  const clean = coverage({ rateHz: 10 }, { laps: 3 }).meanMs;
  expect(coverage({ rateHz: 10, noiseMeters: 1 }, { laps: 3 }).meanMs).toBeGreaterThan(clean * 1.1);
  expect(coverage({ rateHz: 10, coordinateDecimals: 4 }, { laps: 3 }).meanMs).toBeGreaterThan(clean * 2);
  expect(coverage({ rateHz: 12.5, timeStampStepMs: 100, jitterMs: 20 }, { laps: 3 }).meanMs).toBeGreaterThan(
    clean * 1.2,
  );
});

/** The uncertainty of the first lap of a simulated drive, and its parts. */
function firstLap(receiver: Partial<Receiver>) {
  const track = libraryTrack('grattan-raceway-full');
  const { frame } = buildTrackShape(track);
  if (frame === null) throw new Error('The track has no line.');
  const opened = openFixes(toLapFile(simulateDrive(track, { seed: 5, laps: 6, receiver }).fixes));
  const [start, end] = findCrossings(opened, frame);
  if (start === undefined || end === undefined) throw new Error('The drive has no lap.');
  const { noise, trace } = opened;
  return {
    wholeMs: lapUncertaintyMs(start, end, noise, trace),
    parts: lapUncertaintyParts(start, end, noise, trace),
  };
}

test('the squares of the parts of an uncertainty add up to the square of the whole', () => {
  const { wholeMs, parts } = firstLap({
    rateHz: 10,
    driftMeters: 1,
    noiseMeters: 0.2,
    speedNoiseMetersPerSecond: 0.1,
    jitterMs: 4,
    timeStampStepMs: 10,
  });
  const partsMs = [parts.noiseMs, parts.driftMs, parts.interpolationMs, parts.clockMs];
  for (const partMs of partsMs) expect(partMs).toBeGreaterThan(0);
  expect(Math.hypot(...partsMs)).toBeCloseTo(wholeMs, 9);
});

test('each part of an uncertainty grows with its own cause alone', () => {
  const clean = { rateHz: 10, driftMeters: 0.3, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 };
  const before = firstLap(clean).parts;
  const stamped = firstLap({ ...clean, jitterMs: 8, timeStampStepMs: 20 }).parts;
  expect(before.clockMs).toBe(0);
  expect(stamped.clockMs).toBeGreaterThan(1);
  const noisy = firstLap({ ...clean, noiseMeters: 0.3 }).parts;
  expect(noisy.noiseMs).toBeGreaterThan(2 * before.noiseMs);
  expect(noisy.clockMs).toBe(0);
  const drifting = firstLap({ ...clean, driftMeters: 2 }).parts;
  expect(drifting.driftMs).toBeGreaterThan(2 * before.driftMs);
  expect(drifting.clockMs).toBe(0);
});
