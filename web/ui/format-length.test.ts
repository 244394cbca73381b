import { expect, test } from 'vitest';
import { formatLengthKm } from './format-length.ts';

test('lengths are in kilometres to the metre', () => {
  expect(formatLengthKm(5_278)).toBe('5.278\u00A0km');
  expect(formatLengthKm(804.6)).toBe('0.805\u00A0km');
});
