import { expect, test } from 'vitest';
import {
  chooseFormats,
  DATES,
  formatDate,
  formatDateAndSecond,
  formatDateAndTime,
  formatDayAndMonth,
  NO_CHOICE,
  SPECIFIED_FORMATS,
} from './labels.ts';
import { formatsOfLanguage, readPreferredLanguage } from '#contract/languages/labels.ts';

const EVENING = '2026-11-24T18:05:59+01:00';

test.each([
  { tag: 'en-US', units: 'american', texts: ['11/24/26', '11/24/26 6:05 PM', '11/24'] },
  { tag: 'en-GB', units: 'british', texts: ['24/11/2026', '24/11/2026 18:05', '24/11'] },
  { tag: 'de-DE', units: 'metric', texts: ['24.11.2026', '24.11.2026 18:05', '24.11.'] },
  { tag: 'de', units: 'metric', texts: ['24.11.2026', '24.11.2026 18:05', '24.11.'] },
  { tag: 'fr-FR', units: 'metric', texts: ['24/11/2026', '24/11/2026 18:05', '24/11'] },
  { tag: 'ja-JP', units: 'metric', texts: ['2026/11/24', '2026/11/24 18:05', '11/24'] },
  { tag: 'sv-SE', units: 'metric', texts: ['2026-11-24', '2026-11-24 18:05', '11-24'] },
  { tag: 'ko-KR', units: 'metric', texts: ['2026.11.24', '2026.11.24 6:05 PM', '11.24'] },
  { tag: 'en-AU', units: 'metric', texts: ['24/11/2026', '24/11/2026 6:05 PM', '24/11'] },
  { tag: 'th-TH', units: 'metric', texts: ['24/11/2026', '24/11/2026 18:05', '24/11'] },
  { tag: 'ar-EG', units: 'metric', texts: ['24/11/2026', '24/11/2026 6:05 PM', '24/11'] },
])('a browser in $tag sees the forms of its region', ({ tag, units, texts }) => {
  const formats = formatsOfLanguage(tag);
  expect(formats.units).toBe(units);
  const forms = [formatDate, formatDateAndTime, formatDayAndMonth];
  expect(forms.map((format) => format(formats, EVENING))).toEqual(texts);
});

test.each([undefined, '', '*', 'en', 'EN', 'C', 'de_DE', 'x'.repeat(9_000), '<script>', 'de-de-de-de-de'])(
  'without a hint the forms are the specified ones: %s',
  (tag) => {
    expect(formatsOfLanguage(tag)).toEqual(SPECIFIED_FORMATS);
    expect(formatDate(SPECIFIED_FORMATS, EVENING)).toBe('11/24/26');
    expect(formatDateAndTime(SPECIFIED_FORMATS, EVENING)).toBe('11/24/26 18:05');
  },
);

test('a moment may be given to the second', () => {
  expect(formatDateAndSecond(formatsOfLanguage('en-US'), EVENING)).toBe('11/24/26 6:05:59 PM');
  expect(formatDateAndSecond(formatsOfLanguage('de-DE'), EVENING)).toBe('24.11.2026 18:05:59');
});

test('midnight and noon have their hour on both clocks', () => {
  const american = formatsOfLanguage('en-US');
  expect(formatDateAndTime(american, '2026-11-24T00:30:00Z')).toBe('11/24/26 12:30 AM');
  expect(formatDateAndTime(american, '2026-11-24T12:00:00Z')).toBe('11/24/26 12:00 PM');
  expect(formatDateAndTime(formatsOfLanguage('de'), '2026-11-24T00:30:00Z')).toBe('24.11.2026 00:30');
});

test('the day is the one at the track, and what is no date is shown as before', () => {
  expect(formatDate(SPECIFIED_FORMATS, '2026-11-14T23:30:00-08:00')).toBe('11/14/26');
  expect(formatDate(SPECIFIED_FORMATS, '2026-11-15T00:30:00+13:00')).toBe('11/15/26');
  for (const other of [null, undefined, '', 'yesterday'])
    expect(formatDate(SPECIFIED_FORMATS, other)).toBe('N/A');
  for (const other of ['some day', '2026-11-24'])
    expect(formatDateAndTime(SPECIFIED_FORMATS, other)).toBe(other);
});

test.each([
  ['de-DE,de;q=0.9,en;q=0.8', 'de-DE'],
  ['en;q=0.5, fr-FR', 'fr-FR'],
  ['ja;q=0,de', 'de'],
  ['en-GB', 'en-GB'],
  ['de;q=x, fr;q=0.1', 'fr'],
  ['', ''],
  [undefined, ''],
])('the language that a browser prefers is read from %s', (header, tag) => {
  expect(readPreferredLanguage(header)).toBe(tag);
});

test('a choice goes before the language, each part for itself', () => {
  const german = formatsOfLanguage('de-DE');
  expect(chooseFormats(german, NO_CHOICE)).toEqual(german);
  expect(chooseFormats(german, { units: 'american', dates: null })).toEqual({ ...german, units: 'american' });
  for (const dates of DATES)
    expect(chooseFormats(german, { units: null, dates })).toEqual({ units: 'metric', dates });
});
