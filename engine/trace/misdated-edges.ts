import { at, type FixColumns } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';
import type { LapFile } from '../lap-file.ts';
import { DAY_MS } from '../durations.ts';

/** Describes rows of a lap file, from `start` up to, not including, `end`. */
export type RowRange = { start: number; end: number };

/** Many more rows are a recording of their own, which a file may hold in any order. */
export const GLITCH_ROWS_MAX = 200;
/** Beside so many more, few rows do not tell the date. */
const OTHERS_MIN = 10;
/** A shorter pause changes the date of no session. */
const CLOCK_JUMP_MS = 3_600_000;
/** A car may stand in its garage for days between two recordings in one file, but not for months. */
const STANDING_CLOCK_JUMP_MS = 30 * DAY_MS;
/** A car that is pushed by hand is slower. */
const DRIVING_METERS_PER_SECOND = 5;
/** So far a receiver corrects itself when it finds out where, and when, it is. */
const CORRECTION_METERS = 15;

/**
 * The first and the last rows of a lap file where few of them have another date than all others although the car went on
 * as if no time had passed: receivers begin with the date at which they were last used, or were made, or with that of 1980.
 * Only of files with dates.
 */
export function findMisdatedEdges({ fixes, partStarts, clock }: LapFile): RowRange[] {
  if (clock !== 'utc' && clock !== 'local') return [];
  const looked = Math.min(GLITCH_ROWS_MAX, Math.floor(fixes.length / OTHERS_MIN));
  const edges: RowRange[] = [];
  for (let row = looked; row > 0; row -= 1) {
    if (!isClockJump(fixes, row)) continue;
    if (drivesOn(fixes, row) && !partStarts.includes(row)) edges.push({ start: 0, end: row });
    break;
  }
  for (let row = fixes.length - looked; row < fixes.length; row += 1) {
    if (!isClockJump(fixes, row)) continue;
    if (drivesOn(fixes, row) && !partStarts.includes(row)) edges.push({ start: row, end: fixes.length });
    break;
  }
  return edges;
}

function isClockJump({ timesMs }: FixColumns, row: number): boolean {
  return row > 0 && Math.abs(at(timesMs, row) - at(timesMs, row - 1)) >= CLOCK_JUMP_MS;
}

/** Returns whether the car went on from the row before as if the clock had not leapt: at speed, or standing and the leap was long. */
function drivesOn(fixes: FixColumns, row: number): boolean {
  const { timesMs, lats, lons } = fixes;
  const sides = [distanceInSecond(fixes, row - 1, -1), distanceInSecond(fixes, row, 1)].filter(
    ({ seconds }) => seconds > 0,
  );
  const usualMeters = Math.max(0, ...sides.map(({ meters }) => meters));
  if (!(roughDistanceMeters(lats, lons, row - 1, row) <= CORRECTION_METERS + 2 * usualMeters)) return false;
  const isLong = Math.abs(at(timesMs, row) - at(timesMs, row - 1)) >= STANDING_CLOCK_JUMP_MS;
  const areDriving = sides.every(({ meters, seconds }) => meters >= DRIVING_METERS_PER_SECOND * seconds);
  return isLong || (sides.length > 0 && areDriving);
}

/** Returns how far the car went from a row in about a second, back or on; no seconds where there is no row. */
function distanceInSecond(
  fixes: FixColumns,
  row: number,
  direction: 1 | -1,
): { meters: number; seconds: number } {
  const secondsTo = (other: number): number =>
    Math.abs(at(fixes.timesMs, other) - at(fixes.timesMs, row)) / 1000;
  let other = row;
  while (secondsTo(other) < 1) {
    const next = other + direction;
    if (next < 0 || next >= fixes.length || isClockJump(fixes, Math.max(next, other))) break;
    other = next;
  }
  return { meters: roughDistanceMeters(fixes.lats, fixes.lons, row, other), seconds: secondsTo(other) };
}
