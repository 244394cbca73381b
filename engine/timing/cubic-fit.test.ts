import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitCubic, type Observation } from './cubic-fit.ts';

const small = fc.double({ min: -30, max: 30, noNaN: true });

test('a cubic is found again from places alone, and from places and speeds', () => {
  fc.assert(
    fc.property(fc.tuple(small, small, small, small), fc.boolean(), ([a, b, c, d], withSpeeds) => {
      const observations = [-0.5, -0.3, -0.1, 0.1, 0.3, 0.5].flatMap((seconds) => {
        const place = {
          seconds,
          value: a + seconds * (b + seconds * (c + seconds * d)),
          isSpeed: false,
          weight: 1,
        };
        const speed = { seconds, value: b + seconds * (2 * c + seconds * 3 * d), isSpeed: true, weight: 0.4 };
        return withSpeeds ? [place, speed] : [place];
      });
      const fit = fitCubic(observations);
      expect(fit?.meters).toBeCloseTo(a, 6);
      expect(fit?.metersPerSecond).toBeCloseTo(b, 6);
    }),
  );
});

test('the more sightings, the less of the noise of one is left', () => {
  const few = fitCubic(placesAlong(7))?.noiseShare ?? 0;
  const many = fitCubic(placesAlong(28))?.noiseShare ?? 0;
  expect(few / many).toBeCloseTo(2, 0);
});

test('too few sightings determine nothing', () => {
  expect(fitCubic([])).toBeNull();
  expect(fitCubic([{ seconds: 0, value: 1, isSpeed: false, weight: 1 }])).toBeNull();
});

function placesAlong(count: number): Observation[] {
  return Array.from({ length: count }, (_, index) => ({
    seconds: index / (count - 1) - 0.5,
    value: 0,
    isSpeed: false,
    weight: 1,
  }));
}
