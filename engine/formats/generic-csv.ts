/**
 * A table with columns for latitude, longitude and time, whatever wrote it: converters, GPS tracking apps, loggers without a format
 * of their own here, and exports that went through a spreadsheet.
 *
 * - Separator `,` `;` or tab; a decimal comma where the separator is not one. A row of units may follow the header.
 * - Time as ISO date and time with or without a zone, as date and time of day in two columns, as time of day alone, or as a number:
 *   seconds or milliseconds since 1970, or since some moment of the recording.
 * - Several clocks in one file are common, and the one that tells the date often stands still for a whole second: the finest wins.
 * - Speeds rarely name their unit; a column of lap numbers may mark the laps.
 */
import type { Clock } from '../lap-file.ts';
import { columnHead, findColumn, findNamedTable } from './csv-columns.ts';
import type { ColumnHead, NamedTable } from './csv-columns.ts';
import { lineAt, readRows, splitLine } from './csv-table.ts';
import type { TableRow } from './csv-table.ts';
import { parseDecimal } from './decimal.ts';
import { LapFileRecorder } from './lap-file-format.ts';
import type { LapFileFormat, LapFileText } from './lap-file-format.ts';
import { LapRuns } from './lap-runs.ts';
import { findNumericClock, unwrapMidnights } from './numeric-clock.ts';
import { findSpeedUnit, metersPerSecondIn, withSpeedUnit } from './speed-unit.ts';
import { hasZone, parseDate, parseDateTime, parseTimeOfDay } from './timestamp.ts';

export const genericCsv: LapFileFormat = {
  format: 'generic-csv',
  name: 'CSV with latitude, longitude and time',
  recognise: (text) => findTable(text) !== null,
  read: readGenericCsv,
};

const LATITUDE_NAMES = withReceiver(['latitude', 'lat']);
const LONGITUDE_NAMES = withReceiver(['longitude', 'lon', 'lng', 'long']);
const SPEED_NAMES = withReceiver(['speed', 'velocity', 'ground speed', 'gvel']);
const LAP_NAMES = ['lap number', 'lap', 'lap no', 'lapnumber', 'lap index', 'lapindex'];
const DATE_NAMES = withReceiver(['date', 'date utc', 'utc date']);
// In the order of trust: a clock set by satellites, one that tells the date, the seconds of the recording.
const TIME_NAMES = withReceiver(
  [
    'utc, utc time, time utc, utc timestamp, timestamp utc, unix time, unix timestamp, epoch, epoch time',
    'datetime, date time, datetime utc, timestamp, time stamp, time, postime, local time',
    'elapsed time, elapsed, time elapsed, session time, seconds, millis, milliseconds, interval',
  ].flatMap((line) => line.split(', ')),
);

/** `latitude` is also called `gps latitude`, `gnss latitude` or `position latitude`; the receiver's own column goes first. */
function withReceiver(names: readonly string[]): string[] {
  const prefixes = ['gps ', 'gnss ', 'position ', ''];
  return names.flatMap((name) => prefixes.map((prefix) => prefix + name));
}

type Columns = { lat: number; lon: number; speed: number | null; lap: number | null; date: number | null };

function findTable(text: LapFileText): NamedTable | null {
  return findNamedTable(text.bytes, (heads) => findColumns(heads) !== null && timeColumns(heads).length > 0);
}

function findColumns(heads: readonly ColumnHead[]): Columns | null {
  const lat = findColumn(heads, LATITUDE_NAMES, isFromReceiver);
  const lon = findColumn(heads, LONGITUDE_NAMES, isFromReceiver);
  if (lat === null || lon === null) return null;
  const speed = findColumn(heads, SPEED_NAMES, isFromReceiver);
  return { lat, lon, speed, lap: findColumn(heads, LAP_NAMES), date: findColumn(heads, DATE_NAMES) };
}

/** A source in the header marks what is calculated or comes from the car. */
function isFromReceiver(head: ColumnHead): boolean {
  return head.source === '' || head.source.includes('gps');
}

function timeColumns(heads: readonly ColumnHead[]): number[] {
  const found = TIME_NAMES.map((name) => findColumn(heads, [name])).filter((index) => index !== null);
  return [...new Set(found)];
}

function readGenericCsv(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const found = findTable(text);
  const columns = found && findColumns(found.heads);
  if (found === null || columns === null) throw new Error('Only a recognised file is read.');
  const table = withUnitRow(found, columns);
  const time = chooseTime(table, columns);

  const recorder = new LapFileRecorder();
  const runs = new LapRuns();
  const { lat, lon, speed, lap } = columns;
  readRows(table, [lat, lon, time.column, speed, lap, time.date], (row) => {
    const latDegrees = row.number(LAT);
    const lonDegrees = row.number(LON);
    if (row.isGarbled(LAT, latDegrees) || row.isGarbled(LON, lonDegrees)) {
      recorder.drop('unreadable_row');
    } else if (recorder.add(time.read(row), latDegrees, lonDegrees, row.number(SPEED)) && lap !== null) {
      runs.see(row.number(LAP), recorder.length - 1);
    }
  });

  const raw = recorder.finish();
  const clock = time.finish(raw.timesMs);
  const labelled = metersPerSecondIn(table.heads[speed ?? -1]?.unit ?? '');
  return {
    fixes: withSpeedUnit(raw, speed === null ? 1 : findSpeedUnit(raw, labelled)),
    partStarts: [0],
    clock,
    dropped: recorder.dropped,
    loggerLaps: runs.finish(raw.timesMs),
  };
}

/** Cells of a row, in the order in which they are asked for. */
const LAT = 0;
const LON = 1;
const TIME = 2;
const SPEED = 3;
const LAP = 4;
const DATE = 5;

/** The row below the header may name the units: what stands under the latitude is then a word. */
function withUnitRow(table: NamedTable, columns: Columns): NamedTable {
  const line = lineAt(table.bytes, table.firstRow);
  const units = splitLine(table.bytes, line, table.separator);
  const underLat = units[columns.lat] ?? '';
  if (underLat === '' || /\d/.test(underLat)) return table;
  const heads = table.heads.map((head) =>
    head.unit === '' ? { ...head, unit: columnUnit(units[head.index]) } : head,
  );
  return { ...table, heads, firstRow: line.next };
}

function columnUnit(cell = ''): string {
  return columnHead(0, '', cell).unit;
}

/** How the times of a file are read: one value per row first, and a look at all of them at the end, which tells the clock. */
type TimeReader = {
  column: number;
  /** The column with the date, where the time column has only the time of day. */
  date: number | null;
  read: (row: TableRow) => number;
  /** Turns what was read into milliseconds, in place. */
  finish: (times: Float64Array) => Clock;
};

function chooseTime(table: NamedTable, columns: Columns): TimeReader {
  const candidates = sampleTimes(table, columns);
  const finest = Math.max(...candidates.map((sample) => sample.distinct));
  const chosen = candidates.find((sample) => sample.distinct >= finest * FINE_ENOUGH) ?? candidates[0];
  if (chosen === undefined) throw new Error('Only a table with a time column is recognised.');
  const head = table.heads[chosen.column];
  const isUtc = /utc|gmt|zulu/.test(`${head?.name} ${head?.unit}`);
  if (chosen.kind === 'date-time') {
    const clock = chosen.hasZone || isUtc ? 'utc' : 'local';
    return {
      column: chosen.column,
      date: null,
      read: (row) => row.read(TIME, parseDateTime),
      finish: () => clock,
    };
  }
  if (chosen.kind === 'number') {
    return {
      column: chosen.column,
      date: null,
      read: (row) => row.number(TIME),
      finish: (times) => findNumericClock(times, head?.unit ?? ''),
    };
  }
  const { hasDate } = chosen;
  return {
    column: chosen.column,
    date: hasDate ? columns.date : null,
    read: (row) => row.read(TIME, parseTimeOfDay) + (hasDate ? row.read(DATE, parseDate) : 0),
    finish: (times) => {
      if (hasDate) return isUtc ? 'utc' : 'local';
      unwrapMidnights(times);
      return 'time_of_day';
    },
  };
}

const SAMPLE_ROWS = 500;

// A clock that repeats itself a little more often than the finest one is as good; a clock of whole seconds in a file of ten rows a
// second is not.
const FINE_ENOUGH = 0.8;

/** One way to read one column as a time, and how many different times it gives in the first rows. */
type TimeSample = { column: number; kind: TimeKind; hasZone: boolean; hasDate: boolean; distinct: number };

type TimeKind = keyof typeof TIME_PARSERS;

const TIME_PARSERS = { 'date-time': parseDateTime, 'time-of-day': parseTimeOfDay, number: parseDecimal };
const TIME_KINDS = ['date-time', 'time-of-day', 'number'] as const;

/** Every column that may be the time, in the order of trust, each in the way that fits its first rows best. */
function sampleTimes(table: NamedTable, columns: Columns): TimeSample[] {
  const candidates = timeColumns(table.heads);
  const samples = candidates.map((column, slot) => ({
    column,
    slot,
    hasZone: false,
    seen: TIME_KINDS.map((kind) => ({ kind, times: new Set<number>() })),
  }));
  const dateSlot = candidates.length;
  let hasDate = false;
  let rows = 0;
  readRows(table, [...candidates, columns.date], (row) => {
    for (const sample of samples) {
      for (const { kind, times } of sample.seen) times.add(row.read(sample.slot, TIME_PARSERS[kind]));
      sample.hasZone ||= row.read(sample.slot, hasZone);
    }
    hasDate ||= !Number.isNaN(row.read(dateSlot, parseDate));
    rows++;
    return rows < SAMPLE_ROWS;
  });
  return samples.map(({ column, hasZone, seen }) => {
    const counts = seen.map(({ kind, times }) => ({
      kind,
      distinct: times.size - (times.has(Number.NaN) ? 1 : 0),
    }));
    const best = counts.reduce((most, candidate) => (candidate.distinct > most.distinct ? candidate : most));
    return { column, kind: best.kind, hasZone, hasDate, distinct: best.distinct };
  });
}
