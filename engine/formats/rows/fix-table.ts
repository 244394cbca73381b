import { type Clock, type DropReason, type LoggerLap, UnreadableLapFileError } from '../../lap-file.ts';
import {
  parseColumnHead,
  findColumn,
  findNamedTable,
  type ColumnHead,
  type NamedTable,
} from '../text/csv-header.ts';
import { filledLineAt, readRows, splitLine, type TableRow } from '../text/csv-table.ts';
import { ChannelRecorder, findChannels } from './channel-columns.ts';
import { LaterHeader } from './later-header.ts';
import { LapFileRecorder, type LapFileFormat } from './lap-file-format.ts';
import { LapNumberRuns } from './lap-number-runs.ts';
import { findNumericClock } from './numeric-clock.ts';
import { RestartedClock } from './restarted-clock.ts';
import { metersPerSecondIn } from './speed-unit.ts';
import { SECONDS_TO_MS_SHIFT } from '../text/decimal.ts';

/**
 * Describes how something is read from a row: from which columns, and from their cells, the first of which is cell
 * `slot` of the row. A table that lacks a column has null for it; its cells are blank.
 */
export type CellReader<Value> = {
  columns: readonly (number | null)[];
  read: (row: TableRow, slot: number) => Value;
};

/** Reads the time of a row as a number, and turns all of them into milliseconds, in place, once the file has been read. */
export type TimeReader = CellReader<number> & { finish: (times: Float64Array) => Clock };

/** Describes latitude and longitude of a row in degrees, NaN where they cannot be read. */
export type PositionReader = {
  columns: readonly (number | null)[];
  lat: (row: TableRow, slot: number) => number;
  lon: (row: TableRow, slot: number) => number;
  /** Returns whether a latitude or longitude is a 0 that stands for an empty cell. */
  isHole?: (lat: number, lon: number) => boolean;
};

/** Says in which columns of a table the parts of a fix are. */
export type FixTableLayout = {
  position: PositionReader;
  time: TimeReader;
  /** The column of the receiver's speed. */
  speed: number | null;
  /** Reads the speed where it is not a plain number. */
  readSpeed?: (row: TableRow, slot: number) => number;
  /** The unit of the speed where the head of its column does not name it. */
  speedUnit?: string;
  /** The column of lap numbers. */
  lap?: number | null;
  /** The laps that the rows tell, from the times of the fixes; by default those of the column `lap`. */
  findLaps?: (timesMs: Float64Array) => LoggerLap[];
  /** Why a row is no fix although it has a time and a position; null for a good one. */
  skip?: CellReader<DropReason | null>;
  /** Sees every row that became the fix with this index. */
  onFix?: {
    columns: readonly (number | null)[];
    see: (row: TableRow, slot: number, fixIndex: number) => void;
  };
};

/** Reads the fixes of a table with the channels beside them, and the laps where a column numbers them. */
export function readFixTable(table: NamedTable, layout: FixTableLayout): ReturnType<LapFileFormat['read']> {
  const { position, time, speed, lap = null, skip = NEVER, onFix = IGNORE } = layout;
  const readSpeed = layout.readSpeed ?? ((row: TableRow, slot: number) => row.number(slot));
  const recorder = new LapFileRecorder();
  const runs = new LapNumberRuns();
  const lapClock = new RestartedClock();
  const channels = new ChannelRecorder(findChannels(table.heads));
  const timeSlot = position.columns.length;
  const speedSlot = timeSlot + time.columns.length;
  const lapSlot = speedSlot + 1;
  const skipSlot = lapSlot + 1;
  const onFixSlot = skipSlot + skip.columns.length;
  const channelSlot = onFixSlot + onFix.columns.length;
  const columns = [position, time, { columns: [speed, lap] }, skip, onFix, channels].flatMap(
    (part) => part.columns,
  );
  const laterHeader = new LaterHeader(table, {
    position: position.columns,
    others: [...time.columns, speed, lap],
    channels: channels.columns,
  });
  readRows(table, columns, (row) => {
    const lat = position.lat(row, 0);
    const lon = position.lon(row, 0);
    if (Number.isNaN(lat) && Number.isNaN(lon)) laterHeader.see(row);
    // The longitude is in the second cell, or beside the latitude in the only one.
    if (row.isGarbled(0, lat) || row.isGarbled(timeSlot > 1 ? 1 : 0, lon)) {
      recorder.drop('unreadable_row');
      return;
    }
    const reason = position.isHole?.(lat, lon) ? 'no_position' : skip.read(row, skipSlot);
    const written = time.read(row, timeSlot);
    if (reason !== null) {
      recorder.drop(reason);
    } else if (recorder.add(written, lat, lon, readSpeed(row, speedSlot))) {
      if (lap !== null) {
        runs.see(row.number(lapSlot), recorder.length - 1);
        lapClock.see(written, row.number(lapSlot));
      }
      onFix.see(row, onFixSlot, recorder.length - 1);
      if (!laterHeader.hasOtherChannels) channels.see(row, channelSlot, recorder.length - 1);
    }
  });

  lapClock.refuse();
  const labelled = metersPerSecondIn(layout.speedUnit ?? table.heads[speed ?? -1]?.unit ?? '');
  const { isReordered, ...recorded } = recorder.finish(
    time.finish,
    labelled,
    channels.finish(recorder.length),
  );
  const findLaps = layout.findLaps ?? ((timesMs: Float64Array) => runs.finish(timesMs));
  return {
    ...recorded,
    // Rows in another order have the numbers of the laps in another order, too.
    loggerLaps: isReordered ? [] : findLaps(recorded.fixes.timesMs),
  };
}

const NEVER: CellReader<null> = { columns: [], read: () => null };
const IGNORE = { columns: [], see: () => {} };

/** Returns a reader of two columns of plain degrees. */
export function degrees(lat: number | null, lon: number | null): PositionReader {
  return {
    columns: [lat, lon],
    lat: (row, slot) => row.number(slot),
    lon: (row, slot) => row.number(slot + 1),
  };
}

/** Returns a column of numbers whose size and unit tell what they count from. */
export function numericTime(column: number | null, unit = ''): TimeReader {
  return {
    columns: [column],
    read: (row, slot) => row.number(slot),
    finish: (times) => findNumericClock(times, unit),
  };
}

/** Returns a column of seconds since `startMs`, which is on the clock that is given. */
export function secondsSince(column: number | null, startMs: number, clock: Clock): TimeReader {
  return {
    columns: [column],
    read: (row, slot) => startMs + row.number(slot, SECONDS_TO_MS_SHIFT),
    finish: () => clock,
  };
}

/** Returns whether one line near the beginning of a file holds all of these words, in any case: names of columns, for example. */
export function hasLineWith(head: string, words: readonly string[]): boolean {
  return head
    .toLowerCase()
    .split(/[\r\n]+/)
    .some((line) => words.every((word) => line.includes(word)));
}

/** Returns the table with a column of every list of names. Throws UnreadableLapFileError with this sentence. */
export function requireTable(
  bytes: Uint8Array,
  required: readonly (readonly string[])[],
  sentence: string,
): NamedTable {
  const table = findNamedTable(bytes, (heads) =>
    required.every((names) => findColumn(heads, names) !== null),
  );
  if (table === null) throw new UnreadableLapFileError(sentence);
  return table;
}

/** The row below the header may name the units: what is under `column`, where numbers are expected, is then a word. */
export function withUnitRow(table: NamedTable, column: number): NamedTable {
  const line = filledLineAt(table.bytes, table.firstRow);
  const units = splitLine(table.bytes, line, table.separator);
  const under = units[column] ?? '';
  if (under === '' || /\d/.test(under)) return table;
  const heads = table.heads.map((head): ColumnHead =>
    head.unit === '' ? { ...head, unit: parseColumnHead(0, '', units[head.index] ?? '').unit } : head,
  );
  return { ...table, heads, firstRow: line.next };
}
