import { at } from '../fix-columns.ts';
import type { Plane, PlanePoint } from '../geo.ts';
import type { LapPath } from './lap-path.ts';

/**
 * The line along which laps are compared: points at equal distances with the unit vector of the driving direction at each. It begins
 * before the start/finish line and ends after it.
 */
export type ReferenceLine = {
  plane: Plane;
  length: number;
  stepMeters: number;
  xs: Float64Array;
  ys: Float64Array;
  directionXs: Float64Array;
  directionYs: Float64Array;
};

const STEP_METERS = 1;
/** Noise of positions turns the direction of short pieces; a mean over twice this length is steady, and no bend is shorter. */
const SMOOTHING_METERS = 4;

/** The reference line through the positions of a lap: a curve through all of them, smoothed. */
export function referenceLine(path: LapPath, plane: Plane): ReferenceLine {
  const points = evenlySpaced(curveThrough(path));
  const xs = smoothed(Float64Array.from(points, ({ x }) => x));
  const ys = smoothed(Float64Array.from(points, ({ y }) => y));
  const directionXs = new Float64Array(xs.length);
  const directionYs = new Float64Array(xs.length);
  for (let index = 0; index < xs.length; index += 1) {
    const [before, after] = [Math.max(0, index - 2), Math.min(xs.length - 1, index + 2)];
    const [x, y] = [at(xs, after) - at(xs, before), at(ys, after) - at(ys, before)];
    const meters = Math.hypot(x, y);
    directionXs[index] = meters > 0 ? x / meters : 0;
    directionYs[index] = meters > 0 ? y / meters : 0;
  }
  return { plane, length: xs.length, stepMeters: STEP_METERS, xs, ys, directionXs, directionYs };
}

/** The point of the line so many metres after its first point. */
export function pointAt({ xs, ys, length, stepMeters }: ReferenceLine, meters: number): PlanePoint {
  const place = Math.max(0, Math.min(length - 1.001, meters / stepMeters));
  const index = Math.floor(place);
  const share = place - index;
  return {
    x: at(xs, index) + share * (at(xs, index + 1) - at(xs, index)),
    y: at(ys, index) + share * (at(ys, index + 1) - at(ys, index)),
  };
}

/** The driving direction so many metres after the first point, as a unit vector. */
export function directionAt(line: ReferenceLine, meters: number): PlanePoint {
  const index = Math.max(0, Math.min(line.length - 1, Math.round(meters / line.stepMeters)));
  return { x: at(line.directionXs, index), y: at(line.directionYs, index) };
}

/** Catmull and Rom's curve through all positions, in time, cut into pieces of about a metre. */
function curveThrough({ timesMs, xs, ys, length }: LapPath): PlanePoint[] {
  const points: PlanePoint[] = [];
  for (let index = 0; index + 1 < length; index += 1) {
    const [before, after] = [Math.max(0, index - 1), Math.min(length - 1, index + 2)];
    const stepMs = at(timesMs, index + 1) - at(timesMs, index);
    const scaleFrom = stepMs / (at(timesMs, index + 1) - at(timesMs, before));
    const scaleTo = stepMs / (at(timesMs, after) - at(timesMs, index));
    const curve = (values: Float64Array, u: number): number => {
      const v = 1 - u;
      const [from, to] = [at(values, index), at(values, index + 1)];
      const slopeFrom = scaleFrom * (to - at(values, before));
      const slopeTo = scaleTo * (at(values, after) - from);
      return v * v * (from * (1 + 2 * u) + slopeFrom * u) + u * u * (to * (1 + 2 * v) - slopeTo * v);
    };
    const meters = Math.hypot(at(xs, index + 1) - at(xs, index), at(ys, index + 1) - at(ys, index));
    const pieces = Math.max(1, Math.ceil(meters / STEP_METERS));
    for (let piece = 0; piece < pieces; piece += 1)
      points.push({ x: curve(xs, piece / pieces), y: curve(ys, piece / pieces) });
  }
  points.push({ x: at(xs, length - 1), y: at(ys, length - 1) });
  return points;
}

function evenlySpaced(points: readonly PlanePoint[]): PlanePoint[] {
  const [first] = points;
  if (first === undefined) return [];
  const spaced = [first];
  let missing = STEP_METERS;
  let before = first;
  for (const point of points) {
    const meters = Math.hypot(point.x - before.x, point.y - before.y);
    let along = missing;
    for (; along <= meters; along += STEP_METERS) {
      const share = along / meters;
      spaced.push({ x: before.x + share * (point.x - before.x), y: before.y + share * (point.y - before.y) });
    }
    missing = along - meters;
    before = point;
  }
  return spaced;
}

/** A mean over neighbours, with less weight the farther they are; towards both ends over fewer. */
function smoothed(values: Float64Array): Float64Array {
  const reach = Math.round(SMOOTHING_METERS / STEP_METERS);
  return values.map((_, index) => {
    const most = Math.min(reach, index, values.length - 1 - index);
    let [sum, weights] = [0, 0];
    for (let offset = -most; offset <= most; offset += 1) {
      const weight = most + 1 - Math.abs(offset);
      sum += weight * at(values, index + offset);
      weights += weight;
    }
    return sum / weights;
  });
}
