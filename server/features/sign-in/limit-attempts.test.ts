import { expect, test } from 'vitest';
import { findDelayMs } from './limit-attempts.ts';

test('strangers wait from the eleventh attempt on, a quarter of a second longer each, and five seconds at most', () => {
  expect([1, 10, 11, 12, 30, 31, 10_000].map(findDelayMs)).toEqual([0, 0, 250, 500, 5_000, 5_000, 5_000]);
});
