/**
 * Reads a table with columns for latitude, longitude and time, whatever wrote it: converters, GPS tracking apps, loggers
 * without a format of their own here, and exports that went through a spreadsheet.
 *
 * - Separator `,` `;` or tab; a decimal comma where the separator is not one. A row of units may follow the header.
 * - Latitude and longitude in two columns, with a letter for the hemisphere before, behind or beside them, or both in
 *   one cell.
 * - Time as ISO date and time with or without a zone, as date and time of day in two columns, as time of day alone, or
 *   as a number: seconds or milliseconds since 1970, or since some moment of the recording.
 * - Dates as people write them count only where the whole column shows which number is the day.
 * - Several clocks in one file are common, and the one that has the date often stays the same for a whole second: the
 *   finest wins.
 * - Speeds rarely name their unit; a column of lap numbers may mark the laps.
 */
import { findColumn, findNamedTable, type ColumnHead, type NamedTable } from '../text/csv-header.ts';
import { readRows } from '../text/csv-table.ts';
import { readFixTable, withUnitRow, type PositionReader } from '../rows/fix-table.ts';
import { chooseTime } from './generic-time.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { degreesInOneCell, degreesWithLetters, splitPosition } from '../rows/position-columns.ts';

export const genericCsv: LapFileFormat = {
  format: 'generic-csv',
  name: 'CSV with latitude, longitude and time',
  recognise: (text) => findTable(text) !== null,
  read: readGenericCsv,
};

// GR Cup's telemetry calls its degrees minutes.
const LATITUDE_NAMES = [...withReceiver(['latitude', 'lat', 'lat min']), 'latitude n/s'];
const LONGITUDE_NAMES = [
  ...withReceiver(['longitude', 'lon', 'lng', 'long', 'long minutes', 'lon minutes', 'long min']),
  'longitude e/w',
];
const LATITUDE_LETTER_NAMES = [
  'n/s',
  'ns',
  'n/s indicator',
  'ns indicator',
  'latitude hemisphere',
  'lat hemisphere',
];
const LONGITUDE_LETTER_NAMES = [
  'e/w',
  'ew',
  'e/w indicator',
  'ew indicator',
  'longitude hemisphere',
  'lon hemisphere',
];
const POSITION_NAMES = withReceiver([
  ...'position, coordinates, coordinate, location, lat lon, lat lng, lat long, latlon, latlng'.split(', '),
  ...'latitude longitude, latitude/longitude, lat/lon, lat/lng, lat/long, gps'.split(', '),
]);
const SPEED_NAMES = withReceiver(['speed', 'velocity', 'ground speed', 'gvel', 'gspd']);
const LAP_NAMES = ['lap number', 'lap', 'lap no', 'lapnumber', 'lap index', 'lapindex'];
const DATE_NAMES = withReceiver(['date', 'date utc', 'utc date']);
// The order is that of trust: a clock set by satellites, one that has the date, the seconds of the recording.
const TIME_NAMES = withReceiver(
  [
    'utc, utc time, time utc, utc timestamp, timestamp utc, unix time, unix timestamp, epoch, epoch time',
    'datetime, date time, datetime utc, timestamp, time stamp, time, postime, local time',
    'itow, tow, time of week, week time',
    'elapsed time, elapsed, time elapsed, session time, seconds, millis, milliseconds, interval',
  ].flatMap((line) => line.split(', ')),
);

/** `latitude` is also called `gps latitude`, `gnss latitude` or `position latitude`; the receiver's own column goes first. */
function withReceiver(names: readonly string[]): string[] {
  const prefixes = ['gps ', 'gnss ', 'vbox ', 'position ', ''];
  return names.flatMap((name) => prefixes.map((prefix) => prefix + name));
}

function findTable({ bytes }: LapFileText): NamedTable | null {
  const inTwoColumns = findNamedTable(
    bytes,
    (heads) => twoColumns(heads) !== null && timeColumns(heads).length > 0,
  );
  if (inTwoColumns !== null) return inTwoColumns;
  const inOneCell = findNamedTable(
    bytes,
    (heads) => oneCell(heads) !== null && timeColumns(heads).length > 0,
  );
  return inOneCell !== null && holdsPositions(inOneCell, oneCell(inOneCell.heads)) ? inOneCell : null;
}

function twoColumns(heads: readonly ColumnHead[]): { lat: number; lon: number } | null {
  const lat = findColumn(heads, LATITUDE_NAMES, isFromReceiver);
  const lon = findColumn(heads, LONGITUDE_NAMES, isFromReceiver);
  return lat === null || lon === null ? null : { lat, lon };
}

function oneCell(heads: readonly ColumnHead[]): number | null {
  return findColumn(heads, POSITION_NAMES, isFromReceiver);
}

/** Columns with names like `GPS` or `position` hold anything; what is in the first rows says. */
function holdsPositions(table: NamedTable, column: number | null): boolean {
  let rows = 0;
  let found = false;
  readRows(table, [column], (row) => {
    found = splitPosition(row.text(0)) !== null;
    rows++;
    return !found && rows < FIRST_ROWS;
  });
  return found;
}

// Loggers are often switched on minutes before the receiver has its fix.
const FIRST_ROWS = 1000;

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
  if (found === null) throw new Error('Only a recognised file is read.');
  const position = positionReader(found.heads);
  const table = withUnitRow(found, position.columns[0] ?? 0);
  return readFixTable(table, {
    position,
    time: chooseTime(table, timeColumns(table.heads), findColumn(table.heads, DATE_NAMES)),
    speed: findColumn(table.heads, SPEED_NAMES, isFromReceiver),
    lap: findColumn(table.heads, LAP_NAMES),
  });
}

function positionReader(heads: readonly ColumnHead[]): PositionReader {
  const columns = twoColumns(heads);
  if (columns === null) return degreesInOneCell(oneCell(heads) ?? 0);
  return degreesWithLetters({
    ...columns,
    latLetter: findColumn(heads, LATITUDE_LETTER_NAMES),
    lonLetter: findColumn(heads, LONGITUDE_LETTER_NAMES),
  });
}
