import { at, columnOf } from '../fix-columns.ts';
import { planeAround, type Plane, type PlanePoint } from '../geo.ts';
import { ColumnReader, ColumnWriter, type ColumnFormat } from './integer-columns.ts';
import type { LapPath } from './lap-path.ts';

/**
 * Describes the line along which laps are compared: points at equal distances with the unit vector of the driving
 * direction at each. It begins before the start/finish line and ends after it.
 */
export type ReferenceLine = {
  plane: Plane;
  length: number;
  stepMeters: number;
  xs: Float64Array;
  ys: Float64Array;
  directionXs: Float64Array;
  directionYs: Float64Array;
  /** Distance of the start and the end of laps from the first point, in metres. */
  startMeters: number;
  endMeters: number;
};

/** Two points of every reference line are this far apart. */
const STEP_METERS = 1;
/** Noise of positions turns the direction of short pieces; a mean over twice this length is steady, and no bend is shorter. */
const SMOOTHING_METERS = 4;
/** The direction at a point is that from so many points before it to as many after it. */
const DIRECTION_STEPS = 2;

/** Returns the line through points that follow each other by less than some metres: at equal distances, smoothed. */
export function lineThrough(
  plane: Plane,
  points: { xs: Float64Array; ys: Float64Array },
  ends: { startMeters: number; endMeters: number },
): ReferenceLine {
  const { xs, ys } = evenlySpaced(points);
  return lineAtPoints(plane, { xs: smoothed(xs), ys: smoothed(ys) }, ends);
}

/** Returns the line through points that are already at equal distances. */
function lineAtPoints(
  plane: Plane,
  { xs, ys }: { xs: Float64Array; ys: Float64Array },
  { startMeters, endMeters }: { startMeters: number; endMeters: number },
): ReferenceLine {
  const { length } = xs;
  const [directionXs, directionYs] = [new Float64Array(length), new Float64Array(length)];
  for (let index = 0; index < length; index += 1) {
    const before = Math.max(0, index - DIRECTION_STEPS);
    const after = Math.min(length - 1, index + DIRECTION_STEPS);
    const [x, y] = [at(xs, after) - at(xs, before), at(ys, after) - at(ys, before)];
    const meters = Math.sqrt(x * x + y * y);
    directionXs[index] = meters > 0 ? x / meters : 0;
    directionYs[index] = meters > 0 ? y / meters : 0;
  }
  return { plane, length, stepMeters: STEP_METERS, xs, ys, directionXs, directionYs, startMeters, endMeters };
}

/** Returns the point of the line so many metres after its first point. */
export function pointAt({ xs, ys, length, stepMeters }: ReferenceLine, meters: number): PlanePoint {
  const steps = Math.max(0, Math.min(length - 1.001, meters / stepMeters));
  const index = Math.floor(steps);
  const share = steps - index;
  return {
    x: at(xs, index) + share * (at(xs, index + 1) - at(xs, index)),
    y: at(ys, index) + share * (at(ys, index + 1) - at(ys, index)),
  };
}

/** Returns the driving direction so many metres after the first point, as a unit vector. */
export function directionAt(line: ReferenceLine, meters: number): PlanePoint {
  const index = Math.max(0, Math.min(line.length - 1, Math.round(meters / line.stepMeters)));
  return { x: at(line.directionXs, index), y: at(line.directionYs, index) };
}

/** Returns Catmull and Rom's curve through all positions of a lap, in time, cut into pieces of about a metre. */
export function curveThrough({ timesMs, xs, ys, length }: LapPath): { xs: Float64Array; ys: Float64Array } {
  const pieceCounts = new Int32Array(length);
  let count = 1;
  for (let index = 0; index + 1 < length; index += 1) {
    const [x, y] = [at(xs, index + 1) - at(xs, index), at(ys, index + 1) - at(ys, index)];
    const pieces = Math.max(1, Math.ceil(Math.sqrt(x * x + y * y) / STEP_METERS));
    pieceCounts[index] = pieces;
    count += pieces;
  }
  return {
    xs: interpolate(timesMs, xs, pieceCounts, count),
    ys: interpolate(timesMs, ys, pieceCounts, count),
  };
}

type Curve = ReturnType<typeof curveThrough>;

/** The direction at the end of a curve is that of so many points: single pieces of it turn with the noise. */
const END_POINTS = 4;

/** Returns a curve that goes on straight by so many metres at both ends. */
export function lengthenStraight({ xs, ys }: Curve, meters: number): Curve {
  const last = xs.length - 1;
  const inner = Math.min(last, END_POINTS);
  const before = directionFrom({ xs, ys }, inner, 0);
  const after = directionFrom({ xs, ys }, last - inner, last);
  return { xs: lengthen(xs, before.x, after.x), ys: lengthen(ys, before.y, after.y) };

  function lengthen(values: Float64Array, stepBefore: number, stepAfter: number): Float64Array {
    const steps = Math.round(meters / STEP_METERS);
    return columnOf(values.length + 2 * steps, (index) => {
      const point = Math.max(0, Math.min(last, index - steps));
      return (
        at(values, point) +
        STEP_METERS *
          (Math.max(0, steps - index) * stepBefore + Math.max(0, index - steps - last) * stepAfter)
      );
    });
  }
}

function directionFrom({ xs, ys }: Curve, from: number, to: number): PlanePoint {
  const [x, y] = [at(xs, to) - at(xs, from), at(ys, to) - at(ys, from)];
  const meters = Math.hypot(x, y);
  return meters > 0 ? { x: x / meters, y: y / meters } : { x: 0, y: 0 };
}

function interpolate(
  timesMs: Float64Array,
  values: Float64Array,
  pieceCounts: Int32Array,
  count: number,
): Float64Array {
  const curve = new Float64Array(count);
  const last = values.length - 1;
  let entry = 0;
  for (let index = 0; index < last; index += 1) {
    const [before, after] = [Math.max(0, index - 1), Math.min(last, index + 2)];
    const stepMs = at(timesMs, index + 1) - at(timesMs, index);
    const [from, to] = [at(values, index), at(values, index + 1)];
    const slopeFrom = (stepMs / (at(timesMs, index + 1) - at(timesMs, before))) * (to - at(values, before));
    const slopeTo = (stepMs / (at(timesMs, after) - at(timesMs, index))) * (at(values, after) - from);
    const pieces = pieceCounts[index] ?? 1;
    for (let piece = 0; piece < pieces; piece += 1, entry += 1) {
      const u = piece / pieces;
      const v = 1 - u;
      curve[entry] = v * v * (from * (1 + 2 * u) + slopeFrom * u) + u * u * (to * (1 + 2 * v) - slopeTo * v);
    }
  }
  curve[entry] = at(values, last);
  return curve;
}

function evenlySpaced({ xs, ys }: { xs: Float64Array; ys: Float64Array }) {
  const spacedXs = [at(xs, 0)];
  const spacedYs = [at(ys, 0)];
  let missing = STEP_METERS;
  for (let index = 1; index < xs.length; index += 1) {
    const [fromX, fromY] = [at(xs, index - 1), at(ys, index - 1)];
    const [stepX, stepY] = [at(xs, index) - fromX, at(ys, index) - fromY];
    const meters = Math.sqrt(stepX * stepX + stepY * stepY);
    let along = missing;
    for (; along <= meters; along += STEP_METERS) {
      spacedXs.push(fromX + (along / meters) * stepX);
      spacedYs.push(fromY + (along / meters) * stepY);
    }
    missing = along - meters;
  }
  return { xs: Float64Array.from(spacedXs), ys: Float64Array.from(spacedYs) };
}

/** A mean over neighbours, with less weight the farther they are; towards both ends over fewer. */
function smoothed(values: Float64Array): Float64Array {
  const reach = Math.round(SMOOTHING_METERS / STEP_METERS);
  const means = new Float64Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const most = Math.min(reach, index, values.length - 1 - index);
    let sum = (most + 1) * at(values, index);
    for (let offset = 1; offset <= most; offset += 1)
      sum += (most + 1 - offset) * (at(values, index - offset) + at(values, index + offset));
    means[index] = sum / ((most + 1) * (most + 1));
  }
  return means;
}

/** Raised with every change of the bytes below. */
const FORMAT_VERSION = 1;
const MILLIMETERS: ColumnFormat = { unit: 1e-3, order: 2 };

/** Encodes a reference line as bytes for the storage: 2 to 4 bytes a metre, less when compressed. */
export function encodeReferenceLine(line: ReferenceLine): Uint8Array<ArrayBuffer> {
  const writer = new ColumnWriter();
  writer.addInteger(FORMAT_VERSION);
  writer.addInteger(line.length);
  const { origin } = line.plane;
  for (const value of [origin.lat, origin.lon, line.startMeters, line.endMeters]) writer.addNumber(value);
  writer.addColumn(line.xs, MILLIMETERS);
  writer.addColumn(line.ys, MILLIMETERS);
  return writer.finish();
}

/** Reads bytes of `encodeReferenceLine`. Null where they are of another version of Pitboard or damaged: then the line is built again. */
export function decodeReferenceLine(bytes: Uint8Array): ReferenceLine | null {
  const reader = new ColumnReader(bytes);
  if (reader.readInteger() !== FORMAT_VERSION) return null;
  const length = reader.readInteger();
  if (!(length >= 2 && length <= reader.bytesLeft)) return null;
  const origin = { lat: reader.readNumber(), lon: reader.readNumber() };
  const ends = { startMeters: reader.readNumber(), endMeters: reader.readNumber() };
  const points = { xs: reader.readColumn(length, MILLIMETERS), ys: reader.readColumn(length, MILLIMETERS) };
  return reader.isComplete ? lineAtPoints(planeAround(origin), points, ends) : null;
}
