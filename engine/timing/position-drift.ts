import { at, type FixColumns } from '../fix-columns.ts';
import { planeAround, wrapDegrees } from '../geo.ts';
import type { Return } from './repeated-laps.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import { MAD_PER_DEVIATION, median } from '../statistics.ts';
import type { Trace } from '../trace/trace.ts';

/** Describes how far positions drift against the truth over a minute or so: a standard deviation, from so many looks at it. */
export type DriftEstimate = { meters: number; sampleCount: number };

/** Receivers with corrections of their own are expected to drift by this much. */
export const USUAL_DRIFT_METERS = 0.45;
/** Drift is measured over this time in drives that pass no place again. */
const DRIFT_WINDOW_SECONDS = 75;
/** The correlation time of drift: a short lap sees less of it, and a long one not much more. */
const DRIFT_MEMORY_SECONDS = 120;

/** Returns how far slow errors of positions have changed after a while: a standard deviation in metres. */
export function driftAfter(driftMeters: number, seconds: number): number {
  const share =
    (1 - Math.exp(-seconds / DRIFT_MEMORY_SECONDS)) * (DRIFT_MEMORY_SECONDS / DRIFT_WINDOW_SECONDS);
  return driftMeters * Math.sqrt(share);
}

/**
 * Estimates slow errors of positions in metres, from the difference between the path by positions and the path by
 * speeds: a receiver measures its speed by another effect, so that the speeds know nothing of the drift. `whiteMeters`
 * is what is new in every position. Null where the speeds are too poor for it or the trace too short.
 */
export function estimateDrift(
  trace: Trace,
  speeds: SpeedModel | null,
  whiteMeters: number,
  returns: readonly Return[],
): DriftEstimate | null {
  const { intervalMs } = trace;
  if (speeds === null || !areGoodSpeeds(speeds, whiteMeters)) return null;
  if (intervalMs === null || intervalMs > INTERVAL_MAX_MS || trace.receiverIntervalMs !== null) return null;
  const stepMs = whiteMeters > QUIET_METERS ? STEP_MS : QUIET_STEP_MS;
  const stride = Math.max(1, Math.round(stepMs / intervalMs));
  const windows = collectWindows(trace, speeds, stride, returns);
  if (windows.length < WINDOWS_MIN) return null;
  const scale =
    sum(windows.map(({ meters }) => meters)) / sum(windows.map(({ summedMeters }) => summedMeters));
  const speedVariance = speedNoise(trace.fixes) ** 2 * (intervalMs / 1000);
  const otherVariance = (ARC_METERS_PER_MILLISECOND * stride * intervalMs) ** 2 + 2 * whiteMeters ** 2;
  const differences = windows.map(({ meters, summedMeters }) => Math.abs(meters - scale * summedMeters));
  // A jump of the receiver counts as a large difference, and no more than that.
  const largest = (LARGEST_DEVIATIONS * (median(differences) ?? 0)) / MAD_PER_DEVIATION;
  const squares = windows.map(({ seconds }, index) => {
    const difference = Math.min(differences[index] ?? 0, largest);
    const rest = difference ** 2 - otherVariance - speedVariance * seconds;
    return rest / driftAfter(1, seconds) ** 2;
  });
  const looks = windows.length / OVERLAP;
  return {
    meters: Math.sqrt(Math.max(0, sum(squares) / OVERLAP / (looks - 1))),
    sampleCount: looks * usualShare(windows, (seconds) => otherVariance + speedVariance * seconds) ** 2,
  };
}

/**
 * Returns how much of what the windows of a usual receiver show is drift, 0 to 1; the rest is noise. A variance that is left over
 * from others is known worse than from as many looks at itself, by the square of this.
 */
function usualShare(windows: readonly Window[], noiseVariance: (seconds: number) => number): number {
  const noise = windows.map(({ seconds }) => noiseVariance(seconds) / driftAfter(1, seconds) ** 2);
  return USUAL_DRIFT_METERS ** 2 / (USUAL_DRIFT_METERS ** 2 + sum(noise) / windows.length);
}

/** Returns whether speeds and positions differ by less than the noise of the positions and what good receivers show besides. */
function areGoodSpeeds({ residualMeters }: SpeedModel, whiteMeters: number): boolean {
  return residualMeters ** 2 - 2 * (MAD_PER_DEVIATION * whiteMeters) ** 2 <= GOOD_RESIDUAL_METERS ** 2;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const GOOD_RESIDUAL_METERS = 0.3;
const INTERVAL_MAX_MS = 260;
/** Steps short enough for an arc and long enough for their noise not to lengthen the path; shorter ones where there is little. */
const STEP_MS = 200;
const QUIET_STEP_MS = 100;
const QUIET_METERS = 0.05;
/** Windows overlap, since one that begins elsewhere sees something else; together they are not worth as many looks. */
const OVERLAP = 3;
const WINDOWS_MIN = 4 * OVERLAP;
const LARGEST_DEVIATIONS = 3;
/** Simulated drives without any drift show this much, and more with longer steps. */
const ARC_METERS_PER_MILLISECOND = 0.00125;
const SPEED_MIN_METERS_PER_SECOND = 2;

type Window = { seconds: number; meters: number; summedMeters: number };

/** A part of a trace in even steps, one entry per step: both ways up to there, and how often the car was slow. */
type Steps = {
  length: number;
  timesMs: Float64Array;
  speeds: Float64Array;
  meters: Float64Array;
  summedMeters: Float64Array;
  slow: Float64Array;
};

function collectWindows(
  trace: Trace,
  speeds: SpeedModel,
  stride: number,
  returns: readonly Return[],
): Window[] {
  const { fixes, partStarts } = trace;
  const parts = partStarts.map((first, part) => {
    const end = partStarts[part + 1] ?? fixes.length;
    return sampleSteps(fixes, { first, end, stride });
  });
  const rounds = parts.flatMap((steps) => windowsOver(steps, speeds, nextReturns(steps, returns)));
  return rounds.length >= WINDOWS_MIN
    ? rounds
    : parts.flatMap((steps) => windowsOver(steps, speeds, (fromMs) => fromMs + WINDOW_MS));
}

/** Returns for moments one after the other when the car came back to where it was then; NaN where it did not. */
function nextReturns({ timesMs, length }: Steps, returns: readonly Return[]): (fromMs: number) => number {
  let next = returns.findIndex(({ fromMs }) => length > 0 && fromMs >= at(timesMs, 0));
  return (fromMs) => {
    while (next >= 0 && next < returns.length && (returns[next]?.fromMs ?? 0) < fromMs) next += 1;
    const found = next < 0 ? undefined : returns[next];
    return found !== undefined && found.fromMs < fromMs + RETURN_NEAR_MS
      ? found.toMs + fromMs - found.fromMs
      : Number.NaN;
  };
}

/**
 * Lists windows of the steps, from moments that follow on each other by a third of a window. `endAfter` gives where the
 * one from a moment ends. A window from a place to where the car is there again is best: what speeds get wrong in every
 * lap at the same place does not matter then.
 */
function windowsOver(
  steps: Steps,
  { delaySeconds }: SpeedModel,
  endAfter: (fromMs: number) => number,
): Window[] {
  const { timesMs, speeds, meters, summedMeters, slow, length } = steps;
  const windows: Window[] = [];
  let [to, nextMs] = [0, Number.NEGATIVE_INFINITY];
  for (let from = 0; from < length; from += 1) {
    const fromMs = at(timesMs, from);
    if (fromMs < nextMs) continue;
    const toMs = endAfter(fromMs);
    if (Number.isNaN(toMs)) continue;
    while (to > from && at(timesMs, to - 1) >= toMs) to -= 1;
    while (to < length && at(timesMs, to) < toMs) to += 1;
    if (to === length) continue;
    nextMs = fromMs + (toMs - fromMs) / OVERLAP;
    if (at(slow, to) > at(slow, from)) continue;
    windows.push({
      seconds: (at(timesMs, to) - fromMs) / 1000,
      meters: at(meters, to) - at(meters, from),
      summedMeters:
        at(summedMeters, to) - at(summedMeters, from) + delaySeconds * (at(speeds, to) - at(speeds, from)),
    });
  }
  return windows;
}

/** A return to the place of a step is this near in time. */
const RETURN_NEAR_MS = 600;
const WINDOW_MS = 1000 * DRIFT_WINDOW_SECONDS;

function sampleSteps(
  fixes: FixColumns,
  { first, end, stride }: { first: number; end: number; stride: number },
): Steps {
  const length = Math.max(0, Math.floor((end - 1 - first) / stride) - 1);
  const column = (): Float64Array => new Float64Array(length);
  const steps: Steps = {
    length,
    timesMs: column(),
    speeds: column(),
    meters: column(),
    summedMeters: column(),
    slow: column(),
  };
  const chord = chordReader(fixes, first, stride);
  let [before, here] = [chord(first), chord(first + stride)];
  let [meters, summedMeters, slow] = [0, 0, 0];
  for (let step = 0; step < length; step += 1) {
    const fix = first + (step + 1) * stride;
    steps.timesMs[step] = at(fixes.timesMs, fix);
    steps.speeds[step] = at(fixes.speedsMetersPerSecond, fix);
    steps.meters[step] = meters;
    steps.summedMeters[step] = summedMeters;
    steps.slow[step] = slow;
    const after = step + 1 < length ? chord(fix + stride) : here;
    meters += arcLength(here, before, after);
    const pathMeters = speedDistance(fixes, fix, fix + stride);
    // A speed that is missing may lie between two steps, and would make everything after it unknown.
    if (pathMeters > 0) summedMeters += pathMeters;
    if (!(pathMeters > 0 && at(fixes.speedsMetersPerSecond, fix) > SPEED_MIN_METERS_PER_SECOND)) slow += 1;
    [before, here] = [here, after];
  }
  return steps;
}

type Vector = { x: number; y: number };

/** Returns the step from a fix to the one a stride later, in metres. */
function chordReader({ lats, lons }: FixColumns, first: number, stride: number): (fix: number) => Vector {
  const origin = { lat: at(lats, first), lon: at(lons, first) };
  const { metersPerDegreeLat, metersPerDegreeLon } = planeAround(origin);
  // Over some kilometres, meridians draw near to each other by more than drift.
  const narrowing = (Math.tan((origin.lat * Math.PI) / 180) * Math.PI) / 180;
  return (fix) => ({
    x:
      metersPerDegreeLon *
      (1 - narrowing * (at(lats, fix) - origin.lat)) *
      wrapDegrees(at(lons, fix + stride) - at(lons, fix)),
    y: metersPerDegreeLat * (at(lats, fix + stride) - at(lats, fix)),
  });
}

function speedDistance(
  { timesMs, speedsMetersPerSecond: speeds }: FixColumns,
  from: number,
  to: number,
): number {
  let meters = 0;
  for (let fix = from; fix < to; fix += 1)
    meters += ((at(timesMs, fix + 1) - at(timesMs, fix)) / 2000) * (at(speeds, fix) + at(speeds, fix + 1));
  return meters;
}

/**
 * A chord of a circle is shorter than its arc by the angle squared over 24; half of it lies towards each neighbour. Noise
 * makes a chord longer, but hardly its projection on the path through both neighbours, which has the same direction.
 */
function arcLength({ x, y }: Vector, before: Vector, after: Vector): number {
  const squares = (before.x ** 2 + before.y ** 2) * (after.x ** 2 + after.y ** 2);
  const cross = before.x * after.y - before.y * after.x;
  const squaredSine = squares > 0 ? cross ** 2 / squares : 0;
  const [aheadX, aheadY] = [before.x + x + after.x, before.y + y + after.y];
  const ahead = Math.sqrt(aheadX * aheadX + aheadY * aheadY);
  return ahead > 0 ? ((x * aheadX + y * aheadY) / ahead) * (1 + squaredSine / 96) : 0;
}

/** Returns what is new in every speed: third differences, as for positions. */
function speedNoise({ speedsMetersPerSecond: speeds, length }: FixColumns): number {
  const differences: number[] = [];
  const stride = Math.max(1, Math.floor(length / 2000));
  for (let fix = 0; fix + 3 < length; fix += stride) {
    const difference =
      at(speeds, fix + 3) - at(speeds, fix) + 3 * (at(speeds, fix + 1) - at(speeds, fix + 2));
    if (Number.isFinite(difference)) differences.push(Math.abs(difference));
  }
  return (median(differences) ?? 0) / MAD_PER_DEVIATION / Math.sqrt(20);
}
