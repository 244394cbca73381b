import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import { formatCarName } from '#contract/lap-labels.ts';
import type { AnsweredRecord, PageRange } from '#web/api/specified-answers/boards.ts';
import { joinPages, nextRange } from './board-pages.ts';
import { profilePath } from './entry.tsx';

const sam = { id: 'driver-sam', firstName: 'Sam', lastName: 'Whitlock' };

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

test('pages join to one list, in which the own record is once, at its rank', () => {
  const own = record('Sam', 92_000, { rank: 3, driverId: 'driver-sam' });
  const first = record('A', 90_000, { rank: 1, driverId: 'a' });
  const second = record('B', 91_000, { rank: 2, driverId: 'b' });
  const board = joinPages([[first, second, own], [own]], [range(0), range(2)], sam);
  expect(board.records.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  expect(board.own).toMatchObject({ rank: 3 });
});

test('a server without pages gives the whole board at once', () => {
  const everybody = Array.from({ length: 5 }, (_, index) => record(`Driver ${index}`, 90_000 + index));
  expect(joinPages([everybody], [range(0)], null).records).toHaveLength(5);
});

test('pages are of 100 records, and longer on the way to the row where the reader was', () => {
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

test('a driver leads to the profile by id, else by name, and oneself to the own profile', () => {
  const driver = { userName: 'Mara O/Kafor', driverId: null, isOwn: false };
  expect(profilePath(driver)).toBe('/profile/Mara%20O%2FKafor');
  expect(profilePath({ ...driver, driverId: 'm-1' })).toBe('/profile/m-1');
  expect(profilePath({ ...driver, isOwn: true })).toBe('/profile');
});
