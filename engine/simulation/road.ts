import { planeAround, toPlane, type Plane, type PlanePoint } from '../geo.ts';
import type { Track } from '../track.ts';

/** Describes a closed centre line as a driver would see it: a point every metre or so, and how sharply it bends there. */
export type Road = {
  plane: Plane;
  points: PlanePoint[];
  /** Unit vectors to the right of the driving direction. */
  rights: PlanePoint[];
  /** One over the radius, in 1/m; never negative. */
  curvatures: number[];
};

const SPACING_METERS = 1;
// Outlines are polygons. Rounding their corners over this length gives bends that a car can take.
const ROUNDING_METERS = 18;

/**
 * Builds the road along a track's outline, in driving order or against it. More rounding gives the wider line of
 * somebody who uses the width of the road. With `isWidened`, kinks tighter than a car can take are opened, and points spaced
 * evenly again. Throws where the track has no outline.
 */
export function buildRoad(
  track: Track,
  isReversed: boolean,
  roundingMeters = ROUNDING_METERS,
  isWidened = false,
): Road {
  if (track.outline === null) throw new Error(`${track.id} has no outline to drive on.`);
  const plane = planeAround({ lat: track.centerLat, lon: track.centerLon });
  const corners = track.outline.map(([lat, lon]) => toPlane(plane, { lat, lon }));
  const opened = isSamePoint(element(corners, 0), element(corners, -1)) ? corners.slice(0, -1) : corners;
  const ordered = isReversed ? opened.toReversed() : opened;
  let points = evenlySpaced(curveThrough(ordered));
  for (let round = 0; round < 2; round += 1) points = rounded(points, roundingMeters);
  if (isWidened) points = widened(points);
  const tangents = points.map((_, index) =>
    direction(element(points, index - 2), element(points, index + 2)),
  );
  return {
    plane,
    points,
    rights: tangents.map(({ x, y }) => ({ x: y, y: -x })),
    curvatures: tangents.map((_, index) => bend(tangents, points, index)),
  };
}

/** Returns the entry of a closed list, counted around: -1 is the last. Throws where the list is empty. */
export function element<T>(list: readonly T[], index: number): T {
  const entry = list[index] ?? list[((index % list.length) + list.length) % list.length];
  if (entry === undefined) throw new Error('The list is empty.');
  return entry;
}

/** Returns a Catmull-Rom curve through all corners, cut finely. */
function curveThrough(corners: PlanePoint[]): PlanePoint[] {
  return corners.flatMap((corner, index) => {
    const [before, next, after] = [
      element(corners, index - 1),
      element(corners, index + 1),
      element(corners, index + 2),
    ];
    const steps = Math.max(1, Math.ceil(Math.hypot(next.x - corner.x, next.y - corner.y)));
    return Array.from({ length: steps }, (_, step) => {
      const u = step / steps;
      const blend = (a: number, b: number, c: number, d: number): number =>
        b + (u / 2) * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
      return { x: blend(before.x, corner.x, next.x, after.x), y: blend(before.y, corner.y, next.y, after.y) };
    });
  });
}

function evenlySpaced(points: PlanePoint[]): PlanePoint[] {
  const lengths = points.map((point, index) => distance(point, element(points, index + 1)));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const count = Math.round(total / SPACING_METERS);
  const result: PlanePoint[] = [];
  let index = 0;
  let passed = 0;
  for (let wanted = 0; wanted < count; wanted += 1) {
    const target = (wanted * total) / count;
    while (passed + element(lengths, index) < target) {
      passed += element(lengths, index);
      index += 1;
    }
    const [from, to] = [element(points, index), element(points, index + 1)];
    const u = (target - passed) / Math.max(element(lengths, index), 1e-9);
    result.push({ x: from.x + u * (to.x - from.x), y: from.y + u * (to.y - from.y) });
  }
  return result;
}

/** Averages the points over so much of the road, which rounds its corners. */
export function rounded(points: PlanePoint[], roundingMeters: number): PlanePoint[] {
  const reach = Math.round(roundingMeters / SPACING_METERS / 2);
  return points.map((_, index) => {
    let [x, y] = [0, 0];
    for (let offset = -reach; offset <= reach; offset += 1) {
      const point = element(points, index + offset);
      x += point.x;
      y += point.y;
    }
    return { x: x / (2 * reach + 1), y: y / (2 * reach + 1) };
  });
}

/** Outlines hold kinks that no road has. */
const TIGHTEST_RADIUS_METERS = 16;
const WIDENING_ROUNDS = 40;
const BASE_METERS = 5;

/** Draws points of kinks towards those before and behind them until no bend is too tight. */
function widened(points: PlanePoint[]): PlanePoint[] {
  let even = evenlySpaced(points);
  for (let round = 0; round < WIDENING_ROUNDS; round += 1) {
    const nearTight = findNearTight(even);
    if (nearTight.size === 0) break;
    for (let smoothing = 0; smoothing < 4; smoothing += 1) even = drawnTogether(even, nearTight);
    if (round % 4 === 3) even = evenlySpaced(even);
  }
  return evenlySpaced(even);
}

/** Returns the indexes of the points in bends that are too tight, with those just before and behind. */
function findNearTight(points: PlanePoint[]): Set<number> {
  const near = new Set<number>();
  for (const index of points.keys()) {
    if (radiusAt(points, index) >= TIGHTEST_RADIUS_METERS) continue;
    for (let offset = 1 - 2 * BASE_METERS; offset <= 2 * BASE_METERS; offset += 1)
      near.add((index + offset + points.length) % points.length);
  }
  return near;
}

function drawnTogether(points: PlanePoint[], drawn: ReadonlySet<number>): PlanePoint[] {
  const moved = [...points];
  for (const index of drawn) {
    const [before, after] = [element(points, index - BASE_METERS), element(points, index + BASE_METERS)];
    const { x, y } = element(points, index);
    moved[index] = { x: x / 2 + (before.x + after.x) / 4, y: y / 2 + (before.y + after.y) / 4 };
  }
  return moved;
}

/** Returns the radius of the circle through a point and those before and behind it. */
export function radiusAt(points: readonly PlanePoint[], index: number, base = BASE_METERS): number {
  const [a, b, c] = [element(points, index - base), element(points, index), element(points, index + base)];
  const area = Math.abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  return (distance(a, b) * distance(b, c) * distance(a, c)) / Math.max(2 * area, 1e-9);
}

function bend(tangents: PlanePoint[], points: PlanePoint[], index: number): number {
  const [before, after] = [element(tangents, index - 3), element(tangents, index + 3)];
  const turned = Math.abs(
    Math.atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y),
  );
  let length = 0;
  for (let offset = -3; offset < 3; offset += 1) {
    length += distance(element(points, index + offset), element(points, index + offset + 1));
  }
  return turned / length;
}

function direction(from: PlanePoint, to: PlanePoint): PlanePoint {
  const length = Math.max(distance(from, to), 1e-9);
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** Returns the distance between two points in metres. */
export function distance(a: PlanePoint, b: PlanePoint): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

function isSamePoint(a: PlanePoint, b: PlanePoint): boolean {
  return distance(a, b) < 0.5;
}
