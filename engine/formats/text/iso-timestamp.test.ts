import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasZone, parseDate, parseDateTime, parseTimeOfDay } from './iso-timestamp.ts';

type Reader<Value> = (bytes: Uint8Array, start: number, end: number) => Value;

function read<Value>(reader: Reader<Value>, text: string): Value {
  const bytes = new TextEncoder().encode(`<${text}9`);
  return reader(bytes, 1, bytes.length - 1);
}

test.each([
  ['2026-06-21T20:43:33.039Z', '2026-06-21T20:43:33.039Z'],
  ['2026-06-21t20:43:33z', '2026-06-21T20:43:33.000Z'],
  ['2015-12-11T15:43:13.994+01:00', '2015-12-11T14:43:13.994Z'],
  ['2015-12-11T15:43:13.994-0330', '2015-12-11T19:13:13.994Z'],
  ['2015-12-11T15:43:13+01', '2015-12-11T14:43:13.000Z'],
  ['2026-07-14 11:45:06', '2026-07-14T11:45:06.000Z'],
  ['2026/07/14 11:45:06,5', '2026-07-14T11:45:06.500Z'],
  [' 2026-07-14T11:45:06.8 ', '2026-07-14T11:45:06.800Z'],
  ['2026-06-21 9:5:3.25', '2026-06-21T09:05:03.250Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59.000Z'],
])('%s is the moment %s', (text, moment) => {
  expect(read(parseDateTime, text)).toBe(Date.parse(moment));
});

test.each([
  '',
  '2026-06-21',
  '2026-06-21T',
  '2026-06-21T20:43',
  '2026-13-21T20:43:33Z',
  '2026-06-00T20:43:33Z',
  '2026-06-21T20:61:33Z',
  '2026-06-21T20:43:33.Z9',
  '2026-06-21T20:43:33+1:00',
  '2026-06-21T20:43:33Zulu',
  '21-06-2026T20:43:33Z',
  '2026-06-2120:43:33Z',
  'yesterday, at noon',
])('"%s" is no moment', (text) => {
  expect(read(parseDateTime, text)).toBeNaN();
});

test('every millisecond of four centuries is read as the language reads it', () => {
  const [from, to] = [Date.UTC(1900, 0, 1), Date.UTC(2300, 0, 1)];
  fc.assert(
    fc.property(fc.integer({ min: from, max: to }), (moment) => {
      expect(read(parseDateTime, new Date(moment).toISOString())).toBe(moment);
    }),
    { numRuns: 2000 },
  );
});

test('decimals beyond the millisecond are kept', () => {
  expect(read(parseDateTime, '1970-01-01T00:00:01.2345678Z')).toBeCloseTo(1234.5678, 9);
});

test('a zone is seen where there is one, and only there', () => {
  expect(read(hasZone, '2026-06-21T20:43:33.039Z')).toBe(true);
  expect(read(hasZone, '2026-06-21T20:43:33-03:00')).toBe(true);
  expect(read(hasZone, '2026-06-21T20:43:33.039')).toBe(false);
  expect(read(hasZone, '2026-06-21 20:43:33 ')).toBe(false);
});

test('a time of day counts from midnight', () => {
  expect(read(parseTimeOfDay, '16:57:02.65')).toBe(61_022_650);
  expect(read(parseTimeOfDay, '0:00:00')).toBe(0);
  expect(read(parseTimeOfDay, '00:02:35.138')).toBe(155_138);
  expect(read(parseTimeOfDay, '16:57')).toBeNaN();
  expect(read(parseTimeOfDay, '16:57:02 PM')).toBeNaN();
});

test('a date alone is its midnight', () => {
  expect(read(parseDate, '2026-06-21')).toBe(Date.UTC(2026, 5, 21));
  expect(read(parseDate, '2026-06/21')).toBeNaN();
  expect(read(parseDate, '2026-06-21x')).toBeNaN();
});

test('a file that was cut off in the seconds of its last time has no time there', () => {
  const bytes = Buffer.from('2026-06-21T20:43:3');
  expect(parseDateTime(bytes, 0, bytes.length)).toBeNaN();
});
