import { expect, test } from 'vitest';
import {
  inferDayOrder,
  monthNumber,
  parseLocalizedDate,
  parseLocalizedTime,
  splitDateTime,
} from './localized-date.ts';

function iso(text: string, order: 'day-first' | 'month-first' | null = null): string {
  const timeMs = parseLocalizedDate(text, order);
  return Number.isNaN(timeMs) ? 'none' : new Date(timeMs).toISOString().slice(0, 10);
}

test.each([
  ['4.8.2016', '2016-08-04'],
  ['8-8-2016', '2016-08-08'],
  ['14-Aug-2016', '2016-08-14'],
  ['14-AUG-16', '2016-08-14'],
  ['14 August 2016', '2016-08-14'],
  ['Aug 14, 2016', '2016-08-14'],
  ['Sunday, December 15, 2024', '2024-12-15'],
  ['Sunday, 15 December 2024', '2024-12-15'],
  ['29.02.2024', '2024-02-29'],
])('%s is %s', (text, wanted) => {
  expect(iso(text)).toBe(wanted);
});

test('of two small numbers the order says which is the day', () => {
  expect(iso('03/08/2016', 'day-first')).toBe('2016-08-03');
  expect(iso('03/08/2016', 'month-first')).toBe('2016-03-08');
  expect(iso('03/08/2016')).toBe('none');
  expect(['14/08/2016', '08/14/2016', '03/08/2016', '2016'].map(inferDayOrder)).toEqual([
    'day-first',
    'month-first',
    null,
    null,
  ]);
});

test.each([
  '',
  '14/13/2016',
  '30.02.2024',
  '31-Jun-2024',
  '14/08-2016',
  '14-Xyz-2016',
  '0/0/2016',
  '2016',
  'Dec 2024',
])('%j is no date', (text) => {
  expect(iso(text, 'day-first')).toBe('none');
});

test.each([
  ['16:57:02.65', 61_022_650],
  ['16:57', 61_020_000],
  ['1:34 PM', 48_840_000],
  ['12:00:01 AM', 1000],
  ['12:00 p.m.', 43_200_000],
])('%s is %d ms after midnight', (text, wanted) => {
  expect(parseLocalizedTime(text)).toBe(wanted);
});

test.each(['', '24:00', '1:60', '43:33.0', 'noon', '1 PM'])('%j is no time of day', (text) => {
  expect(parseLocalizedTime(text)).toBeNaN();
});

test('a date and its time are taken apart at the blank', () => {
  expect(splitDateTime('24-Jun-2022 20:03:48.565')).toEqual({ date: '24-Jun-2022', time: '20:03:48.565' });
  expect(splitDateTime('24/06/2022, 20:03')).toEqual({ date: '24/06/2022', time: '20:03' });
  expect(splitDateTime('24/06/2022')).toBeNull();
});

test('months are known by their first letters', () => {
  expect(['Jan', 'february', 'SEPT', 'Dec'].map(monthNumber)).toEqual([1, 2, 9, 12]);
  expect(['anf', 'ja', '', 'xyz'].map(monthNumber).every(Number.isNaN)).toBe(true);
});
