import { expect, test } from 'vitest';
import { drawGapBar, findGapScale } from './gap-bar.ts';

const listGaps = (...gaps: number[]) => gaps.map((gapMs) => ({ gapMs }));

test('the largest gap of the first twenty records is the scale of all bars', () => {
  expect(findGapScale(listGaps(0, 500, 2000))).toBe(2000);
  expect(
    findGapScale([...listGaps(...Array.from({ length: 20 }, (_, index) => index)), { gapMs: 900 }]),
  ).toBe(19);
  expect(findGapScale(listGaps(0))).toBe(1);
});

test('a bar is as wide as its gap, none for the fastest, and never wider than its column', () => {
  const widths = [0, 500, 2000, 9000].map((gapMs) => drawGapBar(gapMs, 2000).backgroundSize);
  expect(widths).toEqual([0, 0.25, 1, 1].map((share) => `calc((100% - 2 * var(--s3)) * ${share}) 3px`));
});
