import { expect, test } from 'vitest';
import { formatLapDate } from './lap-date.ts';

test('a date is shown as MM/DD/YY of the day at the track, in whatever time zone the reader is', () => {
  expect(formatLapDate('2026-11-14T23:30:00-08:00')).toBe('11/14/26');
  expect(formatLapDate('2026-11-15T00:30:00+13:00')).toBe('11/15/26');
  expect(formatLapDate('2026-03-01')).toBe('03/01/26');
});

test('what is missing or not a date is not available', () => {
  expect(formatLapDate(null)).toBe('N/A');
  expect(formatLapDate(undefined)).toBe('N/A');
  expect(formatLapDate('yesterday')).toBe('N/A');
});
