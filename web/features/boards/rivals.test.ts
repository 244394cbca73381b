import { expect, test } from 'vitest';
import type { RankedRecord } from './board.ts';
import { emptyFilter, type BoardFilter } from './board-filter.ts';
import {
  carModelText,
  gapText,
  isSameFilter,
  nearestOf,
  neighboursOf,
  sameCarFilter,
  sameClassFilter,
} from './rivals.ts';

const car = {
  carMake: 'BMW',
  carModel: 'M2',
  carVariant: 'CS',
  carGeneration: 'F87',
  carRaceClass: 'GT',
};

function record(userName: string, lapTimeMs: number, more: Partial<RankedRecord> = {}): RankedRecord {
  return {
    lapId: userName,
    userName,
    userAvatar: null,
    ...car,
    carDrivetrain: 'RWD',
    tireCompound: null,
    lapTimeMs,
    sessionDate: '2026-06-01T18:00:00+02:00',
    rank: 1,
    isOwn: false,
    ...more,
  };
}

const own = record('Sam', 91_000, { isOwn: true });

test('the rivals are the entries right before and right after the own one', () => {
  const records = [record('Mara', 89_000), record('Jonas', 90_515), own, record('Priya', 91_204)];
  const neighbours = neighboursOf(records);
  expect(neighbours?.ahead).toMatchObject({ gapMs: 485, record: { userName: 'Jonas' } });
  expect(neighbours?.behind).toMatchObject({ gapMs: 204, record: { userName: 'Priya' } });
});

test('the first has nobody ahead and the last nobody behind', () => {
  expect(neighboursOf([own, record('Priya', 92_000)])?.ahead).toBeNull();
  expect(neighboursOf([record('Mara', 89_000), own])?.behind).toBeNull();
});

test('where the own entry is not on the board there are no rivals', () => {
  expect(neighboursOf([record('Mara', 89_000)])).toBeNull();
  expect(neighboursOf([])).toBeNull();
});

test('the nearest of two is the one with the smaller gap, at equal gaps the one ahead', () => {
  const ahead = { record: record('Mara', 90_000), gapMs: 1000 };
  const behind = { record: record('Priya', 91_500), gapMs: 500 };
  expect(nearestOf({ ahead, behind })).toEqual({ ahead: null, behind });
  expect(nearestOf({ ahead, behind: { ...behind, gapMs: 1000 } })).toEqual({ ahead, behind: null });
  expect(nearestOf({ ahead: null, behind })).toEqual({ ahead: null, behind });
  expect(nearestOf({ ahead: null, behind: null })).toEqual({ ahead: null, behind: null });
});

const chosen: BoardFilter = {
  ...emptyFilter(),
  timePeriod: '1-year',
  tire: 'rcomp',
  make: 'Lotus',
  raceClass: 'Track Toy',
  drivetrain: 'RWD',
};

test('rivals in the same car are sought under the same period and tyres, and under nothing else', () => {
  expect(sameCarFilter(chosen, car)).toEqual({
    ...emptyFilter(),
    timePeriod: '1-year',
    tire: 'rcomp',
    make: 'BMW',
    modelFamily: 'M2',
    variant: 'CS',
    generation: 'F87',
  });
  expect(sameClassFilter(chosen, car)).toEqual({
    ...emptyFilter(),
    timePeriod: '1-year',
    tire: 'rcomp',
    raceClass: 'GT',
  });
});

test('a car or class that is not known has no rivals', () => {
  expect(sameCarFilter(chosen, { ...car, carMake: null })).toBeNull();
  expect(sameClassFilter(chosen, { ...car, carRaceClass: null })).toBeNull();
});

test('filters are the same when every one of them is', () => {
  expect(isSameFilter(chosen, { ...chosen })).toBe(true);
  expect(isSameFilter(chosen, { ...chosen, tire: '' })).toBe(false);
});

test('gaps and cars in words', () => {
  expect(gapText({ record: own, gapMs: 485 }, 'ahead')).toBe('0.485 s ahead');
  expect(gapText({ record: own, gapMs: 12_040 }, 'behind')).toBe('12.040 s behind');
  expect(gapText({ record: own, gapMs: 0 }, 'behind')).toBe('Level with you');
  expect(carModelText(car)).toBe('BMW M2 CS (F87)');
  expect(carModelText({ ...car, carVariant: null, carGeneration: null })).toBe('BMW M2');
});
