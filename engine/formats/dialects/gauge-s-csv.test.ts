import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const HEADER =
  'Timestamp (ms),Date,Hour (h),Minute (min),Second (s),Speed (mph),GPS Speed (km/h),GPS Latitude (°),GPS Longitude (°),';

test('the date is put together from digits; the milliseconds run on where the seconds stand still', () => {
  const file = read(
    HEADER,
    '0,090406,19,02,50,99,36.0,30.1320,-97.6398,',
    '34,090406,19,02,50,99,36.0,30.1321,-97.6398,',
    '961,090406,19,02,51,99,36.0,30.1322,-97.6398,',
  );
  expect(file.format).toBe('gauge-s-csv');
  expect(file.clock).toBe('local');
  const [first = 0, ...others] = file.fixes.timesMs;
  expect(Math.abs(first - Date.parse('2009-04-06T19:02:50Z'))).toBeLessThan(1000);
  expect(others.map((timeMs) => timeMs - first)).toEqual([34, 961]);
});

test("the speed is the receiver's, not the car's", () => {
  const file = read(HEADER, '0,250406,19,02,50,99,36.0,30.1320,-97.6398,');
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
});

test('without a clock that was set, times count from the start', () => {
  const file = read(
    HEADER,
    '5,000000,00,00,00,99,36.0,30.1320,-97.6398,',
    '39,,,,,99,36.0,30.1321,-97.6398,',
  );
  expect(file.clock).toBe('elapsed');
  expect([...file.fixes.timesMs]).toEqual([5, 39]);
});
