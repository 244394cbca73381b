import { at } from '../../fix-columns.ts';
import type { LoggerLap } from '../../lap-file.ts';
import { namesSimulator } from '../simulators.ts';
import { findColumn, type NamedTable } from '../text/csv-header.ts';
import { lineAt, detectLineEnd, splitLine } from '../text/csv-table.ts';
import { roundingBetween } from '../rows/lap-rounding.ts';
import { degrees, readFixTable, requireTable, secondsSince, withUnitRow } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';

/** Describes what comes before the table: the cells behind each key, in lower case without the blanks around it. */
export type Preamble = ReadonlyMap<string, readonly string[]>;

/** Describes what the writers of such tables do each in their own way. */
export type BeaconCsv = {
  /** The name of its maker, for the sentence that refuses a file without positions. */
  maker: string;
  speedNames: readonly string[];
  /** Start of the recording, on a clock of unknown time zone; NaN where the preamble does not tell. */
  startMs: (preamble: Preamble) => number;
};

/**
 * Reads the table that AiM's and MoTeC's analysis programs export: a preamble of keys and values, the seconds of the recording in the
 * first column, units in a row of their own, and the passes over the beacon (the start/finish line) in the preamble.
 */
export function readBeaconCsv({ bytes }: LapFileText, kind: BeaconCsv): ReturnType<LapFileFormat['read']> {
  const found = requireTable(
    bytes,
    [['time'], LATITUDE_NAMES, LONGITUDE_NAMES],
    `This ${kind.maker} file has no columns with GPS latitude and longitude; add these channels to the export.`,
  );
  const column = (names: readonly string[]) => findColumn(found.heads, names);
  const lat = column(LATITUDE_NAMES);
  const preamble = readPreamble(found);
  const startMs = kind.startMs(preamble);
  const markersMs = parseMarkers(preamble);
  const hasMarkers = markersMs.length > 0;
  const content = readFixTable(withUnitRow(found, lat ?? 0), {
    position: degrees(lat, column(LONGITUDE_NAMES)),
    time: Number.isNaN(startMs)
      ? secondsSince(column(['time']), 0, 'elapsed')
      : secondsSince(column(['time']), startMs, 'local'),
    speed: column(kind.speedNames),
    lap: hasMarkers ? null : column(LAP_NAMES),
  });
  const isSimulated = namesSimulator(DESCRIPTIONS.flatMap((key) => preamble.get(key) ?? []));
  if (!hasMarkers) return { ...content, isSimulated };
  const { timesMs, length } = content.fixes;
  const zeroMs = Number.isNaN(startMs) ? 0 : startMs;
  const endMs = Math.max(at(timesMs, length - 1) - zeroMs, parseDuration(preamble));
  return { ...content, isSimulated, loggerLaps: lapsBetween(markersMs, endMs, zeroMs) };
}

/** Lists the keys under which exporters of simulators name themselves or the simulator's own tracks. */
const DESCRIPTIONS = [
  'device',
  'venue',
  'vehicle',
  'event',
  'session',
  'comment',
  'short comment',
  'long comment',
];

export const LATITUDE_NAMES = ['gps latitude', 'gps lat', 'latitude', 'lat'];
export const LONGITUDE_NAMES = ['gps longitude', 'gps lon', 'gps long', 'longitude', 'lon', 'long'];
const LAP_NAMES = ['lap number', 'lap'];

function readPreamble({ bytes, separator, firstRow }: NamedTable): Preamble {
  const lineEnd = detectLineEnd(bytes);
  const preamble = new Map<string, string[]>();
  for (let position = 0; position < firstRow;) {
    const line = lineAt(bytes, position, lineEnd);
    position = line.next;
    const [key = '', ...values] = splitLine(bytes, line, separator);
    // The first wins: the header of the table has keys of the preamble among its names, such as Time.
    if (key !== '' && !preamble.has(key.toLowerCase())) preamble.set(key.toLowerCase(), values);
  }
  return preamble;
}

/**
 * Parses the markers, one cell each or all in one cell with blanks between them; in milliseconds since the recording began, in order.
 * Returns none where one of them cannot be read: two laps would become one.
 */
function parseMarkers(preamble: Preamble): number[] {
  const cells = preamble.get('beacon markers') ?? [];
  const markers = cells
    .flatMap((cell) => cell.slice(0, LONGEST_CELL).split(/\s+/))
    .filter((word) => /\d/.test(word))
    .map(parseSeconds)
    .slice(0, MOST_MARKERS);
  return markers.some(Number.isNaN) ? [] : [...new Set(markers)].toSorted((a, b) => a - b);
}

// A day of the shortest laps has no more markers, which bounds the room that they take in one cell.
const MOST_MARKERS = 10_000;
const LONGEST_CELL = 15 * MOST_MARKERS;

/** Parses `535.996`, `535,996`, `0:08:55.996` or nothing, which is 0. */
function parseDuration(preamble: Preamble): number {
  const [hours, minutes, seconds] = ['', '', ...(preamble.get('duration')?.[0] ?? '').split(':')].slice(-3);
  const durationMs = (Number(hours) * 60 + Number(minutes)) * 60_000 + parseSeconds(seconds);
  return durationMs >= 0 ? durationMs : 0;
}

function parseSeconds(seconds = ''): number {
  return /^\d{1,9}(?:[.,]\d{1,12})?$/.test(seconds)
    ? Math.round(Number(seconds.replace(',', '.')) * 1e6) / 1e3
    : Number.NaN;
}

/** Returns the laps from the first marker, which ends the out lap; one at the very end is the end of the recording. */
export function lapsBetween(markersMs: readonly number[], endMs: number, zeroMs: number): LoggerLap[] {
  const passesMs = markersMs.filter(
    (markerMs, index) => index < markersMs.length - 1 || markerMs < endMs - END_MS,
  );
  return passesMs.slice(1).map((passMs, index) => {
    const startMs = passesMs[index] ?? 0;
    const lapTimeMs = passMs - startMs;
    return { number: index + 1, lapTimeMs, startTimeMs: zeroMs + startMs, roundingMs: MARKER_ROUNDING_MS };
  });
}

/** Markers are written in thousandths of a second. */
const MARKER_ROUNDING_MS = roundingBetween(1, 1);

// The end of a recording is written to a row or so.
const END_MS = 100;
