import type { NamedTable } from '../text/csv-header.ts';
import { readRows, type TableRow } from '../text/csv-table.ts';
import { type TimeReader, numericTime } from '../rows/fix-table.ts';
import { hasZone, parseDate, parseDateTime, parseTimeOfDay } from '../text/iso-timestamp.ts';
import {
  findDayOrder,
  parseLocalizedDate,
  parseLocalizedTime,
  splitDateTime,
  type DayOrder,
} from '../text/localized-date.ts';

/**
 * Chooses the time of a table among the columns that may be it, the most trusted first, by a look at the first rows: the finest one
 * wins. `dateColumn` holds the date of times that are only times of day; null where the table has none. `inParts` reads a time that is
 * written in several columns, which counts unless another one is finer. Throws where there is no candidate.
 */
export function chooseTime(
  table: NamedTable,
  candidates: readonly number[],
  dateColumn: number | null,
  inParts: TimeReader | null = null,
): TimeReader {
  const samples = sampleTimes(table, candidates);
  const finest = Math.max(...samples.map((sample) => sample.distinct));
  if (inParts !== null && !(countTimes(table, inParts) < finest * FINE_ENOUGH)) return inParts;
  const chosen = samples.find((sample) => sample.distinct >= finest * FINE_ENOUGH);
  if (chosen === undefined) throw new Error('Only a table with a time column is recognised.');
  return readerOf(chosen, table, dateColumn);
}

function readerOf(chosen: TimeSample, table: NamedTable, dateColumn: number | null): TimeReader {
  const head = table.heads[chosen.column];
  const isUtc = chosen.hasZone || /utc|gmt|zulu/.test(`${head?.name} ${head?.unit}`);
  if (chosen.kind === 'minutes') return minutesOfRecording(chosen.column);
  if (chosen.kind === 'number') return numericTime(chosen.column, head?.unit);
  if (chosen.kind === 'date-time' || chosen.kind === 'digits-date-time') {
    const read = TIME_PARSERS[chosen.kind];
    return { columns: [chosen.column], read, finish: () => (isUtc ? 'utc' : 'local') };
  }
  const dates = chosen.kind === 'written-date-time' ? chosen.column : dateColumn;
  return dateAndTime({ table, timeColumn: chosen.column, dateColumn: dates, isUtc });
}

const SAMPLE_ROWS = 500;

// A clock that repeats itself a little more often than the finest one is as good; a clock of whole seconds in a file of ten rows a
// second is not.
const FINE_ENOUGH = 0.8;

/** One way to read one column as a time, and how many different times it gives in the first rows. */
type TimeSample = { column: number; kind: TimeKind; hasZone: boolean; distinct: number };

type TimeKind = keyof typeof TIME_PARSERS;

const TIME_PARSERS = {
  'date-time': (row: TableRow, slot: number) => row.read(slot, parseDateTime),
  'written-date-time': (row: TableRow, slot: number) =>
    Number.isNaN(row.read(slot, parseTimeOfDay)) ? timeBehindDate(row, slot) : Number.NaN,
  'digits-date-time': (row: TableRow, slot: number) => row.read(slot, dateTimeOfDigits),
  'time-of-day': timeOfDay,
  minutes: minutesAndSeconds,
  number: (row: TableRow, slot: number) => row.number(slot),
};
const TIME_KINDS = [
  'date-time',
  'written-date-time',
  'digits-date-time',
  'time-of-day',
  'minutes',
  'number',
] as const;

const ZONED_KINDS = new Set<TimeKind>(['date-time', 'digits-date-time']);

/** Lists every column that may be the time, in the order of trust, each in the way that fits its first rows best. */
function sampleTimes(table: NamedTable, candidates: readonly number[]): TimeSample[] {
  const samples = candidates.map((column, slot) => ({
    column,
    slot,
    hasZone: false,
    seen: TIME_KINDS.map((kind) => ({ kind, times: new Set<number>() })),
  }));
  let rows = 0;
  readRows(table, candidates, (row) => {
    for (const sample of samples) {
      for (const { kind, times } of sample.seen) times.add(TIME_PARSERS[kind](row, sample.slot));
      sample.hasZone ||= row.read(sample.slot, hasZone) || row.read(sample.slot, endsWithZ);
    }
    rows++;
    return rows < SAMPLE_ROWS;
  });
  return samples.map(({ column, hasZone, seen }) => {
    const counts = seen.map(({ kind, times }) => ({
      kind,
      distinct: times.size - (times.has(Number.NaN) ? 1 : 0),
    }));
    const best = counts.reduce((most, candidate) => (candidate.distinct > most.distinct ? candidate : most));
    const isZoned = hasZone && ZONED_KINDS.has(best.kind);
    return { column, kind: best.kind, hasZone: isZoned, distinct: best.distinct };
  });
}

/** Counts the different times of the first rows. */
function countTimes(table: NamedTable, { columns, read }: TimeReader): number {
  const times = new Set<number>();
  let rows = 0;
  readRows(table, columns, (row) => {
    times.add(read(row, 0));
    rows += 1;
    return rows < SAMPLE_ROWS;
  });
  return times.size;
}

type DateAndTimeColumns = {
  table: NamedTable;
  timeColumn: number;
  dateColumn: number | null;
  isUtc: boolean;
};

/** Returns a time of day whose date is in another column, before it in the same cell, or missing; a date of unknown order counts as none. */
function dateAndTime({ table, timeColumn, dateColumn, isUtc }: DateAndTimeColumns): TimeReader {
  const isOneCell = timeColumn === dateColumn;
  const order = dateColumn === null ? null : findDayOrder(table, dateColumn);
  const readDate = dateReader(order, isOneCell);
  const hasDate = dateColumn !== null && someRow(table, dateColumn, readDate);
  const dateSlot = isOneCell ? 0 : 1;
  return {
    columns: isOneCell ? [timeColumn] : [timeColumn, hasDate ? dateColumn : null],
    read: (row, slot) =>
      (isOneCell ? timeBehindDate(row, slot) : timeOfDay(row, slot)) +
      (hasDate ? readDate(row, slot + dateSlot) : 0),
    finish: () => (hasDate ? (isUtc ? 'utc' : 'local') : 'time_of_day'),
  };
}

/** Dates rarely change, so the one that was read last is kept. */
function dateReader(order: DayOrder | null, isOneCell: boolean): (row: TableRow, slot: number) => number {
  let lastText = '';
  let lastMs = Number.NaN;
  return (row, slot) => {
    const isoMs = row.read(slot, parseDate);
    if (!Number.isNaN(isoMs)) return isoMs;
    const cell = row.text(slot);
    const text = isOneCell ? (splitDateTime(cell)?.date ?? '') : cell;
    if (text !== lastText) {
      lastText = text;
      lastMs = parseLocalizedDate(text, order);
    }
    return lastMs;
  };
}

function someRow(table: NamedTable, column: number, read: (row: TableRow, slot: number) => number): boolean {
  let rows = 0;
  let found = false;
  readRows(table, [column], (row) => {
    found = !Number.isNaN(read(row, 0));
    rows++;
    return !found && rows < SAMPLE_ROWS;
  });
  return found;
}

/** Reads `20260516T093012.400Z` and `20260516093012`, the short form of ISO 8601. NaN for anything else. */
function dateTimeOfDigits(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < SHORTEST_DIGITS || length > LONGEST_DIGITS) return Number.NaN;
  const text = String.fromCharCode(...bytes.subarray(start, end)).trim();
  const [, year, month, day, hours, minutes, seconds] = DIGITS.exec(text) ?? [];
  if (year === undefined) return Number.NaN;
  const written = `${year}-${month}-${day}T${hours}:${minutes}:${seconds?.replace(',', '.')}`;
  const characters = Uint8Array.from(written, (character) => character.charCodeAt(0));
  return parseDateTime(characters, 0, characters.length);
}

const DIGITS = /^((?:19|20)\d\d)(\d\d)(\d\d)[T _-]?(\d\d)(\d\d)(\d\d(?:[.,]\d{1,9})?)Z?$/i;
const SHORTEST_DIGITS = 14;
const LONGEST_DIGITS = 40;

function endsWithZ(bytes: Uint8Array, start: number, end: number): boolean {
  return end > start && ((bytes[end - 1] ?? 0) | LOWER_CASE) === LETTER_Z;
}

const LOWER_CASE = 0x20;
const LETTER_Z = 0x7a;

/** Reads a time of day, or one since a moment of the recording, before which it is negative: `-00:01:10.00`, `0 days 00:01:10.00`. */
function timeOfDay(row: TableRow, slot: number): number {
  const plain = row.read(slot, parseTimeOfDay);
  if (!Number.isNaN(plain) || !row.read(slot, hasSeconds)) return plain;
  const text = row.text(slot).replace(/^0 days /, '');
  return text.startsWith('-') ? -parseLocalizedTime(text.slice(1)) : parseLocalizedTime(text);
}

function timeBehindDate(row: TableRow, slot: number): number {
  return row.read(slot, hasSeconds)
    ? parseLocalizedTime(splitDateTime(row.text(slot))?.time ?? '')
    : Number.NaN;
}

/** Parses `54:32.1`, as spreadsheets show times without their hours. Without decimals it may be hours and minutes. */
function minutesAndSeconds(row: TableRow, slot: number): number {
  if (!row.read(slot, hasOneColon)) return Number.NaN;
  const [, sign, minutes, seconds] = /^(-?)(\d{1,3}):(\d\d[.,]\d{1,9})$/.exec(row.text(slot)) ?? [];
  const timeMs = Math.round((Number(minutes) * 60 + Number(seconds?.replace(',', '.'))) * 1e6) / 1e3;
  return sign === '-' ? -timeMs : timeMs;
}

/** Returns where the hours are lost, the minutes restart every hour. */
function minutesOfRecording(column: number): TimeReader {
  return {
    columns: [column],
    read: minutesAndSeconds,
    finish: (timesMs) => {
      let hoursMs = 0;
      let beforeMs = Number.NaN;
      for (const [index, timeMs] of timesMs.entries()) {
        if (beforeMs - timeMs > HOUR_MS - HOUR_SLACK_MS) hoursMs += HOUR_MS;
        beforeMs = timeMs;
        timesMs[index] = timeMs + hoursMs;
      }
      return 'elapsed';
    },
  };
}

const HOUR_MS = 3_600_000;

/** A recording may pause at the full hour, but not for long. */
const HOUR_SLACK_MS = 600_000;

const COLON = 0x3a;

function hasOneColon(bytes: Uint8Array, start: number, end: number): boolean {
  const cell = bytes.subarray(start, end);
  const first = cell.indexOf(COLON);
  return first >= 0 && !cell.includes(COLON, first + 1);
}

/** Returns whether a cell has the two colons of hours, minutes and seconds. Without seconds a time is too coarse to be one. */
function hasSeconds(bytes: Uint8Array, start: number, end: number): boolean {
  const cell = bytes.subarray(start, end);
  const first = cell.indexOf(COLON);
  return first >= 0 && cell.includes(COLON, first + 1);
}
