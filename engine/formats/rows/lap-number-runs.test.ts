import { expect, test } from 'vitest';
import { LapNumberRuns } from './lap-number-runs.ts';

/** Returns one row a second, each with its lap number; `crossings` are the rows that are exactly on a line. */
function lapsOf(numbers: number[], crossings: number[] = [], timeOf = (row: number) => 1000 * row) {
  const runs = new LapNumberRuns();
  for (const [row, number] of numbers.entries()) runs.see(number, row, crossings.includes(row));
  return runs.finish(Float64Array.from(numbers, (_, row) => timeOf(row)));
}

test('a lap lasts from the first row with its number to the first row of the next', () => {
  expect(lapsOf([0, 1, 1, 1, 2, 2, 3])).toMatchObject([
    { number: 1, lapTimeMs: 3000, startTimeMs: 1000 },
    { number: 2, lapTimeMs: 2000, startTimeMs: 4000 },
  ]);
});

test('laps whose beginning or end is not in the file do not count', () => {
  expect(lapsOf([5, 5, 5, 6, 6, 6, 7, 7]).map((lap) => lap.number)).toEqual([6]);
  expect(lapsOf([5, 5, 5])).toEqual([]);
});

test('what has no number, or 0, is no lap', () => {
  expect(lapsOf([Number.NaN, 1, 1, Number.NaN, 0, 2, 2, 0]).map((lap) => lap.number)).toEqual([1, 2]);
});

test('a run from a start line to a finish line ends with the row on the finish line', () => {
  expect(lapsOf([0, 4, 4, 4, 0, 0], [1, 3])).toMatchObject([
    { number: 4, lapTimeMs: 2000, startTimeMs: 1000 },
  ]);
});

test('a lap that is followed by a break was not finished', () => {
  const numbers = [0, 1, 1, 1, 2, 2, 3];
  const laps = lapsOf(numbers, [], (row) => 1000 * row + (row < 4 ? 0 : 3_600_000));
  expect(laps.map((lap) => lap.number)).toEqual([2]);
});

test('an interruption leaves the laps around it without beginning and end', () => {
  const runs = new LapNumberRuns();
  for (const [row, number] of [0, 1, 2].entries()) runs.see(number, row);
  runs.interrupt();
  for (const [row, number] of [2, 3, 4].entries()) runs.see(number, row + 3);
  expect(runs.finish(Float64Array.of(0, 1000, 2000, 3000, 4000, 5000)).map((lap) => lap.number)).toEqual([
    1, 3,
  ]);
});

test('laps are as exact as the rows around their ends, or as the rows that are exactly on a line', () => {
  const numbers = [0, 1, 1, 1, 2, 2, 3];
  const [atOneHertz] = lapsOf(numbers);
  expect(atOneHertz?.roundingMs).toBeCloseTo(Math.hypot(1000, 1000) / Math.sqrt(6));
  const [atTenHertz] = lapsOf(numbers, [], (row) => 100 * row);
  expect(atTenHertz?.roundingMs).toBeCloseTo(Math.hypot(100, 100) / Math.sqrt(6));
  const [onTheLine] = lapsOf(numbers, [1, 4]);
  expect(onTheLine?.roundingMs).toBeLessThan(1);
});

test('a lap behind a row that is in the wrong order has no beginning', () => {
  const timesMs = [0, 100, 200, 300_000, 300_100, 200, 300_200, 300_300, 300_400];
  const laps = lapsOf([0, 1, 1, 7, 7, 1, 7, 7, 8], [], (row) => timesMs[row] ?? 0);
  expect(laps.filter(({ number }) => number === 7)).toEqual([]);
});
