import { at } from './fix-columns.ts';
import type { FixColumns } from './fix-columns.ts';
import { planeAround } from './geo.ts';
import type { SpeedModel } from './speeds.ts';
import { median } from './time-stamps.ts';
import type { Trace } from './trace.ts';

/** How far positions drift against the truth over a minute or so: a standard deviation, from so many looks at it. */
export type DriftEstimate = { meters: number; looks: number };

/** Over this time, drift is measured. */
export const DRIFT_WINDOW_SECONDS = 75;

/**
 * Slow errors of positions, from the difference between the way by positions and the way by speeds: a receiver measures
 * its speed by another effect, so that the speeds know nothing of the drift. Null where the speeds are too poor for it
 * or the trace too short.
 */
export function estimateDrift(trace: Trace, speeds: SpeedModel | null): DriftEstimate | null {
  const { intervalMs } = trace;
  if (speeds === null || speeds.residualMeters > GOOD_RESIDUAL_METERS) return null;
  if (intervalMs === null || intervalMs > INTERVAL_MAX_MS || trace.intervalBehindRowsMs !== null) return null;
  const windows = windowsOf(trace, speeds, Math.max(1, Math.round(STEP_MS / intervalMs)));
  if (windows.length < WINDOWS_MIN) return null;
  const scale =
    sum(windows.map(({ meters }) => meters)) / sum(windows.map(({ summedMeters }) => summedMeters));
  const differences = windows.map(({ meters, summedMeters }) => Math.abs(meters - scale * summedMeters));
  // A jump of the receiver counts as a large difference, and no more than that.
  const largest = (LARGEST_DEVIATIONS * (median(differences) ?? 0)) / DEVIATIONS_OF_HALF;
  const squares = differences.map((difference) => Math.min(difference, largest) ** 2);
  const looks = windows.length / OVERLAP;
  const variance = sum(squares) / OVERLAP / (looks - 1);
  const ofSpeeds = speedNoise(trace.fixes) ** 2 * (intervalMs / 1000) * DRIFT_WINDOW_SECONDS;
  const meters = Math.sqrt(Math.max(0, variance - ofSpeeds - OTHER_DIFFERENCES_METERS ** 2));
  return { meters, looks };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const GOOD_RESIDUAL_METERS = 0.3;
const INTERVAL_MAX_MS = 260;
/** Steps short enough for an arc and long enough for their noise not to lengthen the way. */
const STEP_MS = 200;
/** Windows overlap, since one that begins elsewhere sees something else; together they are not worth as many looks. */
const OVERLAP = 3;
const WINDOWS_MIN = 4 * OVERLAP;
const LARGEST_DEVIATIONS = 3;
/** Arcs that are none, and noise that lengthens the way: what simulated drives without any drift show. */
const OTHER_DIFFERENCES_METERS = 0.25;
const DEVIATIONS_OF_HALF = 0.6745;
const SPEED_MIN_METERS_PER_SECOND = 2;

type Window = { meters: number; summedMeters: number };

function windowsOf(trace: Trace, speeds: SpeedModel, stride: number): Window[] {
  const { fixes, partStarts } = trace;
  const windows: Window[] = [];
  const stepFixes = Math.ceil((DRIFT_WINDOW_SECONDS * 1000) / OVERLAP / (trace.intervalMs ?? 1000));
  partStarts.forEach((first, part) => {
    const end = partStarts[part + 1] ?? fixes.length;
    let from = first + stride;
    while (from < end) {
      const window = windowFrom(fixes, { from, end, stride }, speeds);
      if (window !== null) windows.push(window);
      from += stepFixes;
    }
  });
  return windows;
}

/** Both ways from a fix on, over the time of a window; null where the car stands or the part ends before. */
function windowFrom(
  fixes: FixColumns,
  { from, end, stride }: { from: number; end: number; stride: number },
  speeds: SpeedModel,
): Window | null {
  const { timesMs, speedsMetersPerSecond } = fixes;
  const untilMs = at(timesMs, from) + DRIFT_WINDOW_SECONDS * 1000;
  const { metersPerDegreeLat, metersPerDegreeLon } = planeAround({
    lat: at(fixes.lats, from),
    lon: at(fixes.lons, from),
  });
  const chord = (start: number): [number, number] => [
    metersPerDegreeLon * (at(fixes.lons, start + stride) - at(fixes.lons, start)),
    metersPerDegreeLat * (at(fixes.lats, start + stride) - at(fixes.lats, start)),
  ];
  let [meters, summedMeters, step] = [0, 0, from];
  let [before, here] = [chord(from - stride), chord(from)];
  for (; at(timesMs, step) < untilMs; step += stride) {
    if (step + 2 * stride >= end) return null;
    const after = chord(step + stride);
    meters += arcLength(here, before, after);
    for (let fix = step; fix < step + stride; fix += 1) {
      const [speed, next] = [at(speedsMetersPerSecond, fix), at(speedsMetersPerSecond, fix + 1)];
      if (!(speed > SPEED_MIN_METERS_PER_SECOND)) return null;
      summedMeters += ((at(timesMs, fix + 1) - at(timesMs, fix)) / 2000) * (speed + next);
    }
    [before, here] = [here, after];
  }
  const change = at(speedsMetersPerSecond, step) - at(speedsMetersPerSecond, from);
  return { meters, summedMeters: summedMeters + speeds.delaySeconds * change };
}

/** A chord of a circle is shorter than its arc by the angle squared over 24; half of it lies towards each neighbour. */
function arcLength(
  [x, y]: [number, number],
  [beforeX, beforeY]: [number, number],
  [afterX, afterY]: [number, number],
): number {
  const length = Math.sqrt(x * x + y * y);
  const product = Math.sqrt((beforeX ** 2 + beforeY ** 2) * (afterX ** 2 + afterY ** 2));
  const sine = product > 0 ? (beforeX * afterY - beforeY * afterX) / product : 0;
  const angle = Math.asin(Math.max(-1, Math.min(1, sine))) / 2;
  return length * (1 + angle ** 2 / 24);
}

/** What is new in every speed: third differences, as for positions. */
function speedNoise({ speedsMetersPerSecond: speeds, length }: FixColumns): number {
  const differences: number[] = [];
  const stride = Math.max(1, Math.floor(length / 2000));
  for (let fix = 0; fix + 3 < length; fix += stride) {
    const difference =
      at(speeds, fix + 3) - at(speeds, fix) + 3 * (at(speeds, fix + 1) - at(speeds, fix + 2));
    if (Number.isFinite(difference)) differences.push(Math.abs(difference));
  }
  return (median(differences) ?? 0) / DEVIATIONS_OF_HALF / Math.sqrt(20);
}
