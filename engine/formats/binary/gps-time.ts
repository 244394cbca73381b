import { DAY_MS } from '../../durations.ts';

/** GPS time began at midnight of 6 January 1980. */
const GPS_EPOCH_MS = Date.UTC(1980, 0, 6);
export const WEEK_MS = 7 * DAY_MS;

/** GPS time has no leap seconds: how many it is ahead of UTC, from which moment (UTC) on. Source: IERS Bulletin C; none was added since. */
const LEAP_SECONDS: readonly (readonly [fromMs: number, seconds: number])[] = [
  [Date.UTC(2017, 0, 1), 18],
  [Date.UTC(2015, 6, 1), 17],
  [Date.UTC(2012, 6, 1), 16],
  [Date.UTC(2009, 0, 1), 15],
  [Date.UTC(2006, 0, 1), 14],
];
const EARLIEST_LEAP_SECONDS = 13;

/** Returns the epoch milliseconds (UTC) of a GPS week, counted without rollover, and the milliseconds since it began on Sunday. */
export function gpsTimeToUtcMs(week: number, weekMs: number): number {
  const gpsMs = GPS_EPOCH_MS + week * WEEK_MS + weekMs;
  const leap = LEAP_SECONDS.find(([fromMs, seconds]) => gpsMs - seconds * 1000 >= fromMs);
  return gpsMs - 1000 * (leap?.[1] ?? EARLIEST_LEAP_SECONDS);
}

/** Returns the week nearest to a date, for receivers whose week counter has 10 bits and begins again every 19.6 years. */
export function unrollGpsWeek(week: number, nearMs: number): number {
  const nearWeek = (nearMs - GPS_EPOCH_MS) / WEEK_MS;
  return week + ROLLOVER_WEEKS * Math.round((nearWeek - week) / ROLLOVER_WEEKS);
}

const ROLLOVER_WEEKS = 1024;

/** Returns the GPS week in which this time of the week lies nearest to a date in UTC. */
export function nearestGpsWeek(weekMs: number, nearMs: number): number {
  return Math.round((nearMs - GPS_EPOCH_MS - weekMs) / WEEK_MS);
}
