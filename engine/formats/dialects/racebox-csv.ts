/**
 * RaceBox's CSV export, from the app and from the cloud, in all of its presets (custom, bike mode, RaceRenderer, Telemetry Overlay,
 * FastLap).
 *
 * - The presets differ in their names: `Speed`, `Speed (m/s)` or `KPH`, `GForceX` or `X`, with or without `Record`.
 * - An optional block of keys and values, up to a blank line, has the start in UTC (`Date UTC`) and the laps: `Lap 2, 90.000, sectors, …`.
 *   The first of them may be a part of a lap, shorter than the `Best Lap Time`. Its `Time` runs to twelve hours and is not the start.
 * - `Time` is UTC with `Z`, local without, seconds of the recording, or seconds of the GPS week, which begins in the night to Sunday.
 * - The unit of `Speed` is an option that the file does not tell.
 * - `Lap` is 0 outside of laps and changes at the first row after the line.
 * - One row in twenty is missing (steps of 80 ms in 40), and after a lost fix positions are 0/0 for a while.
 * - KML exports are called `.csv` as well; they hold no times and are refused as what they are.
 */
import { at } from '../../fix-columns.ts';
import type { Clock, LoggerLap } from '../../lap-file.ts';
import { findColumn, findNamedTable, type ColumnHead, type NamedTable } from '../text/csv-header.ts';
import { readRows } from '../text/csv-table.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';
import { degrees, readFixTable, type TimeReader } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { hasZone, parseDateTime } from '../text/iso-timestamp.ts';
import { SECONDS_TO_MS_SHIFT } from '../text/decimal.ts';

export const raceBoxCsv: LapFileFormat = {
  format: 'racebox-csv',
  name: 'RaceBox CSV',
  recognise: (text) => findTable(text) !== null,
  read: readRaceBoxCsv,
};

const SPEED_NAMES = ['speed', 'kph', 'mph', 'mps'];

function readRaceBoxCsv(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = findTable(text);
  if (table === null) throw new Error('Only a recognised file is read.');
  const column = (...names: string[]) => findColumn(table.heads, names);
  const speed = column(...SPEED_NAMES);
  const nameOfSpeed = table.heads[speed ?? -1]?.name ?? '';
  const content = readFixTable(table, {
    position: degrees(column('latitude'), column('longitude')),
    time: chooseTime(table, column('time'), text.head),
    speed,
    ...(nameOfSpeed !== 'speed' && { speedUnit: nameOfSpeed }),
    lap: column('lap'),
  });
  return { ...content, loggerLaps: officialLaps(text.head, content.loggerLaps) };
}

/** The sensors of the device tell its tables from others; a block in front of it, where there is one, says what it is. */
function findTable({ bytes, head }: LapFileText): NamedTable | null {
  const isNamed = /^"?Format"?[,;\t]"?RaceBox CSV/m.test(head);
  return findNamedTable(bytes, (heads: ColumnHead[]) => {
    const has = (...names: string[]) => findColumn(heads, names) !== null;
    const hasSensors = has('gyrox', 'gforcex') && has('lap') && has(...SPEED_NAMES);
    return has('time') && has('latitude') && has('longitude') && (isNamed || hasSensors);
  });
}

function chooseTime(table: NamedTable, column: number | null, head: string): TimeReader {
  let isDate = false;
  let isUtc = false;
  readRows(table, [column], (row) => {
    isDate = !Number.isNaN(row.read(0, parseDateTime));
    isUtc = row.read(0, hasZone);
    return !isDate && Number.isNaN(row.number(0));
  });
  if (isDate) {
    return {
      columns: [column],
      read: (row, slot) => row.read(slot, parseDateTime),
      finish: () => (isUtc ? 'utc' : 'local'),
    };
  }
  return {
    columns: [column],
    read: (row, slot) => row.number(slot, SECONDS_TO_MS_SHIFT),
    finish: (timesMs) => finishSeconds(timesMs, parseStart(head)),
  };
}

/** Puts seconds on the start of the recording where it is known; in place. */
function finishSeconds(timesMs: Float64Array, startMs: number): Clock {
  if (Number.isNaN(startMs)) return 'elapsed';
  const shiftMs = startMs - at(timesMs, 0);
  for (let index = 0; index < timesMs.length; index++) timesMs[index] = at(timesMs, index) + shiftMs;
  return 'utc';
}

function parseStart(head: string): number {
  const [, written = ''] = /^"?Date UTC"?[,;\t]\s*"?([^",;\t\r\n]+)/m.exec(head) ?? [];
  const bytes = Uint8Array.from(written, (character) => character.charCodeAt(0));
  return parseDateTime(bytes, 0, bytes.length);
}

/** The laps of the block, which are as exact as the device, with the starts that the rows tell; without a block, those of the rows. */
function officialLaps(head: string, lapsOfRows: LoggerLap[]): LoggerLap[] {
  const bestMs = parseSeconds(BEST_LAP.exec(head)?.[1]);
  const laps = [...head.matchAll(LAP)].map(([, number, seconds]) => ({
    number: Number(number),
    lapTimeMs: Math.round(parseSeconds(seconds)),
  }));
  if (laps.length === 0) return lapsOfRows;
  const roundingMs = roundingOfWritten(laps.map(({ lapTimeMs }) => lapTimeMs));
  return laps
    .filter(({ lapTimeMs }) => lapTimeMs > 0 && lapTimeMs >= bestMs - ROUNDING_MS)
    .filter(({ number }, index, whole) => whole.findIndex((lap) => lap.number === number) === index)
    .map(({ number, lapTimeMs }) => {
      const startTimeMs = lapsOfRows.find((lap) => lap.number === number)?.startTimeMs ?? null;
      return { number, lapTimeMs, startTimeMs, roundingMs };
    });
}

const ROUNDING_MS = 1;

// Spreadsheets put semicolons between the cells, and commas into the numbers.
const BEST_LAP = /^"?Best Lap Time"?[,;\t][ "]*(\d+(?:[.,]\d+)?)/m;
const LAP = /^"?Lap (\d+)"?[,;\t][ "]*(\d+(?:[.,]\d+)?)"?[,;\t][ "]*sectors/gm;

function parseSeconds(seconds = '0'): number {
  return Number(seconds.replace(',', '.')) * 1000;
}
