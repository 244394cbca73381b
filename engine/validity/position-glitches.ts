import { lowerBound } from '../binary-search.ts';
import { at, type FixColumns } from '../fix-columns.ts';
import { METERS_PER_DEGREE, roughDistanceMeters, wrapDegrees } from '../geo.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import { median, quantile } from '../statistics.ts';
import type { Trace } from '../trace/trace.ts';

/** Holds moments of a trace that its neighbours do not explain, in milliseconds of its clock. */
export type PositionGlitches = {
  /** From here on the trace goes on elsewhere, or at another time: it was moved, shortened or spliced, or the receiver corrected itself. */
  jumpTimesMs: number[];
  /** Some fixes are wrong or late, and without them the trace goes on as before. They matter only where a lap begins or ends. */
  strayTimesMs: number[];
};

/**
 * Finds steps that neither the step before nor the one after explains. A car changes its speed a little from fix to
 * fix; here it would have to change it at once, and back. Needs fixes so close to each other that a car cannot do much
 * in between; finds nothing in slower traces.
 */
export function findPositionGlitches(trace: Trace): PositionGlitches {
  const { fixes, intervalMs, partStarts } = trace;
  if (intervalMs === null || intervalMs > INTERVAL_MAX_MS || trace.receiverIntervalMs !== null)
    return { jumpTimesMs: trace.jumpTimesMs, strayTimesMs: [] };
  const reader = openKinkReader(trace);
  const stride = Math.max(1, Math.floor(fixes.length / SAMPLE_SIZE));
  const sample: number[] = [];
  for (let index = 1; index < fixes.length; index += stride) sample.push(reader.kinkAt(index));
  const limit = {
    meters: Math.max(KINK_MIN_METERS, KINK_MIN_USUAL * (median(sample) ?? 0)),
    starts: new Set(partStarts),
  };
  const found = sortLeftOut(trace, reader, limit);
  const kinks = findKinks(fixes.length, reader, limit);
  if (kinks.length === 0) return found;
  const limits = restlessLimits(fixes.length, reader, limit);
  for (const index of kinks) {
    const isStray = isExplainedWithout(reader, index, limit);
    if (!isStray && isWithin(reader.kinkBetween(index, index + 1), limits)) continue;
    found[isStray ? 'strayTimesMs' : 'jumpTimesMs'].push(at(fixes.timesMs, index));
  }
  return found;
}

/** Describes how large a kink may be, and the fixes at which unbroken parts begin. */
type KinkLimit = { meters: number; starts: ReadonlySet<number> };

function findKinks(length: number, { kinkAt }: KinkReader, { meters, starts }: KinkLimit): number[] {
  const kinks: number[] = [];
  for (let index = 1; index < length; index += 1) {
    if (kinkAt(index) >= meters && !hasBreak(starts, index, index + 2)) kinks.push(index);
  }
  return kinks;
}

/** Returns how far a receiver may correct itself, by what it does anyway. */
function restlessLimits(length: number, { kinkAt }: KinkReader, { meters }: KinkLimit): Kink {
  const kinks = Float64Array.from({ length }, (_, index) => kinkAt(index));
  const restless = RESTLESS_FACTOR * (quantile(kinks, RESTLESS_SHARE) ?? 0);
  return {
    along: Math.max(meters, Math.min(restless, RESTLESS_ALONG_MAX_METERS)),
    aside: Math.max(meters, Math.min(restless, RESTLESS_ASIDE_MAX_METERS)),
  };
}

/**
 * Finds glitches between fixes farther apart, between which a car can do much: steps that are far longer or shorter than
 * the speeds at their ends. Finds nothing where the speeds do not fit the positions at large.
 */
export function findSpeedMismatches(trace: Trace, speeds: SpeedModel | null): PositionGlitches {
  const found: PositionGlitches = { jumpTimesMs: [], strayTimesMs: [] };
  const { fixes, intervalMs, partStarts } = trace;
  if (speeds === null || intervalMs === null || intervalMs <= INTERVAL_MAX_MS) return found;
  if (trace.receiverIntervalMs !== null) return found;
  const starts = new Set(partStarts);
  const stepMaxMs = 1.5 * intervalMs;
  for (let index = 0; index + 1 < fixes.length; index += 1) {
    const stepMs = at(fixes.timesMs, index + 1) - at(fixes.timesMs, index);
    if (starts.has(index + 1) || stepMs > stepMaxMs) continue;
    if (isExplainedBySpeeds(fixes, speeds, index, index + 1)) continue;
    const isStray = [index - 1, index].some(
      (from) =>
        from >= 0 &&
        from + 2 < fixes.length &&
        !hasBreak(starts, from + 1, from + 2) &&
        isExplainedBySpeeds(fixes, speeds, from, from + 2),
    );
    found[isStray ? 'strayTimesMs' : 'jumpTimesMs'].push(at(fixes.timesMs, index));
  }
  return found;
}

/** Returns whether the speeds come to about the distance from one fix to another; no more may be missing in two steps than in one. */
function isExplainedBySpeeds(fixes: FixColumns, { scale }: SpeedModel, from: number, to: number): boolean {
  let [expected, meters] = [0, 0];
  for (let index = from; index < to; index += 1) {
    const sum = at(fixes.speedsMetersPerSecond, index) + at(fixes.speedsMetersPerSecond, index + 1);
    expected += (scale * sum * (at(fixes.timesMs, index + 1) - at(fixes.timesMs, index))) / 2000;
    meters += roughDistanceMeters(fixes.lats, fixes.lons, index, index + 1);
  }
  // The condition is also false for NaN.
  return !(Math.abs(meters - expected) > MISMATCH_MIN_METERS + (MISMATCH_SHARE * expected) / (to - from));
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
/**
 * A receiver that corrects itself now and then has other kinks nearly as large. Its corrections are let pass, mostly where
 * they move the car aside, which gains no time; a forger's few moves do not change what one fix in a thousand does.
 */
const RESTLESS_SHARE = 0.999;
const RESTLESS_FACTOR = 2;
const RESTLESS_ALONG_MAX_METERS = 2.5;
const RESTLESS_ASIDE_MAX_METERS = 4;
/** Receivers hold a position, or stamp it late, for so many fixes in a row. */
const STRAY_FIXES_MAX = 3;

/** Describes how far a step is from the mean of its neighbours, in metres: along it and beside it. */
type Kink = { along: number; aside: number };

type KinkReader = {
  /** Returns the size of the kink in the step from a fix to the next; 0 at uneven times. */
  kinkAt: (index: number) => number;
  /** Returns the kink that is left where all fixes between two are left out. */
  kinkBetween: (from: number, to: number) => Kink;
};

function openKinkReader({ fixes, intervalMs }: Trace): KinkReader {
  const { timesMs, lats, lons, length } = fixes;
  const lonMeters = METERS_PER_DEGREE * Math.cos((at(lats, 0) * Math.PI) / 180);
  const [shortest, longest] = [(intervalMs ?? 0) / 2, 2.5 * (intervalMs ?? 0)];
  // Stamps of phones bunch up now and then, and a short step divides by next to nothing.
  const isUneven = (stepMs: number): boolean => stepMs > longest || stepMs < shortest;
  return {
    kinkAt: (index) => {
      if (index < 1 || index + 2 >= length) return 0;
      const stepMs = at(timesMs, index + 1) - at(timesMs, index);
      const beforeMs = at(timesMs, index) - at(timesMs, index - 1);
      const afterMs = at(timesMs, index + 2) - at(timesMs, index + 1);
      if (isUneven(stepMs) || isUneven(beforeMs) || isUneven(afterMs)) return 0;
      const step = { from: index, to: index + 1, before: stepMs / beforeMs / 2, after: stepMs / afterMs / 2 };
      const y = METERS_PER_DEGREE * deviation(lats, step);
      const x = lonMeters * deviation(lons, step);
      return Math.sqrt(x * x + y * y);
    },
    kinkBetween: (from, to) => {
      const stepMs = at(timesMs, to) - at(timesMs, from);
      const beforeMs = at(timesMs, from) - at(timesMs, from - 1);
      const afterMs = at(timesMs, to + 1) - at(timesMs, to);
      const step = { from, to, before: stepMs / beforeMs / 2, after: stepMs / afterMs / 2 };
      const [x, y] = [lonMeters * deviation(lons, step), METERS_PER_DEGREE * deviation(lats, step)];
      const alongX = lonMeters * wrapDegrees(at(lons, to + 1) - at(lons, from - 1));
      const alongY = METERS_PER_DEGREE * (at(lats, to + 1) - at(lats, from - 1));
      const length = Math.hypot(alongX, alongY);
      if (!(length > 0)) return { along: Math.hypot(x, y), aside: 0 };
      return {
        along: Math.abs(x * alongX + y * alongY) / length,
        aside: Math.abs(x * alongY - y * alongX) / length,
      };
    },
  };
}

/** Describes a step from one fix to another, and how much the steps before and after it count. */
type WeightedStep = { from: number; to: number; before: number; after: number };

function deviation(column: Float64Array, { from, to, before, after }: WeightedStep): number {
  const start = at(column, from);
  const end = at(column, to);
  const stepBefore = wrapDegrees(start - at(column, from - 1));
  const stepAfter = wrapDegrees(at(column, to + 1) - end);
  return wrapDegrees(end - start) - before * stepBefore - after * stepAfter;
}

function isWithin({ along, aside }: Kink, limits: Kink): boolean {
  return along < limits.along && aside < limits.aside;
}

/** Sorts the moments at which the trace left positions out: it goes on as before, or elsewhere. */
function sortLeftOut(
  { fixes, jumpTimesMs }: Trace,
  { kinkBetween }: KinkReader,
  { meters, starts }: KinkLimit,
): PositionGlitches {
  const isHarmless = (timeMs: number): boolean => {
    const to = lowerBound(fixes.timesMs, timeMs);
    if (to < 2 || to + 1 >= fixes.length || hasBreak(starts, to - 2, to + 1)) return false;
    return isWithin(kinkBetween(to - 1, to), { along: meters, aside: meters });
  };
  const strayTimesMs = jumpTimesMs.filter(isHarmless);
  return { jumpTimesMs: jumpTimesMs.filter((timeMs) => !strayTimesMs.includes(timeMs)), strayTimesMs };
}

/** Returns whether leaving out a few fixes around a kink leaves none. */
function isExplainedWithout(
  { kinkBetween }: KinkReader,
  index: number,
  { meters, starts }: KinkLimit,
): boolean {
  const limits = { along: meters, aside: meters };
  for (let count = 1; count <= STRAY_FIXES_MAX; count += 1) {
    for (let first = index - count; first <= index + 2; first += 1) {
      const [from, to] = [first - 1, first + count];
      if (hasBreak(starts, from, to + 1)) continue;
      if (from >= 1 && isWithin(kinkBetween(from, to), limits)) return true;
    }
  }
  return false;
}

/** Returns whether an unbroken part begins after one fix and up to another. */
function hasBreak(starts: ReadonlySet<number>, after: number, last: number): boolean {
  for (let fix = after; fix <= last; fix += 1) if (starts.has(fix)) return true;
  return false;
}
