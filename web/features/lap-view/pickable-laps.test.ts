import { expect, test } from 'vitest';
import { asLapId, asSessionId } from '#contract/testing/ids.ts';
import { filterLaps, listOwnLaps, listValues, NO_FILTER, type PickableLap } from './pickable-laps.ts';

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
  uncounted: null,
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

test('own laps that do not count say so, and incomplete ones are left out', () => {
  const statuses = ['valid', 'warning', 'rejected', 'simulated', 'incomplete'] as const;
  const session = {
    sessionId: asSessionId('session'),
    sessionDate: '2026-06-01T10:00:00Z',
    carName: null,
    carModel: 'Mazda MX-5',
    carRaceClass: 'Roadster',
    tireCompound: null,
    videoUrl: null,
    isPrivate: false,
    bestLapId: asLapId('lap-valid'),
    laps: statuses.map((status, index) => ({
      lapId: asLapId(`lap-${status}`),
      number: index + 1,
      lapTimeMs: 60_000 + index,
      uncertaintyMs: 10,
      status,
      reasons: [],
      sectorTimesMs: [],
      isClean: false,
    })),
    spread: null,
  };
  const listed = listOwnLaps({ sessions: [session] });
  expect(listed.map(({ title, uncounted }) => [title, uncounted])).toEqual([
    ['Lap 1', null],
    ['Lap 2', null],
    ['Lap 3', 'rejected'],
    ['Lap 4', 'simulated'],
  ]);
});
