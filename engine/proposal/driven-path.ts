import { at } from '../fix-columns.ts';
import { planeAround, planeX, planeY, type Plane } from '../geo.ts';
import type { Trace } from '../trace/trace.ts';

/** Holds a drive as points at equal distances along the path: a car that stands adds none. */
export type DrivenPath = {
  plane: Plane;
  spacingMeters: number;
  length: number;
  xs: Float64Array;
  ys: Float64Array;
  timesMs: Float64Array;
  /** Unit vector of the driving direction. */
  headingXs: Float64Array;
  headingYs: Float64Array;
  /** Index of the first point of every unbroken part of the trace. */
  partStarts: number[];
};

/** The spacing is short beside the width of a track. */
const SPACING_METERS = 5;
/** Longer drives than 1,000 km get points that are farther apart. */
const POINTS_MAX = 200_000;
/** The direction at a point is that from so many metres before it to as many behind it. */
const HEADING_ARM_METERS = 10;

/** Builds the points of a drive; null for one that did not get anywhere. */
export function buildDrivenPath(trace: Trace, cumulativeMeters: Float64Array): DrivenPath | null {
  const { fixes, partStarts } = trace;
  const totalMeters = cumulativeMeters.length === 0 ? 0 : at(cumulativeMeters, cumulativeMeters.length - 1);
  const spacingMeters = Math.max(SPACING_METERS, totalMeters / POINTS_MAX);
  if (!(totalMeters > 10 * spacingMeters)) return null;
  const plane = planeAround({ lat: at(fixes.lats, 0), lon: at(fixes.lons, 0) });
  const points: Points = { xs: [], ys: [], timesMs: [] };
  const starts = partStarts.flatMap((first, part) => {
    const before = points.xs.length;
    addPart(points, trace, {
      plane,
      spacingMeters,
      first,
      last: (partStarts[part + 1] ?? fixes.length) - 1,
    });
    return points.xs.length > before ? [before] : [];
  });
  const [xs, ys] = [Float64Array.from(points.xs), Float64Array.from(points.ys)];
  return {
    plane,
    spacingMeters,
    length: xs.length,
    xs,
    ys,
    timesMs: Float64Array.from(points.timesMs),
    ...headings(xs, ys, starts, Math.max(1, Math.round(HEADING_ARM_METERS / spacingMeters))),
    partStarts: starts,
  };
}

type Points = { xs: number[]; ys: number[]; timesMs: number[] };
type Part = { plane: Plane; spacingMeters: number; first: number; last: number };

/** Adds the points of one part, on straight lines between fixes that are at least the spacing apart. */
function addPart(points: Points, { fixes }: Trace, { plane, spacingMeters, first, last }: Part): void {
  let [x, y, timeMs] = [
    planeX(plane, at(fixes.lons, first)),
    planeY(plane, at(fixes.lats, first)),
    at(fixes.timesMs, first),
  ];
  for (let fix = first + 1; fix <= last; fix += 1) {
    const [nextX, nextY] = [planeX(plane, at(fixes.lons, fix)), planeY(plane, at(fixes.lats, fix))];
    const meters = Math.hypot(nextX - x, nextY - y);
    if (meters < spacingMeters) continue;
    const count = Math.floor(meters / spacingMeters);
    const [fromX, fromY, fromMs] = [x, y, timeMs];
    for (let step = 1; step <= count; step += 1) {
      const share = (step * spacingMeters) / meters;
      x = fromX + share * (nextX - fromX);
      y = fromY + share * (nextY - fromY);
      timeMs = fromMs + share * (at(fixes.timesMs, fix) - fromMs);
      points.xs.push(x);
      points.ys.push(y);
      points.timesMs.push(timeMs);
    }
  }
}

function headings(xs: Float64Array, ys: Float64Array, starts: readonly number[], arm: number) {
  const [headingXs, headingYs] = [new Float64Array(xs.length), new Float64Array(xs.length)];
  starts.forEach((first, part) => {
    const last = (starts[part + 1] ?? xs.length) - 1;
    for (let point = first; point <= last; point += 1) {
      const [from, to] = [Math.max(first, point - arm), Math.min(last, point + arm)];
      const [x, y] = [at(xs, to) - at(xs, from), at(ys, to) - at(ys, from)];
      const meters = Math.hypot(x, y);
      headingXs[point] = meters > 0 ? x / meters : 0;
      headingYs[point] = meters > 0 ? y / meters : 0;
    }
  });
  return { headingXs, headingYs };
}

/** Finds the points of a path near a place. */
export type PathGrid = { cellMeters: number; cells: Map<number, number[]> };

/** Sorts the points of a path into square cells, in driving order within each. */
export function buildPathGrid({ xs, ys, length }: DrivenPath, cellMeters: number): PathGrid {
  const cells = new Map<number, number[]>();
  for (let point = 0; point < length; point += 1) {
    const key = cellKey(Math.floor(at(xs, point) / cellMeters), Math.floor(at(ys, point) / cellMeters));
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [point]);
    else cell.push(point);
  }
  return { cellMeters, cells };
}

/** Returns the points in the cell of a place and in those around it: all that are nearer than a cell is wide, and some that are not. */
export function cellsAround({ cellMeters, cells }: PathGrid, x: number, y: number): number[][] {
  const [column, row] = [Math.floor(x / cellMeters), Math.floor(y / cellMeters)];
  const found: number[][] = [];
  for (let cellX = column - 1; cellX <= column + 1; cellX += 1) {
    for (let cellY = row - 1; cellY <= row + 1; cellY += 1) {
      const cell = cells.get(cellKey(cellX, cellY));
      if (cell !== undefined) found.push(cell);
    }
  }
  return found;
}

/** Returns the key of a cell; two far apart may share it, which is harmless: distances are compared afterwards. */
function cellKey(column: number, row: number): number {
  return column * 100_003 + row;
}

/** Returns whether the car drives in the same direction at two points, to 45 degrees. */
export function isSameDirection(path: DrivenPath, one: number, other: number): boolean {
  const cosine =
    at(path.headingXs, one) * at(path.headingXs, other) + at(path.headingYs, one) * at(path.headingYs, other);
  return cosine > Math.SQRT1_2;
}

/** Returns the straight distance between two points, in metres. */
export function pointDistance({ xs, ys }: DrivenPath, one: number, other: number): number {
  const [x, y] = [at(xs, one) - at(xs, other), at(ys, one) - at(ys, other)];
  // A proposal asks for millions of distances, and `Math.hypot` would take several times as long.
  return Math.sqrt(x * x + y * y);
}
