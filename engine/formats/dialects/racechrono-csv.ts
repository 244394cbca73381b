/**
 * RaceChrono's CSV export, version 3 (seen from RaceChrono Pro 9.1 and 10.1).
 *
 * - A preamble of keys and values; a blank line is inside it where a session has no track. Then three header rows: names,
 *   units and sources. Names repeat (`speed` is there for the receiver, the calculation and the car), so the source decides.
 * - One row per time stamp of any sensor, up to 200 a second, with positions interpolated in straight lines between the fixes.
 * - Whenever the car passes a line, a row is inserted at that very moment. Its `elapsed_time` has five decimals, all others have
 *   three at most; its `timestamp` is rounded to the millisecond. Elsewhere the two clocks differ by a constant.
 * - `device_update_rate` of the receiver says how many of these rows are fixes.
 * - `lap_number` counts from 1 and is empty outside of laps. The export of a single lap carries some seconds of its neighbours.
 */
import {
  findColumn,
  findNamedTable,
  parseColumnHead,
  type ColumnHead,
  type NamedTable,
} from '../text/csv-header.ts';
import { filledLineAt, readRows, splitLine } from '../text/csv-table.ts';
import { ChannelRecorder, findChannels } from '../rows/channel-columns.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { LapNumberRuns } from '../rows/lap-number-runs.ts';
import { ReceiverRate } from '../rows/receiver-rate.ts';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { SECONDS_TO_MS_SHIFT } from '../text/decimal.ts';

export const raceChronoCsvV3: LapFileFormat = {
  format: 'racechrono-csv-v3',
  name: 'RaceChrono CSV v3',
  recognise: ({ head }) => isRaceChrono(head, '3'),
  read: readRaceChronoV3,
};

/** Returns whether a file begins like an export of RaceChrono of this version; null for the first, which does not name any. */
export function isRaceChrono(head: string, version: string | null): boolean {
  return CREATED_BY_RACECHRONO.test(head) && (VERSION.exec(head)?.[1] ?? null) === version;
}

const CREATED_BY_RACECHRONO = /^\s*"?This file is created using RaceChrono/m;
const VERSION = /^"?Format"?[,;\t]"?(\d+)/m;

function readRaceChronoV3(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = findTable(text);
  const column = (name: string, accept?: (head: ColumnHead) => boolean) =>
    findColumn(table.heads, [name], accept);
  const columns = [
    column('timestamp'),
    column('elapsed time'),
    column('latitude', isFromReceiver) ?? column('latitude'),
    column('longitude', isFromReceiver) ?? column('longitude'),
    column('speed', isFromReceiver),
    column('lap number'),
    column('fragment id'),
    column('device update rate', isFromReceiver),
  ];

  const recorder = new LapFileRecorder();
  const runs = new LapNumberRuns();
  const clock = new TwoClocks();
  const rate = new ReceiverRate();
  let fragment = Number.NaN;
  const channels = new ChannelRecorder(findChannels(table.heads));
  readRows(table, [...columns, ...channels.columns], (row) => {
    const rowFragment = row.number(FRAGMENT);
    if (rowFragment !== fragment && !Number.isNaN(rowFragment)) {
      if (!Number.isNaN(fragment)) runs.interrupt();
      fragment = rowFragment;
      clock.restart();
    }
    const timeMs = clock.read(
      row.number(TIMESTAMP, SECONDS_TO_MS_SHIFT),
      row.number(ELAPSED, SECONDS_TO_MS_SHIFT),
    );
    const lat = row.number(LAT);
    const lon = row.number(LON);
    if (row.isGarbled(LAT, lat) || row.isGarbled(LON, lon)) {
      recorder.drop('unreadable_row');
    } else if (recorder.add(timeMs, lat, lon, row.number(SPEED))) {
      runs.see(row.number(LAP), recorder.length - 1, clock.isCrossing);
      rate.see(row.number(RATE));
      channels.see(row, columns.length, recorder.length - 1);
    }
  });

  const { isReordered, ...recorded } = recorder.finish(
    () => (clock.hasTimestamps ? 'utc' : 'elapsed'),
    1,
    channels.finish(recorder.length),
  );
  return {
    ...recorded,
    loggerLaps: isReordered ? [] : runs.finish(recorded.fixes.timesMs),
    receiverRateHz: rate.finish(),
  };
}

function isFromReceiver(head: ColumnHead): boolean {
  return head.source.includes('gps');
}

/** The reader asks for the cells of a row in this order. */
const TIMESTAMP = 0;
const ELAPSED = 1;
const LAT = 2;
const LON = 3;
const SPEED = 4;
const LAP = 5;
const FRAGMENT = 6;
const RATE = 7;

function findTable(text: LapFileText): NamedTable {
  const table = findNamedTable(text.bytes, (heads) => {
    const names = new Set(heads.map((head) => head.name));
    return (
      names.has('latitude') && names.has('longitude') && (names.has('timestamp') || names.has('elapsed time'))
    );
  });
  if (table === null) {
    throw new UnreadableLapFileError(
      'This RaceChrono file has no table of positions; export the session again as CSV v3.',
    );
  }
  const unitLine = filledLineAt(table.bytes, table.firstRow);
  const sourceLine = filledLineAt(table.bytes, unitLine.next);
  const units = splitLine(table.bytes, unitLine, table.separator);
  const sources = splitLine(table.bytes, sourceLine, table.separator);
  const heads = table.heads.map(({ index, name }) =>
    parseColumnHead(index, name, units[index], sources[index]),
  );
  return { ...table, heads, firstRow: sourceLine.next };
}

/** Reads the time of a row from both of its clocks: milliseconds since 1970, as exact as the finer one of the two. */
class TwoClocks {
  /** True once a time came from the clock that knows the date. */
  hasTimestamps = false;
  /** True where the row read last was put in at a line. */
  isCrossing = false;
  /** Start of the elapsed time; NaN until a row says. */
  #offsetMs = Number.NaN;

  read(timestampMs: number, elapsedMs: number): number {
    this.isCrossing = !isWhole(elapsedMs) && !Number.isNaN(elapsedMs);
    if (Number.isNaN(timestampMs)) return this.hasTimestamps ? this.#offsetMs + elapsedMs : elapsedMs;
    this.hasTimestamps = true;
    if (!this.isCrossing) {
      this.#offsetMs = timestampMs - elapsedMs;
      return timestampMs;
    }
    const preciseMs = this.#offsetMs + elapsedMs;
    return Math.abs(preciseMs - timestampMs) < ROUNDING_MS ? preciseMs : timestampMs;
  }

  /** Another recording begins; its elapsed time may start from another moment. */
  restart(): void {
    this.#offsetMs = Number.NaN;
  }
}

// The rounded clock is at most half a millisecond off.
const ROUNDING_MS = 0.51;

function isWhole(milliseconds: number): boolean {
  return Math.abs(milliseconds - Math.round(milliseconds)) < 1e-6;
}
