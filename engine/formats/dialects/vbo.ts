/**
 * Racelogic's VBO text format (racelogic.support, "VBO file format"), as VBOX loggers, RaceBox, RaceChrono, Harry's LapTimer, dragy and
 * converters write it.
 *
 * - Sections in brackets. `[column names]` names the columns of `[data]`; the order differs (RaceBox puts `sats` last and calls the
 *   longitude `lng`), some exports declare a `sats` that their rows do not have, and some have no names at all.
 * - Latitude and longitude are minutes in all, and west is positive. Some writers put degrees there; east is positive then.
 * - Time is the time of day in UTC, six digits and decimals: `062826.960`. The first line has a date, but RaceChrono writes the date of
 *   the session and Harry's LapTimer that of the export; RaceBox and dragy have a better one among the comments.
 * - RaceBox cuts its 25 stamps a second down to hundredths after calculating them: one in eight is 0.01 s too early (`.15` for `.16`).
 * - Speed is in km/h, in knots where the header says so (old PRO LITE loggers).
 * - RaceChrono and Harry's LapTimer write ten rows a second, interpolated, whatever the receiver does.
 * - `[laptiming]` holds the line that the logger timed on: see vbo-line.ts.
 * - The header is windows-1252 or UTF-8. Some converters write decimal commas.
 */
import { UnreadableLapFileError } from '../../lap-file.ts';
import { median, medianIntervalMs } from '../../statistics.ts';
import { at } from '../../fix-columns.ts';
import { lineAt, detectLineEnd } from '../text/csv-table.ts';
import { ChannelRecorder, findChannels, type ChannelColumn } from '../rows/channel-columns.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { clockDigitsToMs } from '../rows/numeric-clock.ts';
import { applyRecordingDate } from '../rows/recording-date.ts';
import { metersPerSecondIn } from '../rows/speed-unit.ts';
import { ReceiverRate } from '../rows/receiver-rate.ts';
import { decodeText } from '../text/text-encoding.ts';
import { readVboLine } from './vbo-line.ts';
import { WhitespaceFields } from '../text/whitespace-fields.ts';

export const vbo: LapFileFormat = {
  format: 'vbo',
  name: 'Racelogic VBO',
  recognise: ({ head }) => /^\s*\[(?:header|column names|data)\]/im.test(head),
  read: readVbo,
};

function readVbo(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const { preamble, rows: written } = splitSections(text.bytes);
  const rows = withPoints(written);
  const columns = findColumns(preamble);
  const inMinutes = isInMinutes(rows, columns);
  const [latScale, lonScale] = inMinutes ? [1 / 60, -1 / 60] : [1, 1];

  const recorder = new LapFileRecorder();
  const rate = new ReceiverRate();
  const channels = new ChannelRecorder(columns.channels);
  eachRow(rows, (words) => {
    const shift = columns.isSatsFirst && words.number(0) > MOST_SATS ? -1 : 0;
    const number = (column: number | null) => words.number(column === null ? -1 : column + shift);
    const [lat, lon] = [number(columns.lat), number(columns.lon)];
    if (Number.isNaN(lat) || Number.isNaN(lon)) {
      recorder.drop('unreadable_row');
      return;
    }
    const timeMs = clockDigitsToMs(number(columns.time));
    if (recorder.add(timeMs, lat * latScale, lon * lonScale, number(columns.speed))) {
      rate.see(number(columns.rate));
      for (const { channel, column, factor } of columns.channels)
        channels.set(channel, recorder.length - 1, factor * number(column));
    }
  });

  const unit = /^\s*velocity[ _](\S+)/im.exec(preamble)?.[1] ?? 'km/h';
  const { fixes, clock } = recorder.finish(
    (timesMs) => {
      raiseCutStamps(timesMs);
      return applyRecordingDate(timesMs, createdAt(preamble));
    },
    metersPerSecondIn(unit),
    channels.finish(recorder.length),
  );
  return {
    fixes,
    clock,
    dropped: recorder.dropped,
    loggerLaps: [],
    receiverRateHz: rate.finish(),
    startFinishLine: readVboLine(preamble, fixes, { latScale, lonScale }),
  };
}

/** Returns rows with decimal commas, which some converters write, with points. Blanks separate the values, so a comma is nothing else. */
function withPoints(rows: Uint8Array): Uint8Array {
  const beginning = decodeText(rows.subarray(0, COMMA_BYTES));
  if (beginning.includes('.') || !/\d,\d/.test(beginning)) return rows;
  return rows.map((byte) => (byte === COMMA ? POINT : byte));
}

const COMMA_BYTES = 1000;
const COMMA = 0x2c;
const POINT = 0x2e;

type Columns = {
  time: number;
  lat: number;
  lon: number;
  speed: number | null;
  rate: number | null;
  channels: ChannelColumn[];
  isSatsFirst: boolean;
};

/** The satellites in use, with marks for a trigger (64) and for corrections (128). */
const MOST_SATS = 255;

/** Splits the file into everything before the rows, as characters, and the rows. */
function splitSections(bytes: Uint8Array): { preamble: string; rows: Uint8Array } {
  const lineEnd = detectLineEnd(bytes);
  for (let position = 0; position < Math.min(bytes.length, LONGEST_PREAMBLE);) {
    const line = lineAt(bytes, position, lineEnd);
    const isData =
      line.end - line.start < 20 && /^\s*\[data\]/i.test(decodeText(bytes.subarray(line.start, line.end)));
    if (isData) {
      const preamble = decodeText(bytes.subarray(0, line.start))
        .replaceAll(/\r\n?/g, '\n')
        // Spreadsheets fill lines up with empty cells.
        .replaceAll(/(?<![,;])[,;]+$/gm, '');
      return { preamble, rows: bytes.subarray(line.next) };
    }
    position = line.next;
  }
  throw new UnreadableLapFileError(
    'This VBO file has no rows of data in it; export the session again with its data.',
  );
}

const LONGEST_PREAMBLE = 1_000_000;

function findColumns(preamble: string): Columns {
  const declared = findSection(preamble, 'column names').join(' ').trim();
  const names = (
    declared === ''
      ? findSection(preamble, 'header').filter((name) => name.trim() !== '')
      : declared.split(/\s+/)
  ).map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[-_\s]+/g, ' '),
  );
  const find = (...wanted: string[]) => {
    const index = names.findIndex((name) => wanted.includes(name));
    return index < 0 ? null : index;
  };
  const time = find('time', 'utc', 'utc time');
  const lat = find('lat', 'latitude');
  const lon = find('long', 'lng', 'lon', 'longitude');
  const speed = find('velocity', 'speed', 'velocity kmh', 'velocity knots', 'speed kmh');
  if (time === null || lat === null || lon === null) return RACELOGIC_COLUMNS;
  return {
    time,
    lat,
    lon,
    speed,
    rate: find('device update rate'),
    channels: findChannels(names.map((name) => ({ name, unit: '', source: '' }))),
    isSatsFirst: find('sats', 'satellites') === 0,
  };
}

const RACELOGIC_COLUMNS: Columns = {
  time: 1,
  lat: 2,
  lon: 3,
  speed: 4,
  rate: null,
  channels: [],
  isSatsFirst: true,
};

function findSection(preamble: string, name: string): string[] {
  const lines = preamble.split('\n');
  const start = lines.findIndex((line) => line.trim().toLowerCase() === `[${name}]`);
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex((line) => line.trimStart().startsWith('['));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
}

/**
 * Minutes are larger than any degrees nearly everywhere, and Racelogic fills them up with zeros, unlike degrees.
 * Receivers without a fix write zeros first, so a good number of rows is looked at.
 */
function isInMinutes(rows: Uint8Array, columns: Columns): boolean {
  let looked = 0;
  let found = false;
  eachRow(rows, (words) => {
    const shift = columns.isSatsFirst && words.number(0) > MOST_SATS ? -1 : 0;
    const [lat, lon] = [columns.lat + shift, columns.lon + shift];
    found ||= Math.abs(words.number(lat)) > 90 || Math.abs(words.number(lon)) > 180;
    found ||= [lat, lon].some((column) => /^[+-]?0\d{3}/.test(words.text(column)));
    looked++;
    return !found && looked < ROWS_LOOKED_AT;
  });
  return found;
}

const ROWS_LOOKED_AT = 5000;

/** Returns when the recording began, as far as the file says: milliseconds since 1970, or NaN. */
function createdAt(preamble: string): number {
  const [, day, month, year, hour, minute] = STARTED.exec(preamble) ?? CREATED.exec(preamble) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}

const STARTED = /^UTC Date Started\s*:\s*(\d\d)\/(\d\d)\/(\d{4}) +(\d\d):(\d\d)/im;
const CREATED = /^File created on (\d\d)\/(\d\d)\/(\d{4}) *(?:@|at) *(\d\d):(\d\d)/im;

/** Calls `visit` with the words of every line that is not blank, until it answers false. */
function eachRow(rows: Uint8Array, visit: (words: WhitespaceFields) => boolean | void): void {
  const lineEnd = detectLineEnd(rows);
  const words = new WhitespaceFields(rows);
  for (let position = 0; position < rows.length;) {
    const line = lineAt(rows, position, lineEnd);
    position = line.next;
    words.split(line);
    if (words.count > 0 && visit(words) === false) return;
  }
}

/**
 * Puts stamps right that were cut down by a hundredth of a second, in place: nearly all are whole multiples of the step between
 * them, and the others are short of one by exactly a hundredth.
 */
function raiseCutStamps(timesMs: Float64Array): void {
  const stepMs = medianIntervalMs(timesMs, timesMs.length) ?? 0;
  if (stepMs <= 2 * CUT_MS) return;
  const usual = median([...timesMs.subarray(0, STAMPS_LOOKED_AT)].map((timeMs) => timeMs % stepMs)) ?? 0;
  const isShort = (timeMs: number) => isNear((timeMs + CUT_MS - usual) % stepMs, stepMs);
  const isOnStep = (timeMs: number) => isNear((timeMs - usual) % stepMs, stepMs);
  const onStep = timesMs.filter(isOnStep).length;
  const short = timesMs.filter(isShort).length;
  if (onStep < timesMs.length * ON_STEP_SHARE || onStep + short < timesMs.length * KNOWN_SHARE) return;
  for (let index = 0; index < timesMs.length; index++) {
    const timeMs = at(timesMs, index);
    if (isShort(timeMs)) timesMs[index] = timeMs + CUT_MS;
  }
}

const CUT_MS = 10;
const STAMPS_LOOKED_AT = 4000;
const ON_STEP_SHARE = 0.7;
const KNOWN_SHARE = 0.98;

/** Returns whether a remainder is none, for doubles. */
function isNear(remainder: number, stepMs: number): boolean {
  return Math.min(Math.abs(remainder), stepMs - Math.abs(remainder)) < 0.01;
}
