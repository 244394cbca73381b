import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { estimateDrift } from './position-drift.ts';
import { fitSpeeds } from '../trace/speed-model.ts';
import { toLapFile, simulateDrive, type DrivenFix } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { buildTrace } from '../trace/trace.ts';
import { estimateNoise } from './position-noise.ts';
import { findRepeatedLaps } from './repeated-laps.ts';

function driven(receiver: Partial<Receiver>, laps = 12): DrivenFix[] {
  return simulateDrive(libraryTrack('grattan-raceway-full'), { seed: 4, laps, receiver }).fixes;
}

function estimateOf(fixes: DrivenFix[]) {
  const trace = buildTrace(toLapFile(fixes));
  const speeds = fitSpeeds(trace);
  const { returns } = findRepeatedLaps(trace);
  return estimateDrift(trace, speeds, estimateNoise(trace, speeds).whiteMeters, returns);
}

function estimate(receiver: Partial<Receiver>, laps = 12) {
  return estimateOf(driven(receiver, laps));
}

const GOOD = { rateHz: 10, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 };

test('the drift of a receiver shows where its positions and its speeds part', () => {
  expect(estimate({ ...GOOD, driftMeters: 0 })?.meters).toBeLessThan(0.2);
  // Over 75 of the 120 seconds that the drift remembers, it changes by 1.1 times its own size.
  const meters = estimate({ ...GOOD, driftMeters: 2 })?.meters;
  expect(meters).toBeGreaterThan(1.5);
  expect(meters).toBeLessThan(3);
});

test('noise of positions and speeds is not taken for drift', () => {
  expect(estimate({ rateHz: 10, noiseMeters: 0.1, speedNoiseMetersPerSecond: 0.1 })?.meters).toBeLessThan(
    0.3,
  );
  expect(estimate({ rateHz: 25, noiseMeters: 0.05, speedNoiseMetersPerSecond: 0.1 })?.meters).toBeLessThan(
    0.3,
  );
});

test('a noisy receiver, such as that of a phone, shows its drift as well', () => {
  const phone = { rateHz: 10, noiseMeters: 0.3, speedNoiseMetersPerSecond: 0.3 };
  expect(estimate({ ...phone, driftMeters: 0 })?.meters).toBeLessThan(1);
  expect(estimate({ ...phone, driftMeters: 2 })?.meters).toBeGreaterThan(1.5);
});

test('without speeds, with few fixes or little time, nothing is said', () => {
  expect(estimate({ ...GOOD, hasSpeed: false })).toBeNull();
  expect(estimate({ ...GOOD, rateHz: 1 })).toBeNull();
  expect(estimate(GOOD, 1)).toBeNull();
});

test('where a speed is missing, only the way around it is left out', () => {
  const withGap = driven({ ...GOOD, driftMeters: 2 }).map((fix, index) =>
    index === 2001 ? { ...fix, speedMetersPerSecond: Number.NaN } : fix,
  );
  const found = estimateOf(withGap);
  expect(found?.meters).toBeGreaterThan(1.5);
  expect(found?.meters).toBeLessThan(3);
});
