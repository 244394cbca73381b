import { at } from '../fix-columns.ts';
import { METERS_PER_DEGREE, wrapDegrees } from '../geo.ts';
import type { Trace } from '../trace/trace.ts';

/** Counts seconds between two fixes that no car can drive, so that an error of a moment does not count. */
export function countImpossibleSeconds({ fixes, intervalMs }: Trace, first: number, last: number): number {
  const { timesMs, lats, lons } = fixes;
  if (intervalMs === null || intervalMs > INTERVAL_MAX_MS) return 0;
  const reach = Math.round(1000 / intervalMs);
  const lonMeters = METERS_PER_DEGREE * Math.cos((at(lats, first) * Math.PI) / 180);
  let count = 0;
  for (let index = first; index + 2 * reach <= last; index += reach) {
    const middle = index + reach;
    const end = middle + reach;
    const before = (at(timesMs, middle) - at(timesMs, index)) / 1000;
    const after = (at(timesMs, end) - at(timesMs, middle)) / 1000;
    if (before > SECOND_MAX || after > SECOND_MAX) continue;
    const xBefore = (lonMeters * degreesBetween(lons, index, middle)) / before;
    const xAfter = (lonMeters * degreesBetween(lons, middle, end)) / after;
    const yBefore = (METERS_PER_DEGREE * degreesBetween(lats, index, middle)) / before;
    const yAfter = (METERS_PER_DEGREE * degreesBetween(lats, middle, end)) / after;
    const seconds = (before + after) / 2;
    const total = Math.sqrt((xAfter - xBefore) ** 2 + (yAfter - yBefore) ** 2) / seconds;
    const gained = (Math.sqrt(xAfter ** 2 + yAfter ** 2) - Math.sqrt(xBefore ** 2 + yBefore ** 2)) / seconds;
    if (total > GRIP_MAX || gained > PUSH_MAX) count += 1;
  }
  return count;
}

function degreesBetween(column: Float64Array, from: number, to: number): number {
  return wrapDegrees(at(column, to) - at(column, from));
}

const INTERVAL_MAX_MS = 510;
const SECOND_MAX = 1.5;
/** Over a second, the cars with the most downforce ever reach some 55 m/s². */
const GRIP_MAX = 70;
/** No car on a circuit gains as much in a second, in m/s²; 15 is a very quick start. */
const PUSH_MAX = 25;
