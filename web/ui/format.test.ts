import { expect, test } from 'vitest';
import {
  firstTwoLetters,
  formatCount,
  formatDistance,
  formatExactMoment,
  formatFineLength,
  formatLength,
  formatMoment,
  formatShortDate,
  formatSentence,
  formatSpeed,
  formatKilometers,
  roundSpeed,
  speedUnit,
  spellLength,
  formatDifference,
  formatLapDate,
  formatTrackLength,
  formatInitials,
} from './format.ts';
import { inFormats } from '#web/testing/formats.ts';

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

const writeUnits = () => [
  formatSpeed(181.2),
  `${roundSpeed(181.2)} ${speedUnit()}`,
  formatLength(1_424.4),
  formatLength(0.31, 1),
  spellLength(1_424.4),
  formatFineLength(0.012),
  formatDistance(12_400),
  formatTrackLength(5_278),
];

test('speeds and lengths are in the units of the region, and round alike everywhere', () => {
  const metric = [
    '181 km/h',
    '181 km/h',
    '1,424 m',
    '0.3 m',
    '1,424 metres',
    '1.2 cm',
    '12 km',
    '5.278\u00A0km',
  ];
  for (const tag of [undefined, 'de-DE', 'fr-FR', 'ja-JP'])
    expect(inFormats(tag, writeUnits)).toEqual(metric);
  expect(inFormats('en-GB', writeUnits)).toEqual([
    '113 mph',
    '113 mph',
    ...metric.slice(2, 6),
    '8 mi',
    '3.280\u00A0mi',
  ]);
  expect(inFormats('en-US', writeUnits)).toEqual([
    '113 mph',
    '113 mph',
    '4,673 ft',
    '1.0 ft',
    '4,673 feet',
    '0.5 in',
    '8 mi',
    '3.280\u00A0mi',
  ]);
});

const writeMoments = () => [
  formatLapDate('2026-11-24T18:05:59Z'),
  formatShortDate('2026-11-24'),
  formatMoment('2026-11-24T18:05:59Z'),
  formatExactMoment('2026-11-24T18:05:59Z'),
  formatKilometers(5_278),
];

test('moments are in UTC, and the name of a layout is the same for all', () => {
  expect(inFormats(undefined, writeMoments)).toEqual([
    '11/24/26',
    '11/24',
    '11/24/26 18:05 UTC',
    '11/24/26 18:05:59',
    '5.278 km',
  ]);
  expect(inFormats('en-US', writeMoments)).toEqual([
    '11/24/26',
    '11/24',
    '11/24/26 6:05 PM UTC',
    '11/24/26 6:05:59 PM',
    '5.278 km',
  ]);
  expect(inFormats('de-DE', writeMoments)).toEqual([
    '24.11.2026',
    '24.11.',
    '24.11.2026 18:05 UTC',
    '24.11.2026 18:05:59',
    '5.278 km',
  ]);
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

test('the quantities of a sentence of the server are in the units of its reader, names stay', () => {
  const sentences = [
    'Drives 312 km/h for a second; this car reaches 251 km/h at most.',
    'This file was recorded 86 km away from Track near Adria, 1.230 km.',
    'This file was recorded more than 1,000 km away from Adria Kart.',
    'Follows a lap of Ruben within 0.3 m and 0.1 % of pace all around.',
    'A line is 5 to 200 m wide.',
    'The camera 4.5 m apart; speeds 3.1 m/s apart.',
    'Corners with 2.35 g for 3 ms.',
  ];
  const write = () => sentences.map(formatSentence);
  expect(inFormats(undefined, write)).toEqual(sentences);
  expect(inFormats('en-GB', write)).toEqual([
    'Drives 194 mph for a second; this car reaches 156 mph at most.',
    'This file was recorded 53 mi away from Track near Adria, 1.230 km.',
    'This file was recorded more than 621 mi away from Adria Kart.',
    ...sentences.slice(3),
  ]);
  expect(inFormats('en-US', write).slice(3)).toEqual([
    'Follows a lap of Ruben within 1.0 ft and 0.1 % of pace all around.',
    'A line is 16 to 656 ft wide.',
    'The camera 14.8 ft apart; speeds 3.1 m/s apart.',
    'Corners with 2.35 g for 3 ms.',
  ]);
});
