import { expect, test } from 'vitest';
import { NORTH_MARK, placeNumbers } from './place-numbers.ts';

const BOX = { clearance: 14, width: 300, height: 300 };

/** A circle with a radius of 60, driven to the right, and a straight close to it. */
const CIRCLE = Array.from({ length: 120 }, (_, index) => {
  const angle = (index / 120) * 2 * Math.PI;
  return { x: 150 + 60 * Math.cos(angle), y: 150 + 60 * Math.sin(angle) };
});
const STRAIGHT = Array.from({ length: 60 }, (_, index) => ({ x: 225, y: 100 + index * 2 }));
const POINTS = [...CIRCLE, ...STRAIGHT];

const CORNERS = [0, 30, 33, 60, 90].map((index, count) => ({
  number: count + 1,
  index,
  direction: 'right' as const,
}));

test('no number is nearer to a line than the clearance, or under another number', () => {
  const placed = placeNumbers(POINTS, CORNERS, BOX);
  expect(placed.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  for (const { x, y, number } of placed) {
    const nearest = Math.min(...POINTS.map((point) => Math.hypot(point.x - x, point.y - y)));
    expect(nearest, `corner ${number}`).toBeGreaterThanOrEqual(14);
    for (const other of placed)
      if (other.number !== number) expect(Math.hypot(other.x - x, other.y - y)).toBeGreaterThanOrEqual(21);
  }
});

test('a number with room stands outside of its bend', () => {
  const [placed] = placeNumbers(CIRCLE, [{ number: 4, index: 60, direction: 'right' }], BOX);
  expect(placed?.x).toBeLessThan(90);
  expect(placed?.y).toBeCloseTo(150, 0);
});

test('a corner whose number fits nowhere has none', () => {
  expect(
    placeNumbers(CIRCLE, [{ number: 1, index: 0, direction: 'right' }], { ...BOX, clearance: 200 }),
  ).toEqual([]);
});

test('no number stands on the north mark', () => {
  const bend = CIRCLE.map(({ x, y }) => ({ x: x + 75, y: y - 75 }));
  for (let index = 75; index < 120; index += 5) {
    for (const { x, y } of placeNumbers(bend, [{ number: 15, index, direction: 'right' }], BOX))
      expect(x < BOX.width - NORTH_MARK.width || y > NORTH_MARK.height, `${x}, ${y}`).toBe(true);
  }
});
