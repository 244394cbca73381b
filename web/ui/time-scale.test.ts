import { expect, test } from 'vitest';
import { makeTimeScale, toShare } from './time-scale.ts';

const labels = (...timesMs: number[]) => makeTimeScale(timesMs)?.ticks.map(({ label }) => label);

test('ticks are round, at most seven, and as precise as their step', () => {
  expect(labels(102_882, 110_705)).toEqual(['1:44', '1:46', '1:48', '1:50']);
  expect(labels(102_882, 105_020)).toEqual(['1:43.0', '1:43.5', '1:44.0', '1:44.5', '1:45.0']);
  expect(labels(60_000, 60_030)).toEqual(
    ['0:59.90', '0:59.95', '1:00.00', '1:00.05', '1:00.10'].filter(Boolean),
  );
  expect(labels(60_000, 540_000)?.length).toBeLessThanOrEqual(7);
});

test('one time has a scale, no time has none', () => {
  expect(labels(60_000)?.length).toBeGreaterThan(1);
  expect(makeTimeScale([])).toBeNull();
});

test('shares run from the fastest to the slowest time and stay within the scale', () => {
  const scale = { fastestMs: 60_000, slowestMs: 70_000 };
  expect([55_000, 60_000, 62_500, 70_000, 90_000].map((timeMs) => toShare(scale, timeMs))).toEqual([
    0, 0, 0.25, 1, 1,
  ]);
});
