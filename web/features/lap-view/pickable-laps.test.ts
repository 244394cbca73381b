import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import { filterLaps, listValues, NO_FILTER, type PickableLap } from './pickable-laps.ts';

const TODAY = new Date('2026-06-20T12:00:00Z');

const LAPS: PickableLap[] = [
  ['a', 'Ana Lima', 'Mazda MX-5', 'Roadster', '2026-06-06T10:00:00Z'],
  ['b', 'Ben Okafor', 'BMW M4 GT3', 'GT3', '2026-03-01T10:00:00Z'],
  ['c', 'Lap 9', 'Mazda MX-5', 'Roadster', '2024-06-06T10:00:00Z'],
].map(([lapId = '', title = '', car = '', raceClass = '', sessionDate = '']) => ({
  lapId: asLapId(lapId),
  title,
  car,
  raceClass,
  sessionDate,
  rank: null,
  lapTimeMs: 60_000,
}));

const find = (filter: object) =>
  filterLaps(LAPS, { ...NO_FILTER, ...filter }, TODAY).map(({ lapId }) => lapId);

test('laps are found by words of driver, car, class and date', () => {
  expect(find({})).toEqual(['a', 'b', 'c']);
  expect(find({ text: 'lima mazda' })).toEqual(['a']);
  expect(find({ text: 'gt3' })).toEqual(['b']);
  expect(find({ text: '06/06/26' })).toEqual(['a']);
  expect(find({ text: 'lima bmw' })).toEqual([]);
});

test('laps are found by class, by car and by the time of the session', () => {
  expect(find({ raceClass: 'Roadster' })).toEqual(['a', 'c']);
  expect(find({ car: 'BMW M4 GT3' })).toEqual(['b']);
  expect(find({ period: '1-month' })).toEqual(['a']);
  expect(find({ period: '6-months' })).toEqual(['a', 'b']);
  expect(find({ period: '1-year', raceClass: 'Roadster' })).toEqual(['a']);
});

test('each value is offered once', () => {
  expect(listValues(LAPS, ({ car }) => car)).toEqual(['BMW M4 GT3', 'Mazda MX-5']);
});
