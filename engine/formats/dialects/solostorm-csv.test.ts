import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const HEADER = 'GPS_TIME (ms),LONG (deg),LAT (deg),ELEV (m),SPEED (m/s),MATH_LAP_NUMBER,MATH_SECTOR_NUMBER';

function rows(...sectors: [run: number, sector: number][]): string[] {
  return sectors.map(([run, sector], second) =>
    [1_782_074_600_000 + second * 1000, -97.1, `48.1000${second}`, 300, 10, run, sector].join(','),
  );
}

test('a run lasts from the second sector to the last: not the wait before it, nor the way back', () => {
  const file = read(
    HEADER,
    ...rows([1, 1], [1, 1], [1, 2], [1, 2], [1, 3], [1, 4], [1, 4], [2, 1], [2, 2], [2, 3], [2, 4]),
  );
  expect(file.format).toBe('solostorm-csv');
  expect(file.clock).toBe('utc');
  expect(file.loggerLaps.map(({ number, lapTimeMs }) => [number, lapTimeMs])).toEqual([
    [1, 3000],
    [2, 2000],
  ]);
});

test('a run that does not come to the finish is none', () => {
  const file = read(HEADER, ...rows([1, 1], [1, 2], [1, 3], [1, 4], [2, 1], [2, 2], [2, 3], [3, 2]));
  expect(file.loggerLaps.map(({ number }) => number)).toEqual([1]);
});

test('the calculated time is in milliseconds without saying so', () => {
  const file = read(
    'MATH_ELAPSED_TIME,LAT (deg),LONG (deg),SPEED (m/s)',
    '0,48.1,-97.1,10',
    '3,48.2,-97.1,10',
  );
  expect(file.clock).toBe('elapsed');
  expect([...file.fixes.timesMs]).toEqual([0, 3]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBe(10);
});
