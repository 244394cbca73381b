import { expect, test } from 'vitest';
import { asLapId, asUserId } from '#contract/testing/ids.ts';
import { formatCarName } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { joinPages, nextRange } from './board-pages.ts';
import { profilePath } from './entry.tsx';
import { readBoard, type PageRange } from './read-board.ts';

const sam = { id: asUserId('driver-sam') };

function record(userName: string, lapTimeMs: number, more: Partial<LapRecord> = {}): LapRecord {
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
    rank: 1,
    driverId: asUserId(userName),
    gapMs: 0,
    uncertaintyMs: 4,
    ...more,
  };
}

test('pages join to one list, in which the own record is once, at its rank', () => {
  const own = record('Sam', 92_000, { rank: 3, driverId: asUserId('driver-sam') });
  const first = record('A', 90_000, { rank: 1, driverId: asUserId('a') });
  const second = record('B', 91_000, { rank: 2, driverId: asUserId('b') });
  const board = joinPages([[first, second, own], [own]], [range(0), range(2)], sam);
  expect(board.records.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  expect(board.own).toMatchObject({ rank: 3 });
});

test('the own record after the asked number is own, but not in the list', () => {
  const records = [
    record('Mara', 90_000, { rank: 1, driverId: asUserId('m') }),
    record('Sam W.', 99_000, { rank: 14, driverId: asUserId('driver-sam') }),
  ];
  const board = readBoard(records, sam, 1);
  expect(board.records.map(({ userName }) => userName)).toEqual(['Mara']);
  expect(board.own).toMatchObject({ rank: 14 });
});

test('a record is own by the id of its driver, whatever the name', () => {
  const records = [
    record('Sammy', 90_000, { driverId: asUserId('driver-sam') }),
    record('Sam Whitlock', 91_000),
  ];
  expect(readBoard(records, sam, 100).records.map(({ isOwn }) => isOwn)).toEqual([true, false]);
  expect(readBoard(records, null, 100).own).toBeNull();
});

test('ranks of the server are kept, so equal times share one', () => {
  const records = [1, 1, 3].map((rank) => record(`Driver ${rank}`, 90_000, { rank }));
  expect(readBoard(records, null, 100).records.map(({ rank }) => rank)).toEqual([1, 1, 3]);
});

test('pages are of 100 records, and longer up to the row where the reader was', () => {
  expect(nextRange(0, 0)).toEqual({ offset: 0, limit: 100 });
  expect(nextRange(0, 230)).toEqual({ offset: 0, limit: 300 });
  expect(nextRange(0, 1_230)).toEqual({ offset: 0, limit: 1_300 });
  expect(nextRange(1_000, 1_230)).toEqual({ offset: 1_000, limit: 300 });
  expect(nextRange(1_300, 1_230)).toEqual({ offset: 1_300, limit: 100 });
});

function range(offset: number): PageRange {
  return { offset, limit: 2 };
}

test('a car is named as far as it is known', () => {
  expect(formatCarName({ carMake: 'BMW', carModel: 'M2', carVariant: null })).toBe('BMW M2');
  expect(formatCarName({ carMake: null, carModel: null, carVariant: null })).toBe('');
  expect(formatCarName({ carMake: 'Honda', carModel: 'Civic Type R TCR', carVariant: 'TCR' })).toBe(
    'Honda Civic Type R TCR',
  );
});

test('a driver leads to the profile by id, and oneself to the own profile', () => {
  const driver = { driverId: asUserId('m/1'), isOwn: false };
  expect(profilePath(driver)).toBe('/profile/m%2F1');
  expect(profilePath({ ...driver, isOwn: true })).toBe('/profile');
});
