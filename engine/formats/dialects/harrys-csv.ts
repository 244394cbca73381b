/**
 * The CSV export of Harry's LapTimer (seen from 2016 and 2017; the header of 2011 is described by its author in
 * forum.gps-laptimer.de, topic 83). Converters from other apps write it, too.
 *
 * - A title, then the header. Since about 2012 `INDEX,LAPINDEX,DATE,TIME,TIME_LAP,LATITUDE,…,SPEED_KPH,SPEED_MPH,…,DISTANCE_KM`, before
 *   that `LAPINDEX,DATE,TIME,LATITUDE[degrees],…,SPEED[km/h],…,TIMEFROMSTART[s]`.
 * - `DATE` is `14-AUG-16` and `TIME` the time of day to a hundredth, both in UTC.
 * - A whole day in one file, stints half an hour apart; `LAPINDEX` counts on over months.
 * - The first and the last row of a lap were put in where the line was passed, so that both laps at a pass have one with the same time;
 *   later versions repeat rows within a lap as well. Building the trace drops rows with equal times.
 * - A few rows in the middle of a lap may have a date and time of long before, and a `TIME_LAP` of more than a year.
 * - `TIME_LAP` counts the seconds of the lap; in its last row it is the lap time. Visits to the pits are numbered as laps and are much
 *   shorter than those.
 */
import { findColumn, findNamedTable, type ColumnHead, type NamedTable } from '../text/csv-header.ts';
import { HARRYS_LONGEST_LAP_MS, HarrysLaps } from './harrys-laps.ts';
import { degrees, readFixTable, type TimeReader } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { parseDate, parseTimeOfDay } from '../text/iso-timestamp.ts';
import { parseLocalizedDate } from '../text/localized-date.ts';
import { SECONDS_TO_MS_SHIFT } from '../text/decimal.ts';

export const harrysCsv: LapFileFormat = {
  format: 'harrys-csv',
  name: "Harry's LapTimer CSV",
  recognise: (text) => findTable(text) !== null,
  read: readHarrysCsv,
};

const LAP_SECONDS_NAMES = ['time lap', 'timefromstart'];
const LAP_DISTANCE_NAMES = ['distance km', 'distancefromstart'];

function readHarrysCsv(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = findTable(text);
  if (table === null) throw new Error('Only a recognised file is read.');
  const column = (...names: string[]) => findColumn(table.heads, names);
  const laps = new HarrysLaps();
  let lapTimeMs = Number.NaN;
  return readFixTable(table, {
    position: degrees(column('latitude'), column('longitude')),
    time: dateAndTime(column('date'), column('time')),
    speed: column('speed'),
    skip: {
      columns: [column(...LAP_SECONDS_NAMES)],
      read: (row, slot) => {
        lapTimeMs = row.number(slot, SECONDS_TO_MS_SHIFT);
        return lapTimeMs > HARRYS_LONGEST_LAP_MS ? 'clock_went_back' : null;
      },
    },
    onFix: {
      columns: [column('lapindex'), column(...LAP_DISTANCE_NAMES)],
      see: (row, slot, startIndex) => {
        laps.see({ number: row.number(slot), lapTimeMs, distance: row.number(slot + 1), startIndex });
      },
    },
    findLaps: (timesMs) => laps.finish(timesMs),
  });
}

function findTable({ bytes }: LapFileText): NamedTable | null {
  return findNamedTable(bytes, (heads: ColumnHead[]) =>
    [['lapindex'], ['time'], ['latitude'], ['longitude'], LAP_SECONDS_NAMES].every(
      (names) => findColumn(heads, names) !== null,
    ),
  );
}

function dateAndTime(date: number | null, time: number | null): TimeReader {
  let writtenDate = '';
  let dateMs = Number.NaN;
  return {
    columns: [time, date],
    read: (row, slot) => {
      const text = date === null ? '' : row.text(slot + 1);
      if (text !== writtenDate) {
        dateMs = row.read(slot + 1, parseDate);
        if (Number.isNaN(dateMs)) dateMs = parseLocalizedDate(text, 'day-first');
        writtenDate = text;
      }
      return row.read(slot, parseTimeOfDay) + (date === null ? 0 : dateMs);
    },
    finish: () => (date === null ? 'time_of_day' : 'utc'),
  };
}
