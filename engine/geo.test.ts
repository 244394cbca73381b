import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bearingDegrees,
  distanceMeters,
  lonDifference,
  middle,
  planeAround,
  roughDistanceMeters,
  toPlane,
  toPosition,
  type Position,
} from './geo.ts';

const place = fc.record({
  lat: fc.double({ min: -65, max: 65, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});
const offset = fc.double({ min: -2500, max: 2500, noNaN: true });

/**
 * Returns the distance straight through the Earth between two points of the ellipsoid: exact, and over 5 km no shorter
 * than the arc by 0.2 mm.
 */
function exactDistance(a: Position, b: Position): number {
  const [from, to] = [earthCentred(a), earthCentred(b)];
  return Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
}

function earthCentred({ lat, lon }: Position): [number, number, number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
  const eccentricitySquared = 0.00669437999014;
  const radius = 6_378_137 / Math.sqrt(1 - eccentricitySquared * Math.sin(phi) ** 2);
  return [
    radius * Math.cos(phi) * Math.cos(lambda),
    radius * Math.cos(phi) * Math.sin(lambda),
    radius * (1 - eccentricitySquared) * Math.sin(phi),
  ];
}

test('distances between places up to 5 km apart are right to 0.001 % against the ellipsoid', () => {
  fc.assert(
    fc.property(place, offset, offset, (from, x, y) => {
      const to = toPosition(planeAround(from), { x, y });
      expect(Math.abs(distanceMeters(from, to) - exactDistance(from, to))).toBeLessThan(
        0.03 + exactDistance(from, to) * 1e-5,
      );
    }),
  );
});

test('on one plane, distances around its origin are right to 0.1 % within 2.5 km', () => {
  fc.assert(
    fc.property(place, fc.tuple(offset, offset), fc.tuple(offset, offset), (origin, [ax, ay], [bx, by]) => {
      const plane = planeAround(origin);
      const exact = exactDistance(toPosition(plane, { x: ax, y: ay }), toPosition(plane, { x: bx, y: by }));
      expect(Math.abs(Math.hypot(bx - ax, by - ay) - exact)).toBeLessThan(0.01 + exact * 0.001);
    }),
  );
});

test('a position survives the way to the plane and back, on both sides of the 180th meridian', () => {
  fc.assert(
    fc.property(place, offset, offset, (origin, x, y) => {
      const plane = planeAround(origin);
      const point = toPlane(plane, toPosition(plane, { x, y }));
      expect(point.x).toBeCloseTo(x, 4);
      expect(point.y).toBeCloseTo(y, 4);
    }),
  );
  const plane = planeAround({ lat: -17, lon: 179.9999 });
  expect(toPlane(plane, { lat: -17, lon: -179.9999 }).x).toBeCloseTo(21.3, 1);
  expect(middle({ lat: 0, lon: 179.9 }, { lat: 0, lon: -179.9 }).lon).toBeCloseTo(180);
});

test('a difference of longitudes goes the shorter way, also across the 180th meridian', () => {
  expect(lonDifference(4.5, 4.75)).toBe(0.25);
  expect(lonDifference(179.75, -179.5)).toBe(0.75);
  expect(lonDifference(-179.5, 179.75)).toBe(-0.75);
});

test('bearings count clockwise from north', () => {
  const here = { lat: 50, lon: 7 };
  expect(bearingDegrees(here, { lat: 50.001, lon: 7 })).toBeCloseTo(0);
  expect(bearingDegrees(here, { lat: 50, lon: 7.001 })).toBeCloseTo(90, 1);
  expect(bearingDegrees(here, { lat: 49.999, lon: 7 })).toBeCloseTo(180);
  expect(bearingDegrees(here, { lat: 50, lon: 6.999 })).toBeCloseTo(270, 1);
});

test('the rough distance is right to one percent', () => {
  fc.assert(
    fc.property(place, offset, offset, (from, x, y) => {
      const to = toPosition(planeAround(from), { x, y });
      const rough = roughDistanceMeters(
        Float64Array.of(from.lat, to.lat),
        Float64Array.of(from.lon, to.lon),
        0,
        1,
      );
      const exact = exactDistance(from, to);
      expect(Math.abs(rough - exact)).toBeLessThan(0.001 + exact * 0.01);
    }),
  );
});
