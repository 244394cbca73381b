import { expect, test } from 'vitest';
import type { OutlinePoint } from '#engine/track.ts';
import { thinOutline } from './thin-outline.ts';

test('points on a straight go first, corners and both ends stay', () => {
  const square: OutlinePoint[] = [
    [0, 0],
    [0, 0.5],
    [0, 1],
    [0.5, 1.0001],
    [1, 1],
    [1, 0.5],
    [1, 0],
    [0, 0],
  ];
  expect(thinOutline(square, 5)).toEqual([
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
    [0, 0],
  ]);
});

test('an outline that is short enough stays as it is', () => {
  const line: OutlinePoint[] = [
    [0, 0],
    [1, 1],
  ];
  expect(thinOutline(line, 48)).toEqual(line);
  expect(thinOutline([], 48)).toEqual([]);
});
