import { expect, test } from 'vitest';
import { lowerBound, upperBound } from './binary-search.ts';

const values = Float64Array.of(1, 2, 2, 2, 5);

test('the bounds enclose all values that are equal to the wanted one', () => {
  expect([lowerBound(values, 2), upperBound(values, 2)]).toEqual([1, 4]);
});

test('both bounds are the next higher value where the wanted one is missing', () => {
  expect([lowerBound(values, 3), upperBound(values, 3)]).toEqual([4, 4]);
  expect([lowerBound(values, 0), upperBound(values, 0)]).toEqual([0, 0]);
});

test('a value beyond the last one gives the end', () => {
  expect([lowerBound(values, 6), upperBound(values, 5)]).toEqual([5, 5]);
  expect([lowerBound([], 6), upperBound([], 6)]).toEqual([0, 0]);
});

test('a search within a range stays inside of it', () => {
  expect([lowerBound(values, 9, 1, 3), upperBound(values, 0, 2, 4)]).toEqual([3, 2]);
  expect([lowerBound(values, 2, 2, 4), upperBound(values, 1, 1, 1)]).toEqual([2, 1]);
});
