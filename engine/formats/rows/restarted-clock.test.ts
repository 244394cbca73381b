import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

/** Reads rows of a lap number and a time in seconds. */
function read(...rows: readonly [lap: number, seconds: number][]): number {
  const lines = rows.map(([lap, seconds], row) => `${lap},${seconds},${48 + row / 1e4},11.5`);
  return readLapFile(new TextEncoder().encode(['lap,time,lat,lon', ...lines].join('\n'))).fixes.length;
}

test('times that begin again with every lap are refused', () => {
  expect(() => read([1, 0.1], [1, 59.9], [2, 0.1], [2, 60.2], [3, 0.1])).toThrow(
    /begin again with every lap/,
  );
});

test('a clock that begins again with a session is continued, and rows may be in another order', () => {
  expect(read([1, 0.1], [1, 59.9], [2, 60.1], [1, 0.1], [1, 60.2], [2, 61])).toBeGreaterThan(2);
  expect(read([3, 121.2], [2, 121.1], [2, 62], [1, 61.9], [1, 10])).toBe(5);
});
