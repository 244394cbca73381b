import { at, type FixColumns } from '../fix-columns.ts';
import { planeAround, planeX, planeY, type Plane } from '../geo.ts';
import { firstFixAfter, MARGIN_MS, type TracedLap } from './lap-trace.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import { gapMsAt } from '../trace/trace.ts';

/**
 * The positions of a lap on a plane, in time order, with a few before its start and after its end. All columns are equally long.
 * Positions closer together than the car moves by noise are left out.
 */
export type LapPath = {
  length: number;
  timesMs: Float64Array;
  xs: Float64Array;
  ys: Float64Array;
  /** Speed of the receiver, corrected by its speed model; derived from the positions before and after where the receiver gave none. */
  speedsMetersPerSecond: Float64Array;
  /** Along the positions, from the first one to the start of the lap. */
  metersBeforeStart: number;
};

/** Two positions show no direction if the car moves less than this between them. */
const STEP_MIN_METERS = 0.5;
/** Fewer positions make no path. */
const LENGTH_MIN = 4;
/** No track is as long. Broken positions may lead around the Earth, and a point for every metre of that would fill the memory. */
const LENGTH_MAX_METERS = 200_000;

/** Returns the plane on which the positions of a lap and of any other lap of the same track are compared. */
export function planeOfLap({ trace, lap }: TracedLap): Plane {
  const first = firstFixAfter(trace.fixes, lap.startTimeMs);
  return planeAround({ lat: at(trace.fixes.lats, first), lon: at(trace.fixes.lons, first) });
}

/** Returns the positions of a lap; null where it has too few to be compared, or lasts for longer than any track. */
export function lapPath({ trace, lap, speeds }: TracedLap, plane: Plane): LapPath | null {
  const { fixes } = trace;
  const { first, end } = fixesOfLap(fixes, lap, gapMsAt(trace.intervalMs));
  const column = () => new Float64Array(end - first);
  const [timesMs, xs, ys, speedsMetersPerSecond] = [column(), column(), column(), column()];
  let [length, meters, metersBeforeStart] = [0, 0, 0];
  for (let fix = first; fix < end; fix += 1) {
    const [x, y] = [planeX(plane, at(fixes.lons, fix)), planeY(plane, at(fixes.lats, fix))];
    if (length > 0) {
      const step = distance(x - at(xs, length - 1), y - at(ys, length - 1));
      if (step < STEP_MIN_METERS) continue;
      meters += step;
      if (at(fixes.timesMs, fix) <= lap.startTimeMs) metersBeforeStart += step;
    }
    timesMs[length] = at(fixes.timesMs, fix);
    xs[length] = x;
    ys[length] = y;
    length += 1;
  }
  if (length < LENGTH_MIN || meters > LENGTH_MAX_METERS) return null;
  const path = {
    length,
    timesMs: timesMs.subarray(0, length),
    xs: xs.subarray(0, length),
    ys: ys.subarray(0, length),
    speedsMetersPerSecond: speedsMetersPerSecond.subarray(0, length),
    metersBeforeStart,
  };
  if (speeds !== null) takeSpeeds(path, fixes, speeds, first);
  fillInSpeeds(path, speeds === null);
  return path;
}

/** Returns the fixes of a lap and of its margins: the first, and the one after the last. */
function fixesOfLap(
  fixes: FixColumns,
  { startTimeMs, lapTimeMs }: TracedLap['lap'],
  gapMs: number,
): { first: number; end: number } {
  const endTimeMs = startTimeMs + lapTimeMs;
  let first = firstFixAfter(fixes, startTimeMs - MARGIN_MS);
  const isHole = (before: number): boolean =>
    at(fixes.timesMs, before + 1) - at(fixes.timesMs, before) <= gapMs;
  // In a hole at the line, the fix before it and the one after it show where the lap began and ended. Beyond a break they are of another drive.
  if (first > 0 && at(fixes.timesMs, first) > startTimeMs && isHole(first - 1)) first -= 1;
  let end = first;
  while (end < fixes.length && at(fixes.timesMs, end) <= endTimeMs + MARGIN_MS) end += 1;
  if (end > 0 && end < fixes.length && at(fixes.timesMs, end - 1) < endTimeMs && isHole(end - 1)) end += 1;
  return { first, end };
}

function distance(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** Returns the receiver's speeds at the times of the positions: one that comes late is read so much later. */
function takeSpeeds(
  path: LapPath,
  fixes: FixColumns,
  { scale, delaySeconds }: SpeedModel,
  first: number,
): void {
  const { timesMs, speedsMetersPerSecond: given } = fixes;
  let fix = first;
  for (let index = 0; index < path.length; index += 1) {
    const timeMs = at(path.timesMs, index) + 1000 * delaySeconds;
    while (fix + 2 < fixes.length && at(timesMs, fix + 1) <= timeMs) fix += 1;
    while (fix > 0 && at(timesMs, fix) > timeMs) fix -= 1;
    const share = (timeMs - at(timesMs, fix)) / (at(timesMs, fix + 1) - at(timesMs, fix));
    const between = Math.max(0, Math.min(1, share));
    path.speedsMetersPerSecond[index] =
      scale *
      (between === 0 ? at(given, fix) : at(given, fix) * (1 - between) + at(given, fix + 1) * between);
  }
}

/** Positions closer in time than this have more noise than speed between them. */
const SPEED_WINDOW_MS = 500;

/** Returns speeds from the positions before and after. */
function fillInSpeeds(path: LapPath, isEveryOne: boolean): void {
  const { timesMs, xs, ys, speedsMetersPerSecond, length } = path;
  let [before, after] = [0, 0];
  for (let index = 0; index < length; index += 1) {
    const timeMs = at(timesMs, index);
    while (before + 1 < index && at(timesMs, before + 1) <= timeMs - SPEED_WINDOW_MS / 2) before += 1;
    while (after < length - 1 && (after <= index || at(timesMs, after) < timeMs + SPEED_WINDOW_MS / 2))
      after += 1;
    if (!isEveryOne && Number.isFinite(at(speedsMetersPerSecond, index))) continue;
    const meters =
      distance(at(xs, index) - at(xs, before), at(ys, index) - at(ys, before)) +
      distance(at(xs, after) - at(xs, index), at(ys, after) - at(ys, index));
    speedsMetersPerSecond[index] = (1000 * meters) / (at(timesMs, after) - at(timesMs, before));
  }
}

/** Returns the same path with fewer positions: so many metres lie between two of them at least. */
export function thinOut(path: LapPath, stepMeters: number): LapPath {
  const column = () => new Float64Array(path.length);
  const [timesMs, xs, ys, speedsMetersPerSecond] = [column(), column(), column(), column()];
  let [length, meters] = [0, stepMeters];
  for (let index = 0; index < path.length; index += 1) {
    if (index > 0)
      meters += distance(
        at(path.xs, index) - at(path.xs, index - 1),
        at(path.ys, index) - at(path.ys, index - 1),
      );
    if (meters < stepMeters) continue;
    timesMs[length] = at(path.timesMs, index);
    xs[length] = at(path.xs, index);
    ys[length] = at(path.ys, index);
    speedsMetersPerSecond[length] = at(path.speedsMetersPerSecond, index);
    length += 1;
    meters = 0;
  }
  return {
    length,
    timesMs: timesMs.subarray(0, length),
    xs: xs.subarray(0, length),
    ys: ys.subarray(0, length),
    speedsMetersPerSecond: speedsMetersPerSecond.subarray(0, length),
    metersBeforeStart: path.metersBeforeStart,
  };
}
