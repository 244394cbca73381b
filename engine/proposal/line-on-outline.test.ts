import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { bearingDegrees, distanceMeters, middle } from '../geo.ts';
import { lineOnOutline } from './line-on-outline.ts';

const outline = libraryTrack('grattan-raceway-full').outline ?? [];

test.each([0, 1, 40, outline.length - 1])(
  'at point %i the line lies across the outline, its left end first',
  (index) => {
    const line = lineOnOutline(outline, index, 15);
    const point = outline[index];
    if (line === null || point === undefined) throw new Error('The outline has this point.');
    expect(distanceMeters(line.a, line.b)).toBeCloseTo(30, 1);
    expect(distanceMeters(middle(line.a, line.b), { lat: point[0], lon: point[1] })).toBeLessThan(0.1);
    const across = bearingDegrees(line.a, line.b);
    expect((across - (line.bearingDeg ?? 0) + 360) % 360).toBeCloseTo(90, 0);
  },
);

test('an outline without that point has no line', () => {
  expect(lineOnOutline([], 0)).toBeNull();
  expect(lineOnOutline([[50, 7]], 0)).toBeNull();
});
