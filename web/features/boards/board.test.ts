import { expect, test } from 'vitest';
import { formatCarName } from '#contract/lap-labels.ts';
import { isOwnRecord, profilePath, rankRecords, type BoardRecord } from './board.ts';
import { countRacers, filterRecords, joinPages, pageRangeFrom, type PageRange } from './board-pages.ts';
import { emptyFilter } from './board-filter.ts';

const sam = { id: 'driver-sam', firstName: 'Sam', lastName: 'Whitlock' };

// Only what the specification names: no rank, no driver id.
function record(userName: string, lapTimeMs: number, more: Partial<BoardRecord> = {}): BoardRecord {
  return {
    lapId: `${userName} ${lapTimeMs}`,
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
  const board = rankRecords([record('Mara', 90_000), record('Sam Whitlock', 91_000)], sam);
  expect(board.records.map(({ rank }) => rank)).toEqual([1, 2]);
  expect(board.own).toMatchObject({ userName: 'Sam Whitlock', rank: 2 });
});

test('ranks of the server are kept, so equal times share one', () => {
  const records = [1, 1, 3].map((rank) => record(`Driver ${rank}`, 90_000, { rank }));
  expect(rankRecords(records, null).records.map(({ rank }) => rank)).toEqual([1, 1, 3]);
});

test('the own record after the asked number is own, but not in the list', () => {
  const records = [
    record('Mara', 90_000, { rank: 1, driverId: 'm' }),
    record('Sam W.', 99_000, { rank: 14, driverId: 'driver-sam' }),
  ];
  const board = rankRecords(records, sam, 1);
  expect(board.records.map(({ userName }) => userName)).toEqual(['Mara']);
  expect(board.own).toMatchObject({ rank: 14 });
});

test('pages join to one list, in which the own record stands once, at its place', () => {
  const own = record('Sam', 92_000, { rank: 3, driverId: 'driver-sam' });
  const first = record('A', 90_000, { rank: 1, driverId: 'a' });
  const second = record('B', 91_000, { rank: 2, driverId: 'b' });
  const board = joinPages([[first, second, own], [own]], [pageOf(0), pageOf(2)], sam);
  expect(board.records.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  expect(board.own).toMatchObject({ rank: 3 });
});

test('a server without pages gives the whole board at once', () => {
  const everybody = Array.from({ length: 5 }, (_, index) => record(`Driver ${index}`, 90_000 + index));
  expect(joinPages([everybody], [pageOf(0)], null).records).toHaveLength(5);
});

test('pages are of 100 records, and as long as may be on the way to where the reader was', () => {
  expect(pageRangeFrom(0, 0)).toEqual({ offset: 0, limit: 100 });
  expect(pageRangeFrom(0, 230)).toEqual({ offset: 0, limit: 300 });
  expect(pageRangeFrom(0, 1_230)).toEqual({ offset: 0, limit: 500 });
  expect(pageRangeFrom(1_000, 1_230)).toEqual({ offset: 1_000, limit: 300 });
  expect(pageRangeFrom(1_300, 1_230)).toEqual({ offset: 1_300, limit: 100 });
});

function pageOf(offset: number): PageRange {
  return { offset, limit: 2 };
}

function at(sessionDate: string): BoardRecord {
  return record(sessionDate, 90_000, { sessionDate });
}

test('every filter leaves only what is equal, and none leaves everything', () => {
  const bmw = record('Mara', 90_000);
  const mazda = record('Jonas', 91_000, { carMake: 'Mazda', tireCompound: null });
  const now = new Date('2026-07-01T00:00:00Z');
  expect(filterRecords([bmw, mazda], emptyFilter(), now)).toEqual([bmw, mazda]);
  expect(filterRecords([bmw, mazda], { ...emptyFilter(), make: 'Mazda' }, now)).toEqual([mazda]);
  expect(filterRecords([bmw, mazda], { ...emptyFilter(), tire: 'rcomp' }, now)).toEqual([bmw]);
});

test('a time period keeps sessions on or after now minus the period', () => {
  const now = new Date('2026-07-01T12:00:00Z');
  const onTheDot = at('2026-06-01T12:00:00Z');
  const before = at('2026-06-01T11:59:59Z');
  expect(filterRecords([onTheDot, before], { ...emptyFilter(), timePeriod: '1-month' }, now)).toEqual([
    onTheDot,
  ]);
  expect(filterRecords([onTheDot, before], { ...emptyFilter(), timePeriod: '1-year' }, now)).toHaveLength(2);
});

test('racers are distinct names', () => {
  expect(countRacers([record('Mara', 1), record('Mara', 2), record('Jonas', 3)])).toBe(2);
});

test('a car is named as far as it is known', () => {
  expect(formatCarName({ carMake: 'BMW', carModel: 'M2', carVariant: null })).toBe('BMW M2');
  expect(formatCarName({ carMake: null, carModel: null, carVariant: null })).toBe('');
  expect(formatCarName({ carMake: 'Honda', carModel: 'Civic Type R TCR', carVariant: 'TCR' })).toBe(
    'Honda Civic Type R TCR',
  );
});

test('a driver leads to the profile by id, else by name, and oneself to the own profile', () => {
  const ranked = { ...record('Mara O/Kafor', 90_000), rank: 1, isOwn: false };
  expect(profilePath(ranked)).toBe('/profile/Mara%20O%2FKafor');
  expect(profilePath({ ...ranked, driverId: 'm-1' })).toBe('/profile/m-1');
  expect(profilePath({ ...ranked, isOwn: true })).toBe('/profile');
});
