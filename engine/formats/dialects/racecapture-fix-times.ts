import { at } from '../../fix-columns.ts';
import { distanceMeters } from '../../geo.ts';
import { median } from '../../statistics.ts';

/** Holds a new position, the processor's clock at its row, and what the receiver's showed; NaN for nothing. */
export type LoggedFix = {
  intervalMs: number;
  lat: number;
  lon: number;
  /** Speed in an unknown unit. */
  speed: number;
  receiverMs: number;
};

/**
 * Returns the times of the fixes of a log whose receiver gives the time only once in a while, in milliseconds of the
 * receiver's clock: from each reading on, one interval of the receiver for each fix. A logger that runs slow misses a
 * fix now and then. How many are missing between two readings follows from these, and where, from how far the car went.
 * Null where the receiver keeps no even interval. `pace` is how many milliseconds of the receiver one of the processor
 * takes.
 */
export function timeLoggedFixes(fixes: readonly LoggedFix[], pace: number): Float64Array | null {
  const anchors = [...fixes.keys()].filter((index) => !Number.isNaN(fixes[index]?.receiverMs ?? Number.NaN));
  const [first, last] = [anchors[0], anchors.at(-1)];
  const intervalMs = receiverIntervalMs(fixes, anchors);
  if (first === undefined || last === undefined || intervalMs === null) return null;
  const times = new Float64Array(fixes.length);
  let unfit = 0;
  for (const [index, start] of anchors.slice(0, -1).entries()) {
    const end = anchors[index + 1] ?? start;
    if (!timeBetween(fixes, times, { start, end, intervalMs, pace })) unfit++;
  }
  if (unfit > UNFIT_SHARE_MAX * anchors.length) return null;
  times[last] = fixes[last]?.receiverMs ?? Number.NaN;
  const intervalsUpTo = (index: number): number =>
    intervalMs * loggedIntervals(fixes, index, intervalMs, pace);
  for (let index = first; index > 0; index--) times[index - 1] = at(times, index) - intervalsUpTo(index);
  for (let index = last + 1; index < fixes.length; index++)
    times[index] = at(times, index - 1) + intervalsUpTo(index);
  return times;
}

const UNFIT_SHARE_MAX = 0.2;
const FEWEST_ANCHORS = 5;

/** Returns the usual time from fix to fix, of a whole number of fixes a second; null where readings are too few, or fixes not that even. */
function receiverIntervalMs(fixes: readonly LoggedFix[], anchors: readonly number[]): number | null {
  if (anchors.length < FEWEST_ANCHORS) return null;
  const intervals = anchors.slice(1).map((end, index) => {
    const start = anchors[index] ?? end;
    return ((fixes[end]?.receiverMs ?? 0) - (fixes[start]?.receiverMs ?? 0)) / (end - start);
  });
  return evenIntervalMs(median(intervals) ?? Number.NaN);
}

/** Returns the interval of the whole number of fixes a second that is near to this one; null where none is. */
export function evenIntervalMs(usualMs: number): number | null {
  const rateHz = Math.round(1000 / usualMs);
  return rateHz >= 1 && Math.abs((rateHz * usualMs) / 1000 - 1) < RATE_TOLERANCE ? 1000 / rateHz : null;
}

const RATE_TOLERANCE = 0.02;

type Span = { start: number; end: number; intervalMs: number; pace: number };

/** Times the fixes from one reading up to the next; false where their number cannot be brought together with the two. */
function timeBetween(fixes: readonly LoggedFix[], times: Float64Array, span: Span): boolean {
  const { start, end, intervalMs, pace } = span;
  const [from, to] = [fixes[start], fixes[end]];
  if (from === undefined || to === undefined) return false;
  const spanMs = to.receiverMs - from.receiverMs;
  const steps = Array.from({ length: end - start }, (_, step) =>
    loggedIntervals(fixes, start + step + 1, intervalMs, pace),
  );
  const missing = Math.round(spanMs / intervalMs) - steps.reduce((sum, count) => sum + count, 0);
  const isFit =
    Math.abs(spanMs / intervalMs - Math.round(spanMs / intervalMs)) < OFF_INTERVAL_MAX &&
    addMissing(fixes, steps, start, missing);
  const processorMs = to.intervalMs - from.intervalMs;
  times[start] = from.receiverMs;
  for (let index = start + 1; index < end; index++) {
    const sinceMs = (fixes[index]?.intervalMs ?? Number.NaN) - from.intervalMs;
    times[index] = isFit
      ? at(times, index - 1) + intervalMs * (steps[index - start - 1] ?? 1)
      : from.receiverMs + (spanMs * sinceMs) / processorMs;
  }
  return isFit;
}

// The share of one interval covers the milliseconds that times of day lose to single precision.
const OFF_INTERVAL_MAX = 0.2;

/** Returns how many intervals of the receiver the processor counted up to this fix since the one before. */
function loggedIntervals(
  fixes: readonly LoggedFix[],
  index: number,
  intervalMs: number,
  pace: number,
): number {
  const stepMs = (fixes[index]?.intervalMs ?? 0) - (fixes[index - 1]?.intervalMs ?? 0);
  return Math.max(1, Math.round((pace * stepMs) / intervalMs));
}

/** Makes those steps longer by an interval in which the car went farthest for its speed; false where that cannot be the reason. */
function addMissing(fixes: readonly LoggedFix[], steps: number[], start: number, missing: number): boolean {
  if (missing <= 0 || missing > steps.length) return missing === 0;
  const strains = steps.map((count, step) => {
    const [from, to] = [fixes[start + step], fixes[start + step + 1]];
    if (from === undefined || to === undefined) return 0;
    const speed = (from.speed + to.speed) / 2;
    return distanceMeters(from, to) / count / (speed > 0 ? speed : 1);
  });
  const farthest = [...strains.keys()].toSorted((a, b) => (strains[b] ?? 0) - (strains[a] ?? 0));
  for (const step of farthest.slice(0, missing)) steps[step] = (steps[step] ?? 1) + 1;
  return true;
}
