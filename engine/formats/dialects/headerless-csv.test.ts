import { expect, test } from 'vitest';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { readLapFile } from '../recognise.ts';

function read(lines: string[]) {
  return readLapFile(new TextEncoder().encode(lines.join('\n')));
}

const START_MS = 1_685_229_507_000;

/** Returns twenty rows of a car that drives north-east, ten a second. */
function table(
  cells: (row: number, lat: string, lon: string) => (string | number)[],
  separator = ',',
): string[] {
  return Array.from({ length: 20 }, (_, row) =>
    cells(row, (39.5374 + row * 2e-5).toFixed(9), (-122.332 + row * 2e-5).toFixed(9)).join(separator),
  );
}

test('time of day, seconds since 1970, latitude and longitude are recognised by their values', () => {
  const { format, clock, fixes } = read(
    table((row, lat, lon) => [`16:18:27.${row}59554000`, 1685229507.2 + row / 10, 999, lat, lon, 0, 108]),
  );
  expect({ format, clock }).toEqual({ format: 'headerless-csv', clock: 'utc' });
  expect([fixes.timesMs[1], fixes.lats[1], fixes.lons[1]]).toEqual([1685229507300, 39.53742, -122.33198]);
  expect(fixes.speedsMetersPerSecond[0]).toBeNaN();
});

test('comments may precede the rows', () => {
  const rows = table((row, lat, lon) => [lat, lon, START_MS + 100 * row]);
  expect(read(['# exported by me', '# twice', ...rows])).toEqual(read(rows));
});

test('the longitude may come first where it lies beyond 90 degrees', () => {
  const { fixes } = read(table((row, lat, lon) => [lon, lat, START_MS + 100 * row]));
  expect([fixes.lats[0], fixes.lons[0]]).toEqual([39.5374, -122.332]);
});

test('semicolons and decimal commas are read, with dates for times', () => {
  const lines = table((row, lat, lon) => [`2026-05-16T09:30:00.${row + 10}Z`, lat, lon], ';');
  const { clock, fixes } = read(lines.map((line) => line.replaceAll(/(\d)\.(\d{9})/g, '$1,$2')));
  expect(clock).toBe('utc');
  expect(fixes).toMatchObject({ length: 20 });
  expect(fixes.lats[1]).toBeCloseTo(39.53742, 9);
});

test('a column that counts up is no time', () => {
  expect(() => read(table((row, lat, lon) => [row, lat, lon]))).toThrow(UnreadableLapFileError);
});

test('positions that do not move, or lie all over the Earth, are none', () => {
  expect(() => read(table((row) => [START_MS + 100 * row, 39.5374, -122.332]))).toThrow(
    UnreadableLapFileError,
  );
  expect(() =>
    read(table((row) => [START_MS + 100 * row, (row * 3.12345).toFixed(5), (row * 7.12345).toFixed(5)])),
  ).toThrow(UnreadableLapFileError);
});
