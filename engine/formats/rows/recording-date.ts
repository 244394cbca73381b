import { at } from '../../fix-columns.ts';
import type { Clock } from '../../lap-file.ts';
import { unwrapMidnights } from './clock-repair.ts';
import { DAY_MS } from '../../durations.ts';

/**
 * Puts times of day on the date on which their file says that it was created, in place, and returns what they count from then.
 * Such dates are known to be wrong now and then, and some are those of the export. So the date counts only where its time of day is
 * that of the first row, within what a driver takes to get going; otherwise (or where it is NaN) the date is unknown.
 */
export function applyRecordingDate(timesMs: Float64Array, createdMs: number): Clock {
  if (Number.isNaN(createdMs)) return 'time_of_day';
  unwrapMidnights(timesMs);
  const midnightMs = createdMs - (createdMs % DAY_MS);
  const sinceCreatedMs = midnightMs + at(timesMs, 0) - createdMs;
  // The file was created before midnight, and its first row is after it.
  const firstDayMs = sinceCreatedMs < MOST_WAIT_MS - DAY_MS ? midnightMs + DAY_MS : midnightMs;
  const waitMs = firstDayMs + at(timesMs, 0) - createdMs;
  if (waitMs < -MINUTE_MS || waitMs > MOST_WAIT_MS) return 'time_of_day';
  for (let index = 0; index < timesMs.length; index++) timesMs[index] = at(timesMs, index) + firstDayMs;
  return 'utc';
}

const MINUTE_MS = 60_000;
const MOST_WAIT_MS = 3 * 3_600_000;
