import { at } from '../../fix-columns.ts';
import { distanceMeters } from '../../geo.ts';
import { median } from '../../statistics.ts';
import { evenIntervalMs, type LoggedFix } from './racecapture-fix-times.ts';

/** Holds fixes with the `Utc` of their rows, and the receiver's interval. */
type UtcFixes = { fixes: readonly LoggedFix[]; utcsMs: Float64Array; intervalMs: number };

/**
 * Returns the times of fixes at whole intervals of the receiver; null where these agree no better with speeds and positions than `Utc` does.
 *
 * `Utc` is that of the row: the receiver's latest time and the age of it. Rows of 101 ms over fixes of 100 ms make every fix 1 ms older than the one
 * before, until the logger misses one; around that moment, `Utc` may be of another fix than the position. So each fix takes the interval that its `Utc`
 * lies in, or one beside it, whichever agrees best with how far the car went since the fix before.
 */
export function timeFixesByUtc(fixes: readonly LoggedFix[], utcsMs: Float64Array): Float64Array | null {
  const steps = utcsMs.slice(1).map((utcMs, index) => utcMs - at(utcsMs, index));
  const intervalMs = evenIntervalMs(median([...steps].filter(Number.isFinite)) ?? Number.NaN);
  if (intervalMs === null) return null;
  const source = { fixes, utcsMs, intervalMs };
  const ways = waysBetween(source);
  const timesMs = placeOnIntervals(source, ways).map((place) => place * intervalMs);
  const isBetter = scatter(ways, timesMs, intervalMs) < BETTER_SHARE * scatter(ways, utcsMs, intervalMs);
  return isBetter ? timesMs : null;
}

const BETTER_SHARE = 0.8;

/** Describes the way to a fix from the one before, and what the speed makes of one interval, both in metres. */
type Way = { meters: number; metersAnInterval: number };

/** Returns ways to all fixes but the first; null after a hole, where speeds do not tell the way. */
function waysBetween({ fixes, utcsMs, intervalMs }: UtcFixes): (Way | null)[] {
  const ways = fixes.slice(1).map((fix, index) => {
    const before = fixes[index] ?? fix;
    return { meters: distanceMeters(before, fix), metersAnInterval: (before.speed + fix.speed) / 2 };
  });
  const intervalsAt = (index: number) => (at(utcsMs, index + 1) - at(utcsMs, index)) / intervalMs;
  const factors = ways.map((way, index) => way.meters / way.metersAnInterval / intervalsAt(index));
  const factor = median(factors.filter(Number.isFinite)) ?? Number.NaN;
  return ways.map(({ meters, metersAnInterval }, index) =>
    factor * metersAnInterval > 0 && Math.abs(intervalsAt(index)) < INTERVALS_MAX
      ? { meters, metersAnInterval: factor * metersAnInterval }
      : null,
  );
}

const INTERVALS_MAX = 5;

/** Returns the mean square, in metres, of how much farther or less the car went within ten fixes than by its speeds and these times. */
function scatter(ways: readonly (Way | null)[], timesMs: Float64Array, intervalMs: number): number {
  let [sum, count, over, length] = [0, 0, 0, 0];
  for (const [index, way] of ways.entries()) {
    const intervals = (at(timesMs, index + 1) - at(timesMs, index)) / intervalMs;
    over = way === null ? 0 : over + way.meters - intervals * way.metersAnInterval;
    length = way === null ? 0 : length + 1;
    if (length < SCATTER_FIXES) continue;
    sum += over ** 2;
    count += 1;
    [over, length] = [0, 0];
  }
  return sum / count;
}

const SCATTER_FIXES = 10;

/** A fix is of the interval that `Utc` lies in, or of one of these beside it. */
const SIDES = Float64Array.of(-1, 0, 1);
/** Usual error of a way between two fixes. */
const WAY_ERROR_METERS = 0.5;
/** How far `Utc` usually lies outside of the interval of its fix, as a share of it. */
const OUTSIDE_SHARE = 0.2;
/** A single position that jumps is worth no more than this. */
const COST_MAX = 16;

/** Returns the number of the receiver's interval of every fix: the sequence of the least cost (Viterbi's algorithm). */
function placeOnIntervals(source: UtcFixes, ways: readonly (Way | null)[]): Float64Array {
  const { utcsMs, intervalMs } = source;
  const bases = utcsMs.map((utcMs) => Math.floor(utcMs / intervalMs));
  const outsideCost = (index: number, side: number): number => {
    const share = at(utcsMs, index) / intervalMs - at(bases, index) - side;
    return Number.isNaN(share) ? 0 : (Math.max(0, -share, share - 1) / OUTSIDE_SHARE) ** 2;
  };
  let costs = SIDES.map((side) => outsideCost(0, side));
  const origins = ways.map((way, index) => {
    const base = at(bases, index + 1) - at(bases, index);
    const sums = Array.from(SIDES, (side) =>
      SIDES.map((from, origin) => at(costs, origin) + stepCost(way, base + side - from)),
    );
    costs = SIDES.map((side, place) => Math.min(...(sums[place] ?? [])) + outsideCost(index + 1, side));
    return sums.map((row) => row.indexOf(Math.min(...row)));
  });
  let side = costs.indexOf(Math.min(...costs));
  for (let index = bases.length - 1; index >= 0; index -= 1) {
    bases[index] = at(bases, index) + at(SIDES, side);
    side = origins[index - 1]?.[side] ?? side;
  }
  return bases;
}

function stepCost(way: Way | null, intervals: number): number {
  // No two fixes are of one moment. This cost is finite, for where they are said to be.
  if (intervals < 1) return 1e6;
  if (way === null) return 0;
  return Math.min(COST_MAX, ((way.meters - intervals * way.metersAnInterval) / WAY_ERROR_METERS) ** 2);
}
