import { at } from '../fix-columns.ts';
import type { PlanePoint } from '../geo.ts';
import { distance, element, radiusAt, rounded, type Road } from './road.ts';

/** Describes the line of a driver who uses the width of the road: a point for every point of the road, and how sharply it bends there. */
export type RacingLine = {
  points: PlanePoint[];
  /** Unit vectors to the right of the driving direction. */
  rights: PlanePoint[];
  /** One over the radius, in 1/m; never negative. */
  curvatures: number[];
};

/** The line bends as little as the road allows: first the long bends are found, then the short ones. */
const NODE_SPACINGS_METERS = [40, 20, 10];
const ROUNDS = 150;
/** Steps from node to node leave a little unevenness, which no steering wheel follows. */
const SMOOTHING_METERS = 15;
/** The curvature is measured over so much of the line before and behind a point. */
const BASE_METERS = 8;
/** No line on a race circuit is tighter: the slowest hairpins are driven on about this radius. */
const RADIUS_MIN_METERS = 24;

/**
 * Finds the line of least bending at most `halfWidthMeters` to either side of a closed road, as in Braghin et al., 'Race
 * driver model' (Computers & Structures 86, 2008): it goes wide before a corner, to the inside in it and wide behind it.
 */
export function findRacingLine(road: Road, halfWidthMeters: number): RacingLine {
  let asides = new Float64Array(road.points.length);
  for (const spacing of NODE_SPACINGS_METERS)
    asides = leastBending(road, asides, { spacing, halfWidthMeters });
  const aside = (index: number): number => at(asides, wrap(index, asides.length));
  let points = road.points.map((point, index) => beside(road, index, aside(index), point));
  for (let round = 0; round < 2; round += 1) points = rounded(points, SMOOTHING_METERS);
  return {
    points,
    rights: points.map((_, index) => toTheRight(points, index)),
    curvatures: points.map(
      (_, index) => 1 / Math.max(RADIUS_MIN_METERS, radiusAt(points, index, BASE_METERS)),
    ),
  };
}

/** Moves every `spacing`th point to where the line bends least between its neighbours, again and again. */
function leastBending(
  road: Road,
  asides: Float64Array,
  { spacing, halfWidthMeters }: { spacing: number; halfWidthMeters: number },
): Float64Array<ArrayBuffer> {
  const count = Math.max(6, Math.round(road.points.length / spacing));
  const indexes = Int32Array.from({ length: count }, (_, node) =>
    Math.floor((node * road.points.length) / count),
  );
  const column = (value: (index: number) => number) => Float64Array.from(indexes, value);
  const [centerXs, centerYs] = [
    column((index) => element(road.points, index).x),
    column((index) => element(road.points, index).y),
  ];
  const [rightXs, rightYs] = [
    column((index) => element(road.rights, index).x),
    column((index) => element(road.rights, index).y),
  ];
  const nodes = column((index) => at(asides, index));
  const xs = centerXs.map((x, node) => x + at(nodes, node) * at(rightXs, node));
  const ys = centerYs.map((y, node) => y + at(nodes, node) * at(rightYs, node));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let node = 0; node < count; node += 1) {
      const [before2, before] = [(node + count - 2) % count, (node + count - 1) % count];
      const [after, after2] = [(node + 1) % count, (node + 2) % count];
      const x =
        (4 * (at(xs, before) + at(xs, after)) - at(xs, before2) - at(xs, after2)) / 6 - at(centerXs, node);
      const y =
        (4 * (at(ys, before) + at(ys, after)) - at(ys, before2) - at(ys, after2)) / 6 - at(centerYs, node);
      const wanted = x * at(rightXs, node) + y * at(rightYs, node);
      const aside = Math.max(-halfWidthMeters, Math.min(halfWidthMeters, wanted));
      nodes[node] = aside;
      xs[node] = at(centerXs, node) + aside * at(rightXs, node);
      ys[node] = at(centerYs, node) + aside * at(rightYs, node);
    }
  }
  return Float64Array.from(road.points, (_, index) => {
    const along = (index * count) / road.points.length;
    const node = Math.floor(along);
    const value = (offset: number): number => at(nodes, wrap(node + offset, count));
    return between([value(-1), value(0), value(1), value(2)], along - node);
  });
}

/** Returns the Catmull-Rom curve between the second and the third of four values. */
function between([a, b, c, d]: readonly [number, number, number, number], u: number): number {
  return b + (u / 2) * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
}

function beside(road: Road, index: number, aside: number, from = element(road.points, index)): PlanePoint {
  const right = element(road.rights, index);
  return { x: from.x + aside * right.x, y: from.y + aside * right.y };
}

function toTheRight(points: PlanePoint[], index: number): PlanePoint {
  const [from, to] = [element(points, index - BASE_METERS), element(points, index + BASE_METERS)];
  const length = Math.max(distance(from, to), 1e-9);
  return { x: (to.y - from.y) / length, y: (from.x - to.x) / length };
}

function wrap(index: number, count: number): number {
  return ((index % count) + count) % count;
}
