import { at, type FixColumns } from '../fix-columns.ts';
import { roughDistanceMeters, wrapDegrees } from '../geo.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * Returns how long the trace between two fixes lies on a straight line, driven at a constant speed, more exactly than a
 * driver drives or a receiver measures: that part was interpolated. The longest such stretch in milliseconds; 0 without
 * one. Says nothing about coordinates with six decimals and fewer, whose rounding hides what a driver does.
 */
export function longestInterpolatedMs(trace: Trace, decimals: number, first: number, last: number): number {
  if (decimals < DECIMALS_MIN || trace.intervalMs === null) return 0;
  const windowMs = Math.max(WINDOW_MIN_MS, 2.2 * (trace.receiverIntervalMs ?? 0));
  const tolerance = ROUNDING_SHARE * 10 ** -Math.min(decimals, DECIMALS_OF_MILLIMETER);
  const reach = Math.ceil(windowMs / trace.intervalMs);
  if (reach < FIXES_MIN) return 0;
  let longest = 0;
  for (let from = first; from + reach <= last; from += Math.ceil(reach / 2)) {
    if (!isOnLine(trace.fixes, from, from + reach, tolerance)) continue;
    let to = from + reach;
    while (to < last && isOnLine(trace.fixes, from, to + 1, tolerance)) to += 1;
    if (roughDistanceMeters(trace.fixes.lats, trace.fixes.lons, from, to) < MOVED_MIN_METERS) continue;
    longest = Math.max(longest, at(trace.fixes.timesMs, to) - at(trace.fixes.timesMs, from));
    from = to;
  }
  return longest;
}

/** Shorter stretches prove nothing. */
const WINDOW_MIN_MS = 2000;
const FIXES_MIN = 8;
const DECIMALS_MIN = 7;
const DECIMALS_OF_MILLIMETER = 8;
/** Each rounding takes half of the last digit. */
const ROUNDING_SHARE = 1.01;
/** A car that crawls or is stationary is as even. */
const MOVED_MIN_METERS = 15;

function isOnLine(fixes: FixColumns, from: number, to: number, tolerance: number): boolean {
  // The middle is where nearly every real stretch fails, so it is asked first.
  if (!isBetween(fixes, { from, to, index: (from + to) >> 1 }, tolerance)) return false;
  for (let index = from + 1; index < to; index += 1) {
    if (!isBetween(fixes, { from, to, index }, tolerance)) return false;
  }
  return true;
}

function isBetween(
  { timesMs, lats, lons }: FixColumns,
  { from, to, index }: { from: number; to: number; index: number },
  tolerance: number,
): boolean {
  const share = (at(timesMs, index) - at(timesMs, from)) / (at(timesMs, to) - at(timesMs, from));
  return (
    Math.abs(degreesBetween(lats, from, index) - share * degreesBetween(lats, from, to)) <= tolerance &&
    Math.abs(degreesBetween(lons, from, index) - share * degreesBetween(lons, from, to)) <= tolerance
  );
}

function degreesBetween(column: Float64Array, from: number, to: number): number {
  return wrapDegrees(at(column, to) - at(column, from));
}
