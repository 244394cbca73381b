import { expect, test } from 'vitest';
import { fitRange, pinchRange, wheelFactor, zoomRange } from './zoom.ts';

test('a range stays within the lap, is never too narrow, and becomes the whole lap near its length', () => {
  expect(fitRange([-100, 300], 4000)).toEqual([0, 400]);
  expect(fitRange([3900, 4300], 4000)).toEqual([3600, 4000]);
  expect(fitRange([1000, 1010], 4000)).toEqual([975, 1035]);
  expect(fitRange([10, 3990], 4000)).toEqual([0, 4000]);
  expect(fitRange([10, 20], 40)).toEqual([0, 40]);
});

test('zooming keeps the metre under the pointer where it is', () => {
  expect(zoomRange([0, 1000], 250, 0.5)).toEqual([125, 625]);
  expect(zoomRange([125, 625], 250, 2)).toEqual([0, 1000]);
  expect(wheelFactor(-10)).toBeLessThan(1);
  expect(wheelFactor(10_000)).toBe(wheelFactor(50));
});

test('two fingers keep the metres that they came down on', () => {
  expect(pinchRange([0, 1000], [0.4, 0.6], [0.3, 0.7])?.map(Math.round)).toEqual([250, 750]);
  expect(pinchRange([0, 1000], [0.4, 0.6], [0.5, 0.7])?.map(Math.round)).toEqual([-100, 900]);
  expect(pinchRange([0, 1000], [0.4, 0.6], [0.5, 0.5])).toBeNull();
  expect(pinchRange([0, 1000], [0.4, 0.6], [0.7, 0.3])).toBeNull();
});
