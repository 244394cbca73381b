import { expect, test } from 'vitest';
import {
  firstTwoLetters,
  formatCount,
  formatDifference,
  formatLapDate,
  formatTrackLength,
  formatInitials,
} from './format.ts';

test('thousands are set apart, as the browser would', () => {
  for (const count of [0, 7, 999, 1000, 20_000, 123_456, 1_234_567, -1234]) {
    expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
  }
});

test('a difference of times has its sign, a minus as wide as a plus', () => {
  expect(formatDifference(485)).toBe('+0.485');
  expect(formatDifference(-112.4)).toBe('−0.112');
  expect(formatDifference(-0.2)).toBe('0.000');
});

test('lengths are in kilometres to the metre', () => {
  expect(formatTrackLength(5_278)).toBe('5.278\u00A0km');
  expect(formatTrackLength(804.6)).toBe('0.805\u00A0km');
});

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

test('a board shows the first two letters of a name in capitals', () => {
  expect(firstTwoLetters('mara Okafor')).toBe('MA');
  expect(firstTwoLetters(' é')).toBe('É');
  expect(firstTwoLetters('')).toBe('');
});

test('a profile shows the first letters of the first and the last word', () => {
  expect(formatInitials('Mara Okafor')).toBe('MO');
  expect(formatInitials('Anna Maria van der Berg')).toBe('AB');
  expect(formatInitials('mara')).toBe('M');
  expect(formatInitials('  ')).toBe('');
});

test('a letter of two code units is not cut in half', () => {
  expect(firstTwoLetters('𝒜𝒷c')).toBe('𝒜𝒷');
});
