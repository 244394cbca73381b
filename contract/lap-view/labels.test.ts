import { expect, test } from 'vitest';
import { SPECIFIED_FORMATS } from '#contract/formats/labels.ts';
import { formatsOfLanguage } from '#contract/languages/labels.ts';
import { describeLapsInTitle, nameLaps } from './labels.ts';

const lap = (
  driver: string,
  number: number,
  session = 'first',
  sessionDate = '2026-01-23T14:03:11+01:00',
) => ({
  driverId: driver,
  userName: driver,
  number,
  lapTimeMs: 49_786 + number,
  sessionId: session,
  sessionDate,
});

test('laps of several drivers have the names of their drivers, and the lap of the viewer is You', () => {
  const laps = [lap('Ana', 3), lap('Ben', 3)];
  expect(nameLaps(laps, SPECIFIED_FORMATS)).toEqual({ driver: null, names: ['Ana', 'Ben'], ownIndex: null });
  const ofBen = nameLaps(laps, SPECIFIED_FORMATS, ({ userName }) => userName === 'Ben');
  expect(ofBen).toMatchObject({ names: ['Ana', 'You'], ownIndex: 1 });
});

test('a driver who is called You is not taken for the viewer', () => {
  const { names, ownIndex } = nameLaps([lap('You', 3), lap('Ben', 3)], SPECIFIED_FORMATS);
  expect(names).toEqual(['You', 'Ben']);
  expect(ownIndex).toBeNull();
});

test('laps of one driver have their numbers, and the driver is named once', () => {
  expect(nameLaps([lap('Ana', 9), lap('Ana', 8)], SPECIFIED_FORMATS, () => true)).toEqual({
    driver: 'Ana',
    names: ['Lap 9', 'Lap 8'],
    ownIndex: null,
  });
});

test('laps of different sessions have their dates, and their time of day where the dates are equal', () => {
  const first = lap('Ana', 9);
  expect(nameLaps([first, lap('Ana', 9, 'second', '2026-02-07T10:00:00Z')], SPECIFIED_FORMATS).names).toEqual(
    ['Lap 9, 01/23/26', 'Lap 9, 02/07/26'],
  );
  expect(
    nameLaps([first, lap('Ana', 9, 'second', '2026-01-23T16:30:00+01:00')], SPECIFIED_FORMATS).names,
  ).toEqual(['Lap 9, 01/23/26 14:03', 'Lap 9, 01/23/26 16:30']);
  expect(
    nameLaps([first, lap('Ana', 9, 'second', '2026-01-23T16:30:00+01:00')], formatsOfLanguage('en-GB')).names,
  ).toEqual(['Lap 9, 23/01/2026 14:03', 'Lap 9, 23/01/2026 16:30']);
  const names = nameLaps(
    [first, { ...first, sessionId: 'second', lapTimeMs: 50_000 }],
    SPECIFIED_FORMATS,
  ).names;
  expect(new Set(names).size).toBe(2);
});

test('two laps of the viewer, compared with one of a rival, are never both named You', () => {
  const laps = [lap('Ben', 4), lap('Ana', 9), lap('Ana', 8)];
  expect(nameLaps(laps, SPECIFIED_FORMATS, ({ userName }) => userName === 'Ana').names).toEqual([
    'Ben',
    'Ana, lap 9',
    'Ana, lap 8',
  ]);
});

test('two drivers of one name are distinguished', () => {
  const names = nameLaps(
    [lap('Ana', 9), { ...lap('Ana', 8, 'second'), driverId: 'another' }],
    SPECIFIED_FORMATS,
  ).names;
  expect(names).toEqual(['Ana, lap 9, 01/23/26', 'Ana, lap 8, 01/23/26']);
});

const format = (lapTimeMs: number) => `${lapTimeMs}`;

test('a title names every lap with its time', () => {
  expect(describeLapsInTitle([lap('Ana', 9)], SPECIFIED_FORMATS, format)).toBe('49795 by Ana');
  expect(describeLapsInTitle([lap('Ana', 9), lap('Ben', 8)], SPECIFIED_FORMATS, format)).toBe(
    'Ana 49795 vs Ben 49794',
  );
  expect(describeLapsInTitle([lap('Ana', 9), lap('Ana', 8)], SPECIFIED_FORMATS, format)).toBe(
    'Ana: Lap 9 49795 vs Lap 8 49794',
  );
});
