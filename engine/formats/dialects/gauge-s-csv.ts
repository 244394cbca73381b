/**
 * Reads the log of Gauge.S, a display and data logger for BMWs.
 *
 * - Every row ends with a separator: a last column without name or values.
 * - `Timestamp (ms)` counts from the start. The clock is in four columns, `Date` as yymmdd and hour, minute and second,
 *   and only to the second; nothing gives its time zone.
 * - Rows come every 30 to 800 ms and repeat the last position until there is a new one, without a mark.
 * - Two columns of speed in different units: the car's and the receiver's.
 */
import { findColumn } from '../text/csv-header.ts';
import type { TableRow } from '../text/csv-table.ts';
import { degrees, hasLineWith, readFixTable, requireTable, type TimeReader } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';

export const gaugeSCsv: LapFileFormat = {
  format: 'gauge-s-csv',
  name: 'Gauge.S CSV',
  recognise: ({ head }) =>
    hasLineWith(head, ['timestamp (ms)', 'hour (h)', 'minute (min)', 'second (s)', 'gps latitude']),
  read: readGaugeS,
};

function readGaugeS({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['timestamp'], ['gps latitude'], ['gps longitude']],
    'This Gauge.S file has no columns with time, latitude and longitude.',
  );
  const column = (name: string) => findColumn(table.heads, [name]);
  return readFixTable(table, {
    position: degrees(column('gps latitude'), column('gps longitude')),
    time: timeOnDate(['timestamp', 'date', 'hour', 'minute', 'second'].map(column)),
    speed: column('gps speed'),
  });
}

/** Returns milliseconds of the recording, put on the date and time that most rows agree on. */
function timeOnDate(columns: readonly (number | null)[]): TimeReader {
  const starts: number[] = [];
  let lastClockMs = Number.NaN;
  return {
    columns,
    read: (row, slot) => {
      const timeMs = row.number(slot);
      const clockMs = readClock(row, slot + 1);
      // The clock is more exact than a second only where the second changes.
      if (clockMs !== lastClockMs && !Number.isNaN(clockMs - timeMs)) starts.push(clockMs - timeMs);
      lastClockMs = clockMs;
      return timeMs;
    },
    finish: (times) => {
      const startMs = starts.toSorted((a, b) => a - b)[starts.length >> 1];
      if (startMs === undefined) return 'elapsed';
      for (const [index, timeMs] of times.entries()) times[index] = timeMs + startMs;
      return 'local';
    },
  };
}

/** Reads `250406`, `19`, `02`, `50`; NaN where the clock has not been set. */
function readClock(row: TableRow, slot: number): number {
  const [date = Number.NaN, hours = 0, minutes = 0, seconds = 0] = [0, 1, 2, 3].map((part) =>
    row.number(slot + part),
  );
  const [year, month, day] = [Math.trunc(date / 10_000), Math.trunc(date / 100) % 100, date % 100];
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return Number.NaN;
  return Date.UTC(2000 + year, month - 1, day, hours, minutes, seconds);
}
