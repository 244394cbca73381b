/**
 * Reads a table without a header: the values alone tell which column is which. Seen from Lemon-Pi, whose rows are a time
 * of day, the seconds since 1970, a counter, latitude, longitude, and more.
 *
 * - Latitude and longitude are the first two neighbouring columns of numbers with four decimals and more that stay
 *   within a degree or two and move. The one that goes beyond 90 is the longitude; else the latitude comes first.
 * - The time is a column of seconds or finer units since 1970, of dates with times, or of times of day. A column that
 *   only counts up may count anything, so it is no time.
 * - Which other column may be a speed, the values do not tell.
 */
import { wrapDegrees } from '../../geo.ts';
import { readFixTable, degrees } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import type { NamedTable } from '../text/csv-header.ts';
import { EVIDENCE_BYTES, lineAt, readRows } from '../text/csv-table.ts';
import { parseDateTime, parseTimeOfDay } from '../text/iso-timestamp.ts';
import { chooseTime } from './generic-time.ts';

export const headerlessCsv: LapFileFormat = {
  format: 'headerless-csv',
  name: 'CSV without a header',
  recognise: (text) => findColumns(text) !== null,
  read: readHeaderlessCsv,
};

type Columns = { table: NamedTable; lat: number; lon: number; times: number[] };

function readHeaderlessCsv(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const columns = findColumns(text);
  if (columns === null) throw new Error('Only a recognised file is read.');
  const { table, lat, lon, times } = columns;
  return readFixTable(table, {
    position: degrees(lat, lon),
    time: chooseTime(table, times, null),
    speed: null,
  });
}

const SAMPLE_ROWS = 300;
const COLUMNS_MAX = 60;
/** One row in ten may look right by accident: positions are missing at first, and rows are cut off. */
const MOST_SHARE = 0.9;
const FEWEST_ROWS = 5;

type ColumnValues = { numbers: number[]; decimals: number[]; clocks: number };

function findColumns({ bytes, head }: LapFileText): Columns | null {
  // A header or a preamble begins with a letter, and other formats with a mark; a comment is none.
  if (!/^(?:\s*#[^\r\n]*[\r\n])*[\s"]*[-+\d]/.test(head)) return null;
  const table: NamedTable = { bytes, separator: findSeparator(bytes), firstRow: 0, heads: [] };
  const columns = sampleColumns(table);
  for (const [index, values] of columns.entries()) {
    const next = columns[index + 1];
    if (next === undefined) continue;
    const isLatFirst = isMovingCoordinate(values, 90) && isMovingCoordinate(next, 180);
    const isLonFirst = isMovingCoordinate(values, 180) && isMovingCoordinate(next, 90);
    if (!isLatFirst && !isLonFirst) continue;
    const [lat, lon] = isLatFirst ? [index, index + 1] : [index + 1, index];
    const times = findTimes(columns).filter((column) => column !== lat && column !== lon);
    return times.length === 0 ? null : { table, lat, lon, times };
  }
  return null;
}

/** Numbers may have decimal commas where semicolons or tabs separate them, so that commas alone do not count. */
function findSeparator(bytes: Uint8Array): number {
  const { start, end } = lineAt(bytes, 0);
  const line = bytes.subarray(start, Math.min(end, start + EVIDENCE_BYTES));
  return [SEMICOLON, TAB].find((mark) => line.includes(mark)) ?? COMMA;
}

const TAB = 0x09;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;

function sampleColumns(table: NamedTable): ColumnValues[] {
  const columns = Array.from({ length: COLUMNS_MAX }, (): ColumnValues => ({
    numbers: [],
    decimals: [],
    clocks: 0,
  }));
  let rows = 0;
  readRows(table, [...columns.keys()], (row) => {
    for (const [slot, values] of columns.entries()) {
      const number = row.number(slot);
      if (!Number.isNaN(number)) {
        values.numbers.push(number);
        values.decimals.push(/[.,](\d+)/.exec(row.text(slot))?.[1]?.length ?? 0);
      } else if (
        !Number.isNaN(row.read(slot, parseDateTime)) ||
        !Number.isNaN(row.read(slot, parseTimeOfDay))
      ) {
        values.clocks += 1;
      }
    }
    rows += 1;
    return rows < SAMPLE_ROWS;
  });
  const most = Math.max(...columns.map(({ numbers, clocks }) => numbers.length + clocks));
  return most < FEWEST_ROWS ? [] : columns;
}

const DECIMALS_MIN = 4;
const REACH_MAX_DEGREES = 2;

function isMovingCoordinate({ numbers, decimals }: ColumnValues, limit: number): boolean {
  if (numbers.length < FEWEST_ROWS) return false;
  const known = numbers.filter((number) => number !== 0);
  const fine = decimals.filter((count) => count >= DECIMALS_MIN).length;
  if (known.length === 0 || fine < decimals.length / 2) return false;
  const isInRange = known.every((number) => Math.abs(number) <= limit);
  const first = known[0] ?? 0;
  const away = known.map((number) => wrapDegrees(number - first));
  const reach = Math.max(...away) - Math.min(...away);
  return isInRange && reach > 0 && reach <= REACH_MAX_DEGREES;
}

/** Finds the columns that may be the time, those that know the date first. */
function findTimes(columns: readonly ColumnValues[]): number[] {
  const rows = Math.max(...columns.map(({ numbers, clocks }) => numbers.length + clocks));
  const isMost = (count: number): boolean => count >= MOST_SHARE * rows;
  const indexes = [...columns.keys()];
  const epochs = indexes.filter((index) => isMost(columns[index]?.numbers.filter(isSince1970).length ?? 0));
  return [...epochs, ...indexes.filter((index) => isMost(columns[index]?.clocks ?? 0))];
}

/** Returns true for seconds, milliseconds, microseconds or nanoseconds of this century up to the year 2100. */
function isSince1970(time: number): boolean {
  return [1, 1e3, 1e6, 1e9].some((unit) => time > 946_684_800 * unit && time < 4_102_444_800 * unit);
}
