import { expect, test } from 'vitest';
import { asLapId, asUserId } from '#contract/testing/ids.ts';
import { emptyFilter, type BoardFilter } from './board-filter.ts';
import {
  formatCarModel,
  searchNeighbours,
  describeNoRival,
  formatGapTo,
  isSameFilter,
  listRivalBoards,
  pickNeighbours,
  sameCarFilter,
  sameClassFilter,
  summarizeRivals,
} from './rivals.ts';
import type { BoardRecord } from './read-board.ts';

const car = {
  carMake: 'BMW',
  carModel: 'M2',
  carVariant: 'CS',
  carGeneration: 'F87',
  carRaceClass: 'GT',
};

function record(userName: string, lapTimeMs: number, more: Partial<BoardRecord> = {}): BoardRecord {
  return {
    lapId: asLapId(userName),
    userName,
    userAvatar: null,
    ...car,
    carDrivetrain: 'RWD',
    tireCompound: null,
    lapTimeMs,
    sessionDate: '2026-06-01T18:00:00+02:00',
    rank: 1,
    gapMs: 0,
    driverId: asUserId(userName),
    uncertaintyMs: 4,
    isOwn: false,
    ...more,
  };
}

const own = record('Sam', 91_000, { isOwn: true });

test('the rivals are the entries right before and right after the own one', () => {
  const records = [record('Mara', 89_000), record('Jonas', 90_515), own, record('Priya', 91_204)];
  const neighbours = pickNeighbours(records);
  expect(neighbours?.ahead).toMatchObject({ gapMs: 485, record: { userName: 'Jonas' } });
  expect(neighbours?.behind).toMatchObject({ gapMs: 204, record: { userName: 'Priya' } });
});

test('the first has no rival ahead and the last none behind', () => {
  expect(pickNeighbours([own, record('Priya', 92_000)])?.ahead).toBeNull();
  expect(pickNeighbours([record('Mara', 89_000), own])?.behind).toBeNull();
});

test('where the own entry is not on the board there are no rivals', () => {
  expect(pickNeighbours([record('Mara', 89_000)])).toBeNull();
  expect(pickNeighbours([])).toBeNull();
});

test('rivals are looked for on the board, in the class and in the car, on each board once', () => {
  const boards = (filter: BoardFilter) => listRivalBoards(filter, car).map(({ scope }) => scope);
  expect(boards(emptyFilter())).toEqual(['board', 'class', 'car']);
  expect(boards({ ...emptyFilter(), raceClass: 'GT' })).toEqual(['class', 'car']);
  expect(listRivalBoards(emptyFilter(), { ...car, carMake: null, carRaceClass: null })).toHaveLength(1);
});

test('a side without a rival says who leads', () => {
  const rival = { record: record('Mara', 90_000), gapMs: 1000 };
  const rivals = { scope: 'class' as const, filter: emptyFilter(), ahead: null, behind: rival };
  expect(describeNoRival(rivals, 'ahead')).toBe('You lead your class');
  expect(describeNoRival({ ...rivals, ahead: rival, behind: null }, 'behind')).toBe(
    'No driver behind you yet.',
  );
  const alone = { ...rivals, behind: null };
  expect(describeNoRival(alone, 'ahead')).toBe('No other driver in your class yet.');
  expect(describeNoRival(alone, 'behind')).toBeNull();
});

test('the rivals in one line name the one ahead, else the one behind', () => {
  const rivals = { scope: 'board' as const, filter: emptyFilter(), ahead: null, behind: null };
  const mara = { record: record('Mara', 90_000), gapMs: 208 };
  expect(summarizeRivals(3, { ...rivals, ahead: mara, behind: mara })).toBe('P3 · 0.21 s to Mara');
  expect(summarizeRivals(1, { ...rivals, behind: mara })).toBe('P1 · 0.21 s ahead of Mara');
  expect(summarizeRivals(2, { ...rivals, ahead: { ...mara, gapMs: 4 } })).toBe('P2 · 0.004 s to Mara');
  expect(summarizeRivals(2, { ...rivals, ahead: { ...mara, gapMs: 0 } })).toBe('P2 · Level with Mara');
  expect(summarizeRivals(1, rivals)).toBe('P1 · No other driver on this board yet.');
});

const viewer = { id: asUserId('driver-60') };

// Two drivers share every time, and the first page is followed by the own record where it lies outside, as the API answers it.
function boardOf(driverCount: number, ownIndex: number) {
  const board = Array.from({ length: driverCount }, (_, index) => {
    const first = index - (index % 2);
    const driverId = index === ownIndex ? viewer.id : asUserId(`other-${index}`);
    return { ...record(`Driver ${index}`, 60_000 + first * 10), driverId, rank: first + 1, uncertaintyMs: 4 };
  });
  return async (offset: number) => {
    const page = board.slice(offset, offset + 10);
    const own = board[ownIndex];
    return offset === 0 && own && !page.includes(own) ? [...page, own] : page;
  };
}

test('the neighbours of the own entry are found at every place of a board of many pages', async () => {
  for (let index = 0; index < 45; index++) {
    const neighbours = await searchNeighbours(boardOf(45, index), viewer, 10);
    const names = [neighbours?.ahead, neighbours?.behind].map((rival) => rival?.record.userName);
    const expected = [index - 1, index + 1].map((at) => (at < 0 || at > 44 ? undefined : `Driver ${at}`));
    expect(names, `at index ${index}`).toEqual(expected);
  }
});

test('a driver without an entry has no neighbours', async () => {
  expect(await searchNeighbours(boardOf(45, -1), viewer, 10)).toBeNull();
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
  expect(formatGapTo({ record: own, gapMs: 485 }, 'ahead')).toBe('0.485 s ahead');
  expect(formatGapTo({ record: own, gapMs: 12_040 }, 'behind')).toBe('12.040 s behind');
  expect(formatGapTo({ record: own, gapMs: 0 }, 'behind')).toBe('Level with you');
  expect(formatCarModel(car)).toBe('BMW M2 CS (F87)');
  expect(formatCarModel({ ...car, carVariant: null, carGeneration: null })).toBe('BMW M2');
});
