import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLapTime } from './lap-time.ts';

function millisecondsOf(written: string): number {
  const [minutes = '', seconds = ''] = written.split(':');
  return 60_000 * Number(minutes) + Math.round(1000 * Number(seconds));
}

test('a lap time has minutes, two digits of seconds and three of milliseconds', () => {
  expect(formatLapTime(83_456)).toBe('1:23.456');
  expect(formatLapTime(9_007)).toBe('0:09.007');
  expect(formatLapTime(605_000)).toBe('10:05.000');
});

test('rounding up to a whole minute carries over into the minutes', () => {
  expect(formatLapTime(59_999.6)).toBe('1:00.000');
  expect(formatLapTime(119_999.5)).toBe('2:00.000');
  expect(formatLapTime(59_999.4)).toBe('0:59.999');
});

test('every whole number of milliseconds survives being written and read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 36_000_000 }), (lapTimeMs) => {
      expect(millisecondsOf(formatLapTime(lapTimeMs))).toBe(lapTimeMs);
    }),
  );
});

test('around every minute the seconds stay between 00.000 and 59.999', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 90 }),
      fc.double({ min: -3, max: 3, noNaN: true }),
      (minutes, off) => {
        const written = formatLapTime(minutes * 60_000 + off);
        expect(written).toMatch(/^\d+:[0-5]\d\.\d{3}$/);
        expect(millisecondsOf(written)).toBe(Math.round(minutes * 60_000 + off));
      },
    ),
  );
});
