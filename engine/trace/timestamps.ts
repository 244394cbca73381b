import { at, type FixColumns } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';
import { medianIntervalMs } from '../statistics.ts';
import { DAY_MS } from '../durations.ts';

export type Timestamps = {
  timesMs: Float64Array;
  /** Several fixes share a timestamp, and when each was taken is unknown: no lap time follows from this. */
  areCoarse: boolean;
  /** Stamps are cut or rounded to whole multiples of this many milliseconds; 0 where no such cut is visible. */
  stepMs: number;
};

/** A sample of this size makes a median or a share right to a percent or two, whatever the length of the file. */
const SAMPLE_SIZE = 4000;
// Fewer fixes with one stamp are repeated rows and are dropped as such.
const SHARED_SHARE_MIN = 0.3;
/** Even fewer are accidents; in between, stamps are a little coarser than the rhythm of the fixes. */
const CUT_SHARE_MIN = 0.02;
const STEPS_MS = [1000, 100, 10, 1];
/** Doubles hold milliseconds since 1970 to a quarter of a microsecond. */
const WHOLE_TOLERANCE_MS = 0.002;

/**
 * Some loggers write ten fixes a second and stamp them all with the whole second. Where the fixes fit an even rhythm,
 * every one gets its own time of that rhythm back; where they do not, the stamps are called coarse.
 */
export function readTimestamps(fixes: FixColumns): Timestamps {
  const stepMs = findTimestampStep(fixes);
  const shared = sharedTimestampShare(fixes);
  if (shared < SHARED_SHARE_MIN) {
    const isCut = shared > CUT_SHARE_MIN || isUneven(fixes, stepMs);
    return { timesMs: fixes.timesMs, areCoarse: false, stepMs: isCut ? stepMs : 0 };
  }
  const spread = evenlySpacedTimes(fixes, stepMs);
  if (spread === null) return { timesMs: spreadWithinTimestamps(fixes), areCoarse: true, stepMs };
  return { timesMs: spread, areCoarse: false, stepMs: 0 };
}

/** Times of day that begin again at midnight, turned into times that go on. */
export function unwrapMidnight(fixes: FixColumns): FixColumns {
  let daysMs = 0;
  const timesMs = fixes.timesMs.map((time, row) => {
    if (row > 0 && time - at(fixes.timesMs, row - 1) < -MIDNIGHT_STEP_MS) daysMs += DAY_MS;
    return time + daysMs;
  });
  return daysMs === 0 ? fixes : { ...fixes, timesMs };
}

/** No drive lasts half a day without a stop, and no clock is set back by as much. */
const MIDNIGHT_STEP_MS = DAY_MS / 2;

/** Finds the coarsest of the usual steps that all sampled stamps are multiples of; 0 for finer ones. */
function findTimestampStep(fixes: FixColumns): number {
  const stride = Math.max(1, Math.floor(fixes.length / SAMPLE_SIZE));
  const isMultiple = (stepMs: number): boolean => {
    for (let index = 0; index < fixes.length; index += stride) {
      const time = at(fixes.timesMs, index);
      if (Math.abs(time - Math.round(time / stepMs) * stepMs) > WHOLE_TOLERANCE_MS) return false;
    }
    return fixes.length > 0;
  };
  return STEPS_MS.find(isMultiple) ?? 0;
}

/** Returns the share of the neighbouring fixes at different places with one and the same stamp. */
function sharedTimestampShare(fixes: FixColumns): number {
  let moved = 0;
  let shared = 0;
  for (let index = 1; index < fixes.length; index += 1) {
    if (!hasMoved(fixes, index)) continue;
    moved += 1;
    if (at(fixes.timesMs, index) === at(fixes.timesMs, index - 1)) shared += 1;
  }
  return moved === 0 ? 0 : shared / moved;
}

/** Receivers keep an even rhythm. Steps that are no multiple of it come from cutting the stamps. */
function isUneven(fixes: FixColumns, stepMs: number): boolean {
  const intervalMs = medianIntervalMs(fixes.timesMs, fixes.length);
  if (intervalMs === null || stepMs === 0) return false;
  let [steps, uneven] = [0, 0];
  const stride = Math.max(1, Math.floor(fixes.length / SAMPLE_SIZE));
  for (let index = 1; index < fixes.length; index += stride) {
    const step = at(fixes.timesMs, index) - at(fixes.timesMs, index - 1);
    steps += 1;
    if (Math.abs(step - Math.round(step / intervalMs) * intervalMs) >= stepMs / 2) uneven += 1;
  }
  return uneven > steps / 20;
}

/** Returns times of an even rhythm that give every stamp when cut; null without one, as where fixes are missing. */
function evenlySpacedTimes(fixes: FixColumns, stepMs: number): Float64Array | null {
  const count = fixes.length;
  const first = at(fixes.timesMs, 0);
  const intervalMs = wholeRate(fitSlope(fixes.timesMs, count));
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index += 1) {
    const off = at(fixes.timesMs, index) - first - index * intervalMs;
    lowest = Math.min(lowest, off);
    highest = Math.max(highest, off);
  }
  // Cut stamps lag behind by up to a step, less the time of a fix; one that is missing makes the difference.
  if (!(highest - lowest < stepMs - intervalMs / 4)) return null;
  const start = first + (lowest + highest) / 2 + stepMs / 2;
  const times = Float64Array.from({ length: count }, (_, index) => start + index * intervalMs);
  clearBeyondLongSteps(fixes, times, 1);
  clearBeyondLongSteps(fixes, times, -1);
  return times;
}

/**
 * Under the first and the last stamp, fewer fixes than usual are no sign of a missing one: only a step of twice the length is. What lies
 * beyond it, at the edge of the recording, gets no time. `direction` is 1 for the beginning and -1 for the end.
 */
function clearBeyondLongSteps(
  { timesMs, lats, lons, length }: FixColumns,
  times: Float64Array,
  direction: 1 | -1,
): void {
  const edge = direction === 1 ? 0 : length - 1;
  const meters = (index: number): number => roughDistanceMeters(lats, lons, index, index + direction);
  let isBeyond = false;
  for (
    let inner = firstOfOtherStamp(timesMs, edge, direction);
    inner >= 0 && inner < length;
    inner -= direction
  ) {
    if (isBeyond) times[inner] = Number.NaN;
    else
      isBeyond = meters(inner - direction) > LONG_STEP_RATIO * Math.max(meters(inner), LONG_STEP_MIN_METERS);
  }
}

const LONG_STEP_RATIO = 1.5;
// At a walk, the noise of the positions is as long as the steps, and no lap begins.
const LONG_STEP_MIN_METERS = 0.3;

/** Returns the fix under the next stamp. */
function firstOfOtherStamp(timesMs: Float64Array, edge: number, direction: 1 | -1): number {
  let index = edge;
  while (index >= 0 && index < timesMs.length && at(timesMs, index) === at(timesMs, edge)) index += direction;
  return index;
}

/** Receivers give a whole number of fixes a second: an estimate close to one is taken for it. */
function wholeRate(intervalMs: number): number {
  const rateHz = Math.round(1000 / intervalMs);
  return Math.abs((rateHz * intervalMs) / 1000 - 1) < WHOLE_RATE_TOLERANCE ? 1000 / rateHz : intervalMs;
}

const WHOLE_RATE_TOLERANCE = 0.005;

/** Fits least squares: milliseconds per row. */
function fitSlope(timesMs: Float64Array, count: number): number {
  const middle = (count - 1) / 2;
  const first = at(timesMs, 0);
  let [top, bottom] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    top += (index - middle) * (at(timesMs, index) - first);
    bottom += (index - middle) ** 2;
  }
  return top / bottom;
}

/** Returns the best guess where nothing is known: the fixes of one stamp evenly until the next stamp. */
function spreadWithinTimestamps(fixes: FixColumns): Float64Array {
  const times = fixes.timesMs.slice();
  let start = 0;
  for (let index = 1; index <= fixes.length; index += 1) {
    if (index < fixes.length && at(fixes.timesMs, index) === at(fixes.timesMs, start)) continue;
    const from = at(fixes.timesMs, start);
    const to = index < fixes.length ? at(fixes.timesMs, index) : from;
    const widthMs = Math.max(0, Math.min(to - from, 1000));
    for (let row = start; row < index; row += 1)
      times[row] = from + (widthMs * (row - start)) / (index - start);
    start = index;
  }
  return times;
}

function hasMoved(fixes: FixColumns, index: number): boolean {
  return (
    at(fixes.lats, index) !== at(fixes.lats, index - 1) || at(fixes.lons, index) !== at(fixes.lons, index - 1)
  );
}
