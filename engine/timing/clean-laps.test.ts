import { expect, test } from 'vitest';
import { listCleanLaps, measureSpread } from './clean-laps.ts';
import type { LapStatus } from './laps.ts';

const lap = (lapTimeMs: number, status: LapStatus = 'valid', reasons: string[] = []) => ({
  lapTimeMs,
  status,
  reasons,
});

const laps = (...lapTimesMs: number[]) => lapTimesMs.map((lapTimeMs) => lap(lapTimeMs));

test('clean laps rank, are no out or in lap, and take at most 107 % of the best of them', () => {
  const clean = [lap(100_000), lap(107_000), lap(101_000, 'warning', ['speeds_disagree'])];
  const others = [
    lap(107_001),
    lap(60_000, 'rejected', ['too_short']),
    lap(90_000, 'incomplete', ['out_lap']),
    lap(95_000, 'valid', ['in_lap', 'ranked_by_moderator']),
  ];
  expect(listCleanLaps([...others, ...clean])).toEqual(clean);
  expect(listCleanLaps([])).toEqual([]);
});

test('half of the laps lie within the spread of the median', () => {
  expect(measureSpread(laps(64_000, 60_000, 63_000, 61_000, 62_000))).toEqual({
    lapCount: 5,
    medianMs: 62_000,
    spreadMs: 1_000,
  });
  const times = [61_200, 60_100, 60_950, 60_400, 60_380, 60_700, 61_900, 60_220];
  const spread = measureSpread(laps(...times));
  expect(spread).toEqual({ lapCount: 8, medianMs: 60_550, spreadMs: 365 });
  const within = times.filter((timeMs) => Math.abs(timeMs - 60_550) <= 365);
  expect(within).toHaveLength(times.length / 2);
});

test('fewer than five laps have a median, and no spread; none have neither', () => {
  expect(measureSpread(laps(60_000, 61_000, 62_000, 63_000))).toEqual({
    lapCount: 4,
    medianMs: 61_500,
    spreadMs: null,
  });
  expect(measureSpread([])).toBeNull();
});
