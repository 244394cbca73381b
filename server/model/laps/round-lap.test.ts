import { expect, test } from 'vitest';
import type { Lap } from '#engine/timing/laps.ts';
import { roundLap, summarizeLaps } from './round-lap.ts';

const LAP: Lap = {
  number: 1,
  startTimeMs: 0,
  lapTimeMs: 90_000.6,
  uncertaintyMs: 3.1,
  status: 'valid',
  reasons: [],
  sectorTimesMs: [],
};

test('a time is rounded to the nearest millisecond, its uncertainty upwards', () => {
  expect(roundLap(LAP)).toMatchObject({ lapTimeMs: 90_001, uncertaintyMs: 4 });
});

test('sectors add up to the lap, also where each alone would be rounded down', () => {
  const sectorTimesMs = [30_000.4, 30_000.4, 30_000.4];
  const rounded = roundLap({ ...LAP, lapTimeMs: 90_001.2, sectorTimesMs });
  expect(rounded.sectorTimesMs).toEqual([30_000, 30_001, 30_000]);
  expect(rounded.lapTimeMs).toBe(90_001);
  expect(roundLap({ ...LAP, sectorTimesMs: [30_000.4, null, 30_000.4] }).sectorTimesMs).toEqual([
    30_000,
    null,
    30_001,
  ]);
});

test('laps that do not rank are counted, but none of them is the best', () => {
  const laps = [
    roundLap(LAP),
    roundLap({ ...LAP, lapTimeMs: 80_000, status: 'rejected' }),
    roundLap({ ...LAP, lapTimeMs: 85_000, status: 'warning' }),
    roundLap({ ...LAP, lapTimeMs: 70_000, status: 'incomplete' }),
  ];
  expect(summarizeLaps(laps)).toEqual({ lapCount: 3, bestLapTimeMs: 85_000 });
  expect(summarizeLaps([])).toEqual({ lapCount: 0, bestLapTimeMs: null });
});
