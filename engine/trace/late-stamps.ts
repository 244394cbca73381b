import { at, type FixColumns } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';

/** At lower rates, speeds change too much from fix to fix for distances to tell time. */
const INTERVAL_MAX_MS = 260;
/** A hole is a whole number of intervals, within this share of one. */
const EVEN_SHARE = 0.1;
/** A way of one interval is this near to its share of the way from before the hole to behind it. */
const WAY_SHARE = 0.35;
/** Slower than this, noise of positions is as long as the way. */
const SPEED_MIN_METERS_PER_SECOND = 5;

/**
 * Returns times in which no fix has the stamp of a later one that is lost. Some loggers (MyChronoGPS) write the position that came before a hole with
 * the last stamp of the hole: the car goes a usual step in several intervals, and makes up for it in the next one. The same array where there is none.
 */
export function correctLateStamps(
  { timesMs, lats, lons, length }: FixColumns,
  partStarts: readonly number[],
  intervalMs: number | null,
): Float64Array {
  if (intervalMs === null || intervalMs > INTERVAL_MAX_MS) return timesMs;
  const starts = new Set(partStarts);
  let corrected = timesMs;
  for (let index = 1; index + 1 < length; index += 1) {
    const stepMs = at(timesMs, index) - at(timesMs, index - 1);
    const intervals = Math.round(stepMs / intervalMs);
    const nextMs = at(timesMs, index + 1) - at(timesMs, index);
    if (intervals < 2 || !isWhole(stepMs / intervalMs) || !isNear(nextMs / intervalMs, 1)) continue;
    if (starts.has(index) || starts.has(index + 1)) continue;
    const meters = roughDistanceMeters(lats, lons, index - 1, index);
    const allMeters = meters + roughDistanceMeters(lats, lons, index, index + 1);
    if (1000 * allMeters < SPEED_MIN_METERS_PER_SECOND * (stepMs + nextMs)) continue;
    if (Math.abs((meters / allMeters) * (intervals + 1) - 1) > WAY_SHARE) continue;
    if (corrected === timesMs) corrected = timesMs.slice();
    corrected[index] = at(timesMs, index - 1) + stepMs / intervals;
  }
  return corrected;
}

function isWhole(intervals: number): boolean {
  return isNear(intervals, Math.round(intervals));
}

function isNear(intervals: number, whole: number): boolean {
  return Math.abs(intervals - whole) < EVEN_SHARE;
}
