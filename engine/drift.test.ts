import { expect, test } from 'vitest';
import { libraryTrack } from '../tests/library.ts';
import { estimateDrift } from './drift.ts';
import { fitSpeeds } from './speeds.ts';
import { lapFileOf, simulateDrive } from './testing/drive.ts';
import type { Receiver } from './testing/drive.ts';
import { buildTrace } from './trace.ts';

function estimate(receiver: Partial<Receiver>, laps = 12) {
  const track = libraryTrack('grattan-raceway-full');
  const trace = buildTrace(lapFileOf(simulateDrive(track, { seed: 4, laps, receiver }).fixes));
  return estimateDrift(trace, fitSpeeds(trace));
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

test('without speeds, with few fixes or little time, nothing is said', () => {
  expect(estimate({ ...GOOD, hasSpeed: false })).toBeNull();
  expect(estimate({ ...GOOD, rateHz: 1 })).toBeNull();
  expect(estimate(GOOD, 1)).toBeNull();
});

test('where a speed is missing, only the way around it is left out', () => {
  const track = libraryTrack('grattan-raceway-full');
  const { fixes } = simulateDrive(track, { seed: 4, laps: 12, receiver: { ...GOOD, driftMeters: 2 } });
  const withGap = fixes.map((fix, index) =>
    index === 2001 ? { ...fix, speedMetersPerSecond: Number.NaN } : fix,
  );
  const trace = buildTrace(lapFileOf(withGap));
  const found = estimateDrift(trace, fitSpeeds(trace));
  expect(found?.meters).toBeGreaterThan(1.5);
  expect(found?.meters).toBeLessThan(3);
});
