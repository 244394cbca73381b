import { expect, test } from 'vitest';
import { chooseScale } from './chart-scale.ts';

const METERS = [0, 10, 20, 30];
const WHOLE = { range: [0, 30] as const, leastSpan: null };

test('a scale begins and ends at a round value, and holds every value', () => {
  const { low, high, levels } = chooseScale(METERS, [[62, 203, 120, 80]], WHOLE);
  expect([low, high]).toEqual([50, 250]);
  expect(levels).toEqual([50, 100, 150, 200, 250]);
});

test('a scale of a gap includes zero, also where the gap is small or below it', () => {
  expect(chooseScale(METERS, [[0, 0, 0, 0]], { ...WHOLE, leastSpan: 0.05 })).toMatchObject({ low: 0 });
  const { low, high } = chooseScale(METERS, [[0, -0.3, -0.2, 0.4]], { ...WHOLE, leastSpan: 0.05 });
  expect(low).toBeLessThanOrEqual(-0.3);
  expect(high).toBeGreaterThanOrEqual(0.4);
});

test('levels of whole gears are whole', () => {
  const gears = { ...WHOLE, leastStep: 1 };
  expect(chooseScale(METERS, [[2, 3, 3, 2]], gears).levels).toEqual([2, 3]);
  expect(chooseScale(METERS, [[3, 3, 3, 3]], gears).levels).toEqual([2, 3, 4]);
});

test('only what is in view counts, and holes do not', () => {
  const column = [500, 60, Number.NaN, 90];
  expect(chooseScale(METERS, [column], { range: [10, 30], leastSpan: null }).high).toBeLessThan(200);
  expect(chooseScale(METERS, [[80, 80, 80, 80]], WHOLE).levels.length).toBeGreaterThan(1);
});
