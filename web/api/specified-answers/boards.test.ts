import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import {
  countRacers,
  filterRecords,
  isOwnRecord,
  readBoard,
  type AnsweredRecord,
  type BoardFilter,
} from './boards.ts';

const sam = { id: 'driver-sam', firstName: 'Sam', lastName: 'Whitlock' };

const NO_FILTER: BoardFilter = {
  timePeriod: '',
  make: '',
  modelFamily: '',
  variant: '',
  generation: '',
  raceClass: '',
  drivetrain: '',
  tire: '',
  evidence: '',
};

// Only what the specification names: no rank, no driver id.
function record(userName: string, lapTimeMs: number, more: Partial<AnsweredRecord> = {}): AnsweredRecord {
  return {
    lapId: asLapId(`${userName} ${lapTimeMs}`),
    userName,
    userAvatar: null,
    carMake: 'BMW',
    carModel: 'M2',
    carVariant: 'CS',
    carGeneration: 'F87',
    carRaceClass: 'GT',
    carDrivetrain: 'RWD',
    tireCompound: 'rcomp',
    lapTimeMs,
    sessionDate: '2026-06-01T18:00:00+02:00',
    ...more,
  };
}

test('without ids the own record is the one with the same full name', () => {
  expect(isOwnRecord(record('Sam Whitlock', 90_000), sam)).toBe(true);
  expect(isOwnRecord(record('Sam', 90_000), sam)).toBe(false);
  expect(isOwnRecord(record('Sam Whitlock', 90_000), null)).toBe(false);
});

test('a driver id decides over the name', () => {
  expect(isOwnRecord(record('Sammy', 90_000, { driverId: 'driver-sam' }), sam)).toBe(true);
  expect(isOwnRecord(record('Sam Whitlock', 90_000, { driverId: 'a-namesake' }), sam)).toBe(false);
});

test('somebody without a name owns no record, not even one without a name', () => {
  expect(isOwnRecord(record('', 90_000), { id: 'x', firstName: null, lastName: null })).toBe(false);
});

test('records without a rank are ranked by their position', () => {
  const board = readBoard([record('Mara', 90_000), record('Sam Whitlock', 91_000)], sam);
  expect(board.records.map(({ rank }) => rank)).toEqual([1, 2]);
  expect(board.own).toMatchObject({ userName: 'Sam Whitlock', rank: 2 });
});

test('ranks of the server are kept, so equal times share one', () => {
  const records = [1, 1, 3].map((rank) => record(`Driver ${rank}`, 90_000, { rank }));
  expect(readBoard(records, null).records.map(({ rank }) => rank)).toEqual([1, 1, 3]);
});

test('the own record after the asked number is own, but not in the list', () => {
  const records = [
    record('Mara', 90_000, { rank: 1, driverId: 'm' }),
    record('Sam W.', 99_000, { rank: 14, driverId: 'driver-sam' }),
  ];
  const board = readBoard(records, sam, 1);
  expect(board.records.map(({ userName }) => userName)).toEqual(['Mara']);
  expect(board.own).toMatchObject({ rank: 14 });
});

test('what the server does not send is worked out from the whole board, or null', () => {
  const board = readBoard([record('Mara', 90_000), record('Sam Whitlock', 91_250)], null, 1);
  expect(board.records).toHaveLength(2);
  expect(board.isLastPage).toBe(true);
  expect(board.records[1]).toMatchObject({ rank: 2, gapMs: 1_250, driverId: null, uncertaintyMs: null });
});

function at(sessionDate: string): AnsweredRecord {
  return record(sessionDate, 90_000, { sessionDate });
}

test('every filter leaves only what is equal, and none leaves everything', () => {
  const bmw = record('Mara', 90_000);
  const mazda = record('Jonas', 91_000, { carMake: 'Mazda', tireCompound: null });
  const now = new Date('2026-07-01T00:00:00Z');
  expect(filterRecords([bmw, mazda], NO_FILTER, now)).toEqual([bmw, mazda]);
  expect(filterRecords([bmw, mazda], { ...NO_FILTER, make: 'Mazda' }, now)).toEqual([mazda]);
  expect(filterRecords([bmw, mazda], { ...NO_FILTER, tire: 'rcomp' }, now)).toEqual([bmw]);
});

test('a time period keeps sessions on or after now minus the period', () => {
  const now = new Date('2026-07-01T12:00:00Z');
  const onTheDot = at('2026-06-01T12:00:00Z');
  const before = at('2026-06-01T11:59:59Z');
  expect(filterRecords([onTheDot, before], { ...NO_FILTER, timePeriod: '1-month' }, now)).toEqual([onTheDot]);
  expect(filterRecords([onTheDot, before], { ...NO_FILTER, timePeriod: '1-year' }, now)).toHaveLength(2);
});

test('racers are distinct names', () => {
  expect(countRacers([record('Mara', 1), record('Mara', 2), record('Jonas', 3)])).toBe(2);
});
