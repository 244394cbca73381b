import { expect, test } from 'vitest';
import { readRunTime } from './read-run-time.ts';

test.each([
  ['1:04.123', 64_123],
  ['64.123', 64_123],
  [' 64,1 ', 64_100],
  ['64', 64_000],
  ['12:04', 724_000],
  ['75:04.5', 4_504_500],
  ['1:02:03.45', 3_723_450],
])('%s is a time', (typed, timeMs) => {
  expect(readRunTime(typed)).toBe(timeMs);
});

test.each(['', 'DNF', '1:4.1', '1:60.000', '1:60:00', '64.1234', '-64.1', '1::04', '6 4'])(
  '“%s” is no time',
  (typed) => {
    expect(readRunTime(typed)).toBeNull();
  },
);
