import { expect, test } from 'vitest';
import { chooseScaleLength, locateCrossing } from './locate-crossing.ts';

/** The line of about 20 m runs from west to east and is passed to the north. */
const LINE = { a: { lat: 50, lon: 8 }, b: { lat: 50, lon: 8.00028 }, bearingDeg: 0 };
const DEGREES_PER_METER = 1 / 111_195;

const CROSSING = {
  fixIndex: 2,
  afterFixMs: 30,
  intervalMs: 100,
  speedMetersPerSecond: 100,
  interpolationMeters: 0.01,
};

const driven = (alongMeters: number[]) => ({
  lats: alongMeters.map((along) => 50 + along * DEGREES_PER_METER),
  lons: alongMeters.map(() => 8.0001),
});

test('fixes and the crossing are located in metres, with driving to the right', () => {
  const located = locateCrossing(driven([-23, -13, -3, 7, 17, 27]), LINE, CROSSING);
  expect(located?.fixes.map(({ index, along }) => [index, Math.round(along)])).toEqual([
    [1, -13],
    [2, -3],
    [3, 7],
    [4, 17],
  ]);
  expect(located?.crossing.along).toBeCloseTo(0);
  expect(located?.crossing.right).toBeCloseTo(-2.86, 1);
  expect(located?.halfWidthMeters).toBeCloseTo(10, 0);
});

test('a line that is passed against its direction is seen from the driver, too', () => {
  const located = locateCrossing(driven([23, 13, 3, -7, -17]), LINE, CROSSING);
  expect(located?.fixes.map(({ along }) => Math.round(along))).toEqual([-13, -3, 7, 17]);
  expect(located?.crossing.right).toBeCloseTo(2.86, 1);
});

test('there is no picture without a fix on both sides, or without a line', () => {
  expect(locateCrossing(driven([-23, -13, -3]), LINE, CROSSING)).toBeNull();
  expect(locateCrossing(driven([-23, -13, -3, 7]), { ...LINE, b: LINE.a }, CROSSING)).toBeNull();
});

test('a scale bar has a round length', () => {
  expect([0.7, 1, 4, 9, 12].map(chooseScaleLength)).toEqual([0.5, 1, 2, 5, 10]);
});
