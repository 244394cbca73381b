import { expect, test } from 'vitest';
import { placeFigure } from './place-figure.ts';

const picture = { left: 30, right: 350 };

test('a figure stands in the middle over its point, and beside it at an edge', () => {
  expect(placeFigure(200, [], picture)).toEqual({ x: 200, textAnchor: 'middle' });
  expect(placeFigure(32, [], picture)).toEqual({ x: 32, textAnchor: 'start' });
  expect(placeFigure(340, [300], picture)).toEqual({ x: 340, textAnchor: 'end' });
});

test('a mark of braking near the point and the figure do not cover each other', () => {
  expect(placeFigure(200, [204, 260], picture)).toEqual({ x: 192, textAnchor: 'end' });
  expect(placeFigure(200, [195], picture)).toEqual({ x: 187, textAnchor: 'end' });
  expect(placeFigure(40, [45], picture)).toEqual({ x: 53, textAnchor: 'start' });
});
