import { expect, test } from 'vitest';
import { deriveAccelerations } from '#engine/comparison/accelerations.ts';
import {
  accelerationG,
  classifySpeeds,
  countGapFrom,
  joinEqual,
  nearestStation,
  widenBandFrom,
} from './lap-lines.ts';

const METERS = Array.from({ length: 101 }, (_, index) => index * 5);

test('the nearest station is found between, at and beyond the ends', () => {
  expect(nearestStation(METERS, 12)).toBe(2);
  expect(nearestStation(METERS, 13)).toBe(3);
  expect(nearestStation(METERS, -50)).toBe(0);
  expect(nearestStation(METERS, 9000)).toBe(100);
  expect(nearestStation([], 5)).toBe(0);
});

test('speeds are classed between the slowest and the fastest of the lap', () => {
  expect(classifySpeeds([60, 90, 120, 180])).toEqual([0, 1, 3, 5]);
  expect(classifySpeeds([80, 80])).toEqual([0, 0]);
});

test('stretches of equal values touch, and cover the lap', () => {
  expect(joinEqual(['a', 'a', 'b', 'b', 'a'])).toEqual([
    { from: 0, to: 2, value: 'a' },
    { from: 2, to: 4, value: 'b' },
  ]);
  expect(joinEqual(['a', 'a'])).toEqual([{ from: 0, to: 1, value: 'a' }]);
  expect(joinEqual([])).toEqual([]);
});

test('a gap counted from a station is zero there, and its band covers both errors', () => {
  expect(countGapFrom([0, 100, 250], 1)).toEqual([-100, 0, 150]);
  expect(widenBandFrom([0, 30, 40], 1)).toEqual([30, Math.hypot(30, 30), 50]);
});

test('braking at 1 g is read from the speeds', () => {
  const timesMs = METERS.map((_, index) => 80 * index);
  const speedsKmh = timesMs.map((timeMs) => (70 - 9.80665 * Math.min(timeMs / 1000, 4)) * 3.6);
  expect(accelerationG(timesMs, speedsKmh, 20)).toBeCloseTo(-1, 6);
  expect(accelerationG(timesMs, speedsKmh, 80)).toBeCloseTo(0, 6);
});

test('the acceleration at a station is that of the channel', () => {
  const timesMs = METERS.map((_, index) => 60 * index + 20 * Math.sin(index));
  const speedsKmh = timesMs.map((timeMs) => 120 + 60 * Math.sin(timeMs / 400));
  const none = new Float64Array(0);
  const { longitudinal } = deriveAccelerations({
    timesMs: Float64Array.from(timesMs),
    speedsMetersPerSecond: Float64Array.from(speedsKmh, (speed) => speed / 3.6),
    lats: none,
    lons: none,
  });
  for (const index of [0, 1, 12, 55, 99, 100]) {
    expect(accelerationG(timesMs, speedsKmh, index)).toBeCloseTo((longitudinal[index] ?? NaN) / 9.80665, 9);
  }
});
