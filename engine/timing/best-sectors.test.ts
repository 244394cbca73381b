import { expect, test } from 'vitest';
import { bestSectors } from './best-sectors.ts';
import type { Lap } from './laps.ts';

function lap(number: number, sectorTimesMs: (number | null)[], status: Lap['status'] = 'valid'): Lap {
  const lapTimeMs = sectorTimesMs.reduce<number>((sum, time) => sum + (time ?? 30_000), 0);
  return { number, startTimeMs: 0, lapTimeMs, uncertaintyMs: 5, status, reasons: [], sectorTimesMs };
}

test('every best sector names its lap, and together they are the theoretical best lap', () => {
  const laps = [
    lap(1, [30_100, 25_000, 20_300]),
    lap(2, [30_000, 25_400, 20_300]),
    lap(3, [30_200, 25_200, 20_100]),
  ];
  expect(bestSectors(laps)).toEqual({
    sectors: [
      { sectorTimeMs: 30_000, lapNumber: 2 },
      { sectorTimeMs: 25_000, lapNumber: 1 },
      { sectorTimeMs: 20_100, lapNumber: 3 },
    ],
    theoreticalBestMs: 75_100,
  });
});

test('of equal times, the earlier counts', () => {
  expect(bestSectors([lap(1, [30_000]), lap(2, [30_000])]).sectors).toEqual([
    { sectorTimeMs: 30_000, lapNumber: 1 },
  ]);
});

test('laps that do not rank set no best sector', () => {
  const laps = [lap(1, [30_000, 25_000], 'warning'), lap(2, [20_000, 15_000], 'rejected')];
  expect(bestSectors(laps).theoreticalBestMs).toBe(55_000);
});

test('a sector that no lap has a time for leaves the theoretical best open', () => {
  const laps = [lap(1, [30_000, null, null]), lap(2, [null, null, 25_000])];
  expect(bestSectors(laps)).toEqual({
    sectors: [{ sectorTimeMs: 30_000, lapNumber: 1 }, null, { sectorTimeMs: 25_000, lapNumber: 2 }],
    theoreticalBestMs: null,
  });
});

test('without sector lines or laps there is nothing to tell', () => {
  expect(bestSectors([lap(1, [])])).toEqual({ sectors: [], theoreticalBestMs: null });
  expect(bestSectors([])).toEqual({ sectors: [], theoreticalBestMs: null });
});
