/**
 * Reads the CSV files of small GPS data loggers, in two shapes: that of the MTK family (Qstarz BT-Q1000, iBlue 747,
 * Transystem) as its own programs and BT747 write it, and that of Columbus V-900 and its successors (gpsbabel.org
 * describes both).
 *
 * - The hemisphere is a letter: beside the number with Qstarz, where the number may have its sign as well, and behind it
 *   with Columbus.
 * - With Qstarz, cells name their units: `99.859 m`, `0.302 km/h`. Other programs put them into the header. Date and
 *   time are ISO. Spreadsheets put semicolons between the cells. `VALID` says `NO FIX` where there is none; `MS`, where
 *   there is one, holds the milliseconds of the time.
 * - With Columbus, date and time are digits, `090421` and `061051`, and cells are filled up with zero bytes or blanks.
 * - Times are UTC. Rows without them are marks that the user has set.
 */
import { findColumn, type NamedTable } from '../text/csv-header.ts';
import type { TableRow } from '../text/csv-table.ts';
import { hasLineWith, readFixTable, requireTable, type TimeReader } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { clockDigitsToMs } from '../rows/numeric-clock.ts';
import { degreesWithLetters } from '../rows/position-columns.ts';
import { parseDate, parseTimeOfDay } from '../text/iso-timestamp.ts';

export const qstarzCsv: LapFileFormat = {
  format: 'qstarz-csv',
  name: 'Qstarz and iBlue CSV',
  recognise: ({ head }) => hasLineWith(head, ['index', 'valid', 'latitude', 'n/s', 'longitude', 'e/w']),
  read: (text) => readGpsLogger(text, isoTime),
};

export const columbusCsv: LapFileFormat = {
  format: 'columbus-csv',
  name: 'Columbus CSV',
  recognise: ({ head }) => hasLineWith(head, ['index', 'tag', 'latitude n/s', 'longitude e/w']),
  read: (text) => readGpsLogger(text, digitTime),
};

function readGpsLogger(
  { bytes }: LapFileText,
  time: (table: NamedTable) => TimeReader,
): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [LATITUDE_NAMES, LONGITUDE_NAMES, TIME_NAMES],
    'This GPS logger file has no column with times; export it with date and time.',
  );
  const column = (...names: string[]) => findColumn(table.heads, names);
  return readFixTable(table, {
    position: degreesWithLetters({
      lat: column(...LATITUDE_NAMES) ?? 0,
      lon: column(...LONGITUDE_NAMES) ?? 0,
      latLetter: column('n/s'),
      lonLetter: column('e/w'),
    }),
    time: time(table),
    speed: column('speed'),
    readSpeed: numberWithUnit,
    speedUnit: 'km/h',
    skip: {
      columns: [column('valid')],
      read: (row, slot) => (/^no ?fix/i.test(row.text(slot)) ? 'no_position' : null),
    },
  });
}

const LATITUDE_NAMES = ['latitude', 'latitude n/s'];
const LONGITUDE_NAMES = ['longitude', 'longitude e/w'];
const TIME_NAMES = ['utc time', 'time'];
const DATE_NAMES = ['utc date', 'date'];

function isoTime({ heads }: NamedTable): TimeReader {
  return {
    columns: [DATE_NAMES, TIME_NAMES, ['ms']].map((names) => findColumn(heads, names)),
    read: (row, slot) =>
      row.read(slot, parseDate) +
      row.read(slot + 1, parseTimeOfDay) +
      (row.isBlank(slot + 2) ? 0 : row.number(slot + 2)),
    finish: () => 'utc',
  };
}

function digitTime({ heads }: NamedTable): TimeReader {
  return {
    columns: [DATE_NAMES, TIME_NAMES].map((names) => findColumn(heads, names)),
    read: (row, slot) => parseDateDigits(row.number(slot)) + clockDigitsToMs(row.number(slot + 1)),
    finish: () => 'utc',
  };
}

/** 90421 is 2009-04-21. */
function parseDateDigits(digits: number): number {
  const [year, month, day] = [Math.trunc(digits / 10_000), Math.trunc(digits / 100) % 100, digits % 100];
  return year < 100 && month >= 1 && month <= 12 && day >= 1 && day <= 31
    ? Date.UTC(2000 + year, month - 1, day)
    : Number.NaN;
}

/** Parses `0.302 km/h` and `0.302`. */
function numberWithUnit(row: TableRow, slot: number): number {
  const plain = row.number(slot);
  if (!Number.isNaN(plain)) return plain;
  const [, number] = /^(\d{1,6}(?:[.,]\d{1,12})?) ?[a-z/]{1,6}$/i.exec(row.text(slot)) ?? [];
  return number === undefined ? Number.NaN : Number(number.replace(',', '.'));
}
