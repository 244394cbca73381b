import { at } from '../fix-columns.ts';
import { planeAround, planeX, planeY } from '../geo.ts';

/** Equals 1 g. */
export const STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED = 9.80665;

/** Describes positions and speeds of a lap, in order of time. All columns are equally long. */
export type MotionColumns = {
  timesMs: Float64Array;
  lats: Float64Array;
  lons: Float64Array;
  speedsMetersPerSecond: Float64Array;
};

/** Describes a straight line through the values around every entry: the value and the slope there. */
export type LocalLines = { values: Float64Array; slopesPerSecond: Float64Array };

/** Long enough to hide the noise of 25 fixes a second, short enough to show a brake application. */
const WINDOW_MS = 600;

/**
 * Derives the accelerations at every entry, in m/s²: longitudinal from the speeds, positive when gaining speed; lateral
 * from the path, positive in right-hand corners. Each is a mean over about half a second, and at rates below 4 Hz over
 * three fixes.
 */
export function deriveAccelerations(columns: MotionColumns): {
  longitudinal: Float64Array;
  lateral: Float64Array;
} {
  const { timesMs, lats, lons, speedsMetersPerSecond } = columns;
  const { values, slopesPerSecond } = fitLocalLines(timesMs, speedsMetersPerSecond, WINDOW_MS);
  if (lats.length === 0) return { longitudinal: slopesPerSecond, lateral: new Float64Array(0) };
  const plane = planeAround({ lat: at(lats, 0), lon: at(lons, 0) });
  const xs = lons.map((lon) => planeX(plane, lon));
  const ys = lats.map((lat) => planeY(plane, lat));
  const velocityXs = fitLocalLines(timesMs, xs, WINDOW_MS).slopesPerSecond;
  const velocityYs = fitLocalLines(timesMs, ys, WINDOW_MS).slopesPerSecond;
  const accelerationXs = fitLocalLines(timesMs, velocityXs, WINDOW_MS / 2).slopesPerSecond;
  const accelerationYs = fitLocalLines(timesMs, velocityYs, WINDOW_MS / 2).slopesPerSecond;
  const lateral = values.map((speed, index) => {
    const [x, y] = [at(velocityXs, index), at(velocityYs, index)];
    const squared = x * x + y * y;
    // A standing car has no direction and so no side.
    if (squared < 1) return 0;
    const turning = (y * at(accelerationXs, index) - x * at(accelerationYs, index)) / squared;
    return turning * speed;
  });
  return { longitudinal: slopesPerSecond, lateral };
}

/**
 * Fits a straight line by least squares through the values within half of `windowMs` before and after every entry, and
 * at least through both neighbours.
 */
export function fitLocalLines(timesMs: Float64Array, values: Float64Array, windowMs: number): LocalLines {
  const count = values.length;
  const lines = { values: new Float64Array(count), slopesPerSecond: new Float64Array(count) };
  let [first, last] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const timeMs = at(timesMs, index);
    while (first < index - 1 && at(timesMs, first) < timeMs - windowMs / 2) first += 1;
    while (last + 1 < count && (last < index + 1 || at(timesMs, last + 1) <= timeMs + windowMs / 2))
      last += 1;
    fitLine(lines, index, { timesMs, values, first, last });
  }
  return lines;
}

function fitLine(
  lines: LocalLines,
  index: number,
  {
    timesMs,
    values,
    first,
    last,
  }: { timesMs: Float64Array; values: Float64Array; first: number; last: number },
): void {
  const timeMs = at(timesMs, index);
  let [count, t, tt, v, tv] = [0, 0, 0, 0, 0];
  for (let near = first; near <= last; near += 1) {
    const [seconds, value] = [(at(timesMs, near) - timeMs) / 1000, at(values, near)];
    count += 1;
    t += seconds;
    tt += seconds * seconds;
    v += value;
    tv += seconds * value;
  }
  const determinant = count * tt - t * t;
  const slope = determinant > 1e-12 ? (count * tv - t * v) / determinant : 0;
  lines.slopesPerSecond[index] = slope;
  lines.values[index] = (v - slope * t) / Math.max(1, count);
}
