import { findColumn, type ColumnHead } from '../text/csv-header.ts';
import type { TimeReader } from '../rows/fix-table.ts';
import { TIME_PART_NAMES } from './generic-names.ts';

/** Holds the columns of the parts of a time, in this order; null for a part that a table does not have. */
export type TimeParts = readonly (number | null)[];

const [YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, MILLISECOND] = [0, 1, 2, 3, 4, 5, 6] as const;

/** Finds the columns of a time that is written in parts; null where hours, minutes or seconds have no column of their own. */
export function findTimeParts(names: readonly ColumnHead[]): TimeParts | null {
  const { year, month, day, hour, minute, second, millisecond } = TIME_PART_NAMES;
  const parts = [year, month, day, hour, minute, second, millisecond].map((part) => findColumn(names, part));
  const isTime = [HOUR, MINUTE, SECOND].every((part) => parts[part] !== null && parts[part] !== undefined);
  return isTime ? parts : null;
}

/** Reads a time from its parts. Where a part of the date is missing, it is a time of day. */
export function timeOfParts(parts: TimeParts): TimeReader {
  const hasDate = [YEAR, MONTH, DAY].every((part) => parts[part] !== null);
  const hasMilliseconds = parts[MILLISECOND] !== null;
  return {
    columns: parts,
    read: (row, slot) => {
      const [hours, minutes, seconds] = [HOUR, MINUTE, SECOND].map((part) => row.number(slot + part));
      const milliseconds = hasMilliseconds ? row.number(slot + MILLISECOND) : 0;
      const timeMs = toMilliseconds(hours, minutes, seconds) + milliseconds;
      if (!hasDate) return timeMs;
      const year = row.number(slot + YEAR);
      const fullYear = year < 100 ? year + 2000 : year;
      return Date.UTC(fullYear, row.number(slot + MONTH) - 1, row.number(slot + DAY)) + timeMs;
    },
    finish: () => (hasDate ? 'local' : 'time_of_day'),
  };
}

function toMilliseconds(hours = Number.NaN, minutes = Number.NaN, seconds = Number.NaN): number {
  return (hours * 60 + minutes) * 60_000 + Math.round(seconds * 1e6) / 1e3;
}
