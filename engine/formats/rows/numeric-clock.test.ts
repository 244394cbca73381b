import { expect, test } from 'vitest';
import { findNumericClock } from './numeric-clock.ts';

const RATE = Array.from({ length: 400 }, (_, index) => index);

function read(times: number[], unit = '') {
  const column = Float64Array.from(times);
  return { clock: findNumericClock(column, unit), timesMs: Array.from(column).slice(0, 3) };
}

test.each([
  ['seconds', 1_767_150_797.44, 0.04],
  ['milliseconds', 1_767_150_797_440, 40],
  ['microseconds', 1_767_150_797_440_000, 40_000],
])('%s since 1970 are recognised by their size', (_, start, step) => {
  const { clock, timesMs } = read(RATE.map((index) => start + index * step));
  expect(clock).toBe('utc');
  expect(timesMs[0]).toBeCloseTo(1_767_150_797_440, 2);
  expect(timesMs[2]).toBeCloseTo(1_767_150_797_520, 2);
});

test('seconds of a recording stay exact', () => {
  expect(read(RATE.map((index) => Number((index * 0.1).toFixed(1))))).toEqual({
    clock: 'elapsed',
    timesMs: [0, 100, 200],
  });
});

test('milliseconds of a recording are recognised by their steps', () => {
  expect(read(RATE.map((index) => index * 40))).toEqual({ clock: 'elapsed', timesMs: [0, 40, 80] });
});

test('a unit in the header decides where sizes do not', () => {
  expect(
    read(
      RATE.map((index) => index * 2),
      'ms',
    ).timesMs,
  ).toEqual([0, 2, 4]);
  expect(
    read(
      RATE.map((index) => index * 10),
      's',
    ).timesMs,
  ).toEqual([0, 10_000, 20_000]);
});

test('digits that run like a clock are hours, minutes and seconds', () => {
  const digits = RATE.map((index) => {
    const seconds = 8 * 3600 + 32 * 60 + 17.2 + index;
    return Math.floor(seconds / 3600) * 10_000 + (Math.floor(seconds / 60) % 60) * 100 + (seconds % 60);
  });
  const { clock, timesMs } = read(digits);
  expect(clock).toBe('time_of_day');
  expect(timesMs[0]).toBeCloseTo(((8 * 60 + 32) * 60 + 17.2) * 1000, 3);
});

test('seconds since midnight are not mistaken for digits of a clock', () => {
  const { clock, timesMs } = read(RATE.map((index) => 61_141 + index));
  expect(clock).toBe('elapsed');
  expect(timesMs[1]).toBe(61_142_000);
});

test('a recording of less than two minutes is not mistaken for digits of a clock', () => {
  expect(read(RATE.slice(0, 50)).clock).toBe('elapsed');
});

test('one spoilt time does not change what the others mean', () => {
  const times = [9e18, ...RATE.map((index) => 1_767_150_797_440 + index * 40)];
  expect(read(times).timesMs[1]).toBe(1_767_150_797_440);
});
