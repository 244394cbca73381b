/**
 * Reads a table with columns for latitude, longitude and time, whatever wrote it: converters, GPS tracking apps, loggers
 * without a format of their own here, and exports that went through a spreadsheet.
 *
 * - Separator `,` `;` or tab; a decimal comma where the separator is not one. A row of units may follow the header.
 * - Latitude and longitude in two columns, with a letter for the hemisphere before, behind or beside them, or both in
 *   one cell; in degrees, with minutes, or in another unit (position-units.ts).
 * - Time as ISO date and time with or without a zone, as date and time of day in two columns, as time of day alone, in a
 *   column for each of its parts, or as a number: seconds or milliseconds since 1970, or since some moment of the recording.
 * - Dates as people write them count only where the whole column shows which number is the day.
 * - Several clocks in one file are common, and the one that has the date often stays the same for a whole second: the
 *   finest wins.
 * - Speeds rarely name their unit; a column of lap numbers may mark the laps.
 */
import { findColumn, findNamedTable, type ColumnHead, type NamedTable } from '../text/csv-header.ts';
import { readRows } from '../text/csv-table.ts';
import { readFixTable, withUnitRow, type PositionReader } from '../rows/fix-table.ts';
import {
  DATE_NAMES,
  findNamedPair,
  LAP_NAMES,
  LATITUDE_MINUTE_NAMES,
  LATITUDE_NAMES,
  LATITUDE_SECOND_NAMES,
  LONGITUDE_MINUTE_NAMES,
  LONGITUDE_NAMES,
  LONGITUDE_SECOND_NAMES,
  POSITION_NAMES,
  SPEED_NAMES,
  squashHeads,
  TIME_NAMES,
} from './generic-names.ts';
import { findLetters } from './generic-letters.ts';
import { chooseTime } from './generic-time.ts';
import { findTimeParts, timeOfParts } from './generic-time-parts.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { degreesInOneCell, degreesWithLetters, splitPosition } from '../rows/position-columns.ts';
import { inDegrees, type PositionHints } from '../rows/position-units.ts';

export const genericCsv: LapFileFormat = {
  format: 'generic-csv',
  name: 'CSV with latitude, longitude and time',
  recognise: (text) => findTable(text) !== null,
  read: readGenericCsv,
};

type FoundTable = { table: NamedTable; names: ColumnHead[] };

function isTimed(names: ColumnHead[]): boolean {
  return timeColumns(names).length > 0 || findTimeParts(names) !== null;
}

/** Finds the table with the names of its columns as they are compared here. */
function findTable({ bytes }: LapFileText): FoundTable | null {
  const find = (hasPosition: (names: ColumnHead[]) => boolean): FoundTable | null => {
    const table = findNamedTable(bytes, (heads) => {
      const names = squashHeads(heads);
      return hasPosition(names) && isTimed(names);
    });
    return table === null ? null : { table, names: squashHeads(table.heads) };
  };
  const inTwoColumns = find((names) => twoColumns(names) !== null);
  if (inTwoColumns !== null) return inTwoColumns;
  const inOneCell = find((names) => oneCell(names) !== null);
  return inOneCell !== null && holdsPositions(inOneCell.table, oneCell(inOneCell.names)) ? inOneCell : null;
}

function twoColumns(heads: readonly ColumnHead[]): { lat: number; lon: number } | null {
  const lat = findColumn(heads, LATITUDE_NAMES, isFromReceiver);
  const lon = findColumn(heads, LONGITUDE_NAMES, isFromReceiver);
  return lat === null || lon === null || lat === lon
    ? findNamedPair(heads.filter(isFromReceiver))
    : { lat, lon };
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
  const { names } = found;
  const table = withUnitRow(found.table, twoColumns(names)?.lat ?? oneCell(names) ?? 0);
  const written = positionReader(table, names);
  const parts = findTimeParts(names);
  return readFixTable(table, {
    position: inDegrees(table, written, positionHints(table, names)),
    time: chooseTime(table, timeColumns(names), findColumn(names, DATE_NAMES), parts && timeOfParts(parts)),
    speed: findColumn(names, SPEED_NAMES, isFromReceiver),
    lap: findColumn(names, LAP_NAMES),
  });
}

function positionReader(table: NamedTable, names: readonly ColumnHead[]): PositionReader {
  const columns = twoColumns(names);
  if (columns === null) return degreesInOneCell(oneCell(names) ?? 0);
  return degreesWithLetters(findLetters(table, names, columns));
}

function positionHints({ heads }: NamedTable, names: readonly ColumnHead[]): PositionHints {
  const columns: { lat?: number; lon?: number } = twoColumns(names) ?? {};
  const head = heads[columns.lat ?? -1];
  const name = names[columns.lat ?? -1]?.name ?? '';
  return {
    unit: /e[67]$/.exec(name)?.[0] ?? head?.unit ?? '',
    saysMinutes: LATITUDE_MINUTE_NAMES.includes(name),
    lat: findArcParts(names, columns.lat, LATITUDE_PART_NAMES),
    lon: findArcParts(names, columns.lon, LONGITUDE_PART_NAMES),
  };
}

const LATITUDE_PART_NAMES = { minutes: LATITUDE_MINUTE_NAMES, seconds: LATITUDE_SECOND_NAMES };
const LONGITUDE_PART_NAMES = { minutes: LONGITUDE_MINUTE_NAMES, seconds: LONGITUDE_SECOND_NAMES };

function findArcParts(
  names: readonly ColumnHead[],
  degrees: number | undefined,
  { minutes, seconds }: typeof LATITUDE_PART_NAMES,
): PositionHints['lat'] {
  return {
    minutes: findPart(names, degrees, minutes, /^min/),
    seconds: findPart(names, degrees, seconds, /^s/),
  };
}

/** Finds the column of the minutes or seconds beside the degrees in `column`: by a name of its own, or by its unit under the same name. */
function findPart(
  names: readonly ColumnHead[],
  column: number | undefined,
  partNames: readonly string[],
  unit: RegExp,
): number | null {
  const named = findColumn(names, partNames);
  if (named !== null || column === undefined) return named;
  const degrees = names[column]?.name ?? '';
  return findColumn(names, [degrees], (head) => head.index !== column && unit.test(head.unit));
}
