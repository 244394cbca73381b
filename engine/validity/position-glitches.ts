import { at } from '../fix-columns.ts';
import { METERS_PER_DEGREE, roughDistanceMeters, wrapDegrees } from '../geo.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import { median } from '../statistics.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * Finds when the trace takes a step that neither the step before nor the one after explains, in milliseconds of its
 * clock: positions were moved, left out or put in there, or the receiver corrected itself. A car changes its speed a
 * little from fix to fix; here it would have to change it at once, and back. Needs fixes so close to each other that a
 * car cannot do much in between; finds nothing in slower traces.
 */
export function findPositionGlitches(trace: Trace): number[] {
  const { fixes, intervalMs, partStarts } = trace;
  if (intervalMs === null || intervalMs > INTERVAL_MAX_MS || trace.receiverIntervalMs !== null) return [];
  const kinkAt = kinkReader(trace);
  const stride = Math.max(1, Math.floor(fixes.length / SAMPLE_SIZE));
  const sample: number[] = [];
  for (let index = 1; index < fixes.length; index += stride) sample.push(kinkAt(index));
  const limit = Math.max(KINK_MIN_METERS, KINK_MIN_USUAL * (median(sample) ?? 0));
  const starts = new Set(partStarts);
  const times: number[] = [];
  for (let index = 1; index < fixes.length; index += 1) {
    if (kinkAt(index) < limit) continue;
    if (starts.has(index) || starts.has(index + 1) || starts.has(index + 2)) continue;
    times.push(at(fixes.timesMs, index));
  }
  return times;
}

/**
 * Finds the same for fixes farther apart, between which a car can do much: steps that are far longer or shorter than
 * the speeds at their ends. Finds nothing where the speeds do not fit the positions at large.
 */
export function findSpeedMismatches(trace: Trace, speeds: SpeedModel | null): number[] {
  const { fixes, intervalMs, partStarts } = trace;
  if (speeds === null || intervalMs === null || intervalMs <= INTERVAL_MAX_MS) return [];
  if (trace.receiverIntervalMs !== null) return [];
  const starts = new Set(partStarts);
  const times: number[] = [];
  for (let index = 0; index + 1 < fixes.length; index += 1) {
    const stepMs = at(fixes.timesMs, index + 1) - at(fixes.timesMs, index);
    if (starts.has(index + 1) || stepMs > 1.5 * intervalMs) continue;
    const sum = at(fixes.speedsMetersPerSecond, index) + at(fixes.speedsMetersPerSecond, index + 1);
    const expected = (speeds.scale * sum * stepMs) / 2000;
    const meters = roughDistanceMeters(fixes.lats, fixes.lons, index, index + 1);
    if (Math.abs(meters - expected) > MISMATCH_MIN_METERS + MISMATCH_SHARE * expected)
      times.push(at(fixes.timesMs, index));
  }
  return times;
}

/** Receivers that measure once a second correct themselves by tens of metres at times, and tell their speed late. */
const MISMATCH_MIN_METERS = 25;
const MISMATCH_SHARE = 0.25;

/** At 4 Hz, hard braking that begins within one step explains a metre. */
const INTERVAL_MAX_MS = 260;
/** The limit is above what any driver does in a quarter of a second, and above the errors of receivers. */
const KINK_MIN_METERS = 1.5;
const KINK_MIN_USUAL = 20;
const SAMPLE_SIZE = 3000;

/** Returns how far the step from a fix to the next is from the mean of its neighbours, in metres; 0 at uneven times. */
function kinkReader({ fixes, intervalMs }: Trace): (index: number) => number {
  const { timesMs, lats, lons, length } = fixes;
  const lonMeters = METERS_PER_DEGREE * Math.cos((at(lats, 0) * Math.PI) / 180);
  const [shortest, longest] = [(intervalMs ?? 0) / 2, 2.5 * (intervalMs ?? 0)];
  // Stamps of phones bunch up now and then, and a short step divides by next to nothing.
  const isUneven = (stepMs: number): boolean => stepMs > longest || stepMs < shortest;
  return (index) => {
    if (index < 1 || index + 2 >= length) return 0;
    const stepMs = at(timesMs, index + 1) - at(timesMs, index);
    const beforeMs = at(timesMs, index) - at(timesMs, index - 1);
    const afterMs = at(timesMs, index + 2) - at(timesMs, index + 1);
    if (isUneven(stepMs) || isUneven(beforeMs) || isUneven(afterMs)) return 0;
    const before = stepMs / beforeMs / 2;
    const after = stepMs / afterMs / 2;
    const y = METERS_PER_DEGREE * deviation(lats, index, before, after);
    const x = lonMeters * deviation(lons, index, before, after);
    return Math.sqrt(x * x + y * y);
  };
}

function deviation(column: Float64Array, index: number, before: number, after: number): number {
  const start = at(column, index);
  const end = at(column, index + 1);
  const stepBefore = wrapDegrees(start - at(column, index - 1));
  const stepAfter = wrapDegrees(at(column, index + 2) - end);
  return wrapDegrees(end - start) - before * stepBefore - after * stepAfter;
}
