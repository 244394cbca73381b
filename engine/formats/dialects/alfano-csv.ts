/**
 * Reads the "classic Excel" CSV of Alfano's ADA app.
 *
 * - Separator `;`, a hundred rows a second. Numbers are grouped, in either way: `17,090.4` or, with a decimal comma,
 *   `17.090,4`.
 * - `Time` restarts with every lap; `Absolute Time` runs on.
 * - The time of day (UTC) of the start is in the name of the last column: `UTC time : 144141.00`. The date is missing.
 * - `Lap` and `Time Lap` are written in the first row of each lap only; the first lap begins with the recording, not at
 *   the line, and the last ends with it. The last row is empty.
 */
import { at } from '../../fix-columns.ts';
import type { LoggerLap } from '../../lap-file.ts';
import { findColumn, type NamedTable } from '../text/csv-header.ts';
import { readRows, type TableRow } from '../text/csv-table.ts';
import { parseDecimal, SECONDS_TO_MS_SHIFT } from '../text/decimal.ts';
import { roundingBetween, roundingOfWritten, rowStepMs } from '../rows/lap-rounding.ts';
import { hasLineWith, readFixTable, requireTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { clockDigitsToMs } from '../rows/numeric-clock.ts';

export const alfanoCsv: LapFileFormat = {
  format: 'alfano-csv',
  name: 'Alfano ADA CSV',
  recognise: ({ head }) => hasLineWith(head, ['absolute time', 'time lap', 'utc time']),
  read: readAlfano,
};

function readAlfano({ bytes, head }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['absolute time'], ['lat'], ['lon']],
    'This Alfano file has no columns with latitude and longitude; check that the logger had a GPS fix.',
  );
  const column = (name: string) => findColumn(table.heads, [name]);
  const number = groupedNumber(isDecimalComma(table, column('lat')));
  const starts: LapStart[] = [];
  const [, digits] = /\bUTC time ?: ?(\d{5,6}(?:[.,]\d{1,3})?)/i.exec(head) ?? [];
  const startMs = digits === undefined ? Number.NaN : clockDigitsToMs(Number(digits.replace(',', '.')));
  const zeroMs = Number.isNaN(startMs) ? 0 : startMs;
  return readFixTable(table, {
    position: {
      columns: [column('lat'), column('lon')],
      lat: (row, slot) => number(row, slot),
      lon: (row, slot) => number(row, slot + 1),
    },
    time: {
      columns: [column('absolute time')],
      read: (row, slot) => zeroMs + number(row, slot, SECONDS_TO_MS_SHIFT),
      finish: () => (Number.isNaN(startMs) ? 'elapsed' : 'time_of_day'),
    },
    speed: column('speed gps'),
    readSpeed: number,
    speedUnit: 'km/h',
    onFix: {
      columns: [column('lap'), column('time lap')],
      see: (row, slot, fixIndex) => {
        const lapNumber = number(row, slot);
        if (!(lapNumber >= 1) || lapNumber === starts.at(-1)?.number) return;
        starts.push({ number: lapNumber, fixIndex, lapTimeMs: number(row, slot + 1, SECONDS_TO_MS_SHIFT) });
      },
    },
    findLaps: (timesMs) => completeLaps(starts, timesMs),
  });
}

type LapStart = { number: number; fixIndex: number; lapTimeMs: number };

/** Leaves out the first and the last lap, which are not whole; where the numbers begin again, so does a recording. */
function completeLaps(starts: readonly LapStart[], timesMs: Float64Array): LoggerLap[] {
  const writtenRoundingMs = roundingOfWritten(starts.map(({ lapTimeMs }) => lapTimeMs));
  return starts
    .map((start, index) => ({ ...start, before: starts[index - 1], next: starts[index + 1] }))
    .filter(({ number, before, next }) => before && next && before.number < number && number < next.number)
    .map(({ number, fixIndex, lapTimeMs, next }) => {
      const startTimeMs = at(timesMs, fixIndex);
      const endIndex = next?.fixIndex ?? fixIndex;
      const betweenRowsMs = at(timesMs, endIndex) - startTimeMs;
      if (Math.abs(lapTimeMs - betweenRowsMs) < ROUNDING_MS)
        return { number, lapTimeMs, startTimeMs, roundingMs: writtenRoundingMs };
      const roundingMs = roundingBetween(rowStepMs(timesMs, fixIndex), rowStepMs(timesMs, endIndex));
      return { number, lapTimeMs: betweenRowsMs, startTimeMs, roundingMs };
    })
    .filter((lap) => lap.lapTimeMs > 0);
}

// The time of a lap has two decimals and so have the rows; a second apart is another lap.
const ROUNDING_MS = 1000;

/** Degrees are never grouped, so the mark in a latitude is the decimal one. */
function isDecimalComma(table: NamedTable, latColumn: number | null): boolean {
  let found = false;
  readRows(table, [latColumn], (row) => {
    found = row.text(0).includes(',');
    return row.isBlank(0);
  });
  return found;
}

/** Reads numbers with one of the two marks, leaving out the other one and whatever else groups their digits. */
function groupedNumber(isComma: boolean): (row: TableRow, slot: number, shift?: number) => number {
  const decimalMark = isComma ? COMMA : POINT;
  return (row, slot, shift = 0) => {
    const plain = row.read(slot, (bytes, start, end) => isPlain(bytes, start, end, decimalMark));
    if (plain) return row.number(slot, shift);
    return row.read(slot, (bytes, start, end) => {
      if (end - start > LONGEST_NUMBER) return Number.NaN;
      const digits = bytes
        .subarray(start, end)
        .filter((byte) => byte === decimalMark || isNumberByte(byte))
        .map((byte) => (byte === COMMA ? POINT : byte));
      return parseDecimal(digits, 0, digits.length, shift);
    });
  };
}

/** Returns whether a number has nothing in it that groups its digits, as nearly all have. */
function isPlain(bytes: Uint8Array, start: number, end: number, decimalMark: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? SPACE;
    if (byte !== decimalMark && !isNumberByte(byte)) return false;
  }
  return true;
}

/** Digits and signs, but neither of the two marks, and no blank of any kind. */
function isNumberByte(byte: number): boolean {
  return byte > SPACE && byte < DELETE && byte !== COMMA && byte !== POINT;
}

const SPACE = 0x20;
const COMMA = 0x2c;
const POINT = 0x2e;
const DELETE = 0x7f;
const LONGEST_NUMBER = 40;
