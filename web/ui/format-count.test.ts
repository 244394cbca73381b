import { expect, test } from 'vitest';
import { formatCount } from './format-count.ts';

test('thousands are set apart, as the browser would', () => {
  for (const count of [0, 7, 999, 1000, 20_000, 123_456, 1_234_567, -1234]) {
    expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
  }
});
