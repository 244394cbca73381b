import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

test('times count milliseconds since 1970, and of two speeds the first is in metres per second', () => {
  const file = read(
    'utc (ms),lat (deg),lon (deg),speed (m/s),alt (m),heading (deg),satellites,g_lon,g_lat,speed (km/h)',
    '1617530423032,50.3010636,4.6550936,24.09,256.6,31.88,19,0.187,0.031,86.7',
  );
  expect(file.format).toBe('telemetry-overlay-csv');
  expect(file.clock).toBe('utc');
  expect([...file.fixes.timesMs]).toEqual([1_617_530_423_032]);
  expect([...file.fixes.lats, ...file.fixes.lons]).toEqual([50.3010636, 4.6550936]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBe(24.09);
});
