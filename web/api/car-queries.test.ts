import { expect, test } from 'vitest';
import { isChoosable } from './car-queries.ts';

const NOTHING = { make: '', modelFamily: '', variant: '', generation: '' };

test('a name can be chosen once everything before it is', () => {
  const withMake = { ...NOTHING, make: 'Mazda' };
  expect(isChoosable(NOTHING, 'make')).toBe(true);
  expect(isChoosable(NOTHING, 'modelFamily')).toBe(false);
  expect(isChoosable(withMake, 'modelFamily')).toBe(true);
  expect(isChoosable(withMake, 'generation')).toBe(false);
});
