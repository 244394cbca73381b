import { findChannels, type ChannelColumn } from '../rows/channel-columns.ts';
import { lineAt, detectLineEnd, detectSeparator, type CsvTable, type Line } from '../text/csv-table.ts';
import { decodeText } from '../text/text-encoding.ts';

/** Describes the columns that are read; null for those that a log does not have. */
export type RaceCaptureColumns = Record<keyof typeof NAMES, number | null>;

/** Describes what was logged from one header to the next: its rows, and what the header says of the columns. */
export type Section = {
  table: CsvTable;
  columns: RaceCaptureColumns;
  channels: ChannelColumn[];
  units: { speed: string };
};

const NAMES = {
  latitude: 'latitude',
  longitude: 'longitude',
  speed: 'speed',
  lapCount: 'lapcount',
  lapTime: 'laptime',
  interval: 'interval',
  utc: 'utc',
  time: 'time',
} as const;

/** Takes a log apart where the logger has been switched on again. */
export function findSections(bytes: Uint8Array): Section[] {
  const headers = findHeaders(bytes);
  return headers.map((line, index) => {
    const { start, end, next } = line;
    const separator = detectSeparator(bytes, { ...line, end: Math.min(end, start + LONGEST_HEADER) });
    const cells = decodeText(bytes.subarray(start, Math.min(end, start + LONGEST_HEADER)))
      .split(String.fromCharCode(separator))
      .map((cell) => /^\s*"?#?"*([^"|]*)"*\|"*([^"|]*)/.exec(cell))
      .map((match) => ({ name: (match?.[1] ?? '').toLowerCase(), unit: match?.[2] ?? '' }));
    const find = (name: string) => {
      const found = cells.findIndex((cell) => cell.name === name);
      return found < 0 ? null : found;
    };
    const columns: RaceCaptureColumns = {
      latitude: find(NAMES.latitude),
      longitude: find(NAMES.longitude),
      speed: find(NAMES.speed),
      lapCount: find(NAMES.lapCount),
      lapTime: find(NAMES.lapTime),
      interval: find(NAMES.interval),
      utc: find(NAMES.utc),
      time: find(NAMES.time),
    };
    const rows = bytes.subarray(0, headers[index + 1]?.start ?? bytes.length);
    return {
      table: { bytes: rows, separator, firstRow: next },
      columns,
      channels: findChannels(cells.map((cell) => ({ ...cell, source: '' }))),
      units: { speed: cells[columns.speed ?? -1]?.unit ?? '' },
    };
  });
}

/**
 * Matches the first cell of a header: `"Interval"|"ms"|0`, `#"Battery"|"Volts"|1`, or what a spreadsheet makes of them:
 * `Interval|ms|0`, `"Interval|""ms""|0`.
 */
export const RACE_CAPTURE_HEADER = /^"?#?"*[A-Za-z][^"|,;\t\r\n]*"*\|"*[^"|,;\t\r\n]*"*\|-?\d/;

function findHeaders(bytes: Uint8Array): Line[] {
  const lineEnd = detectLineEnd(bytes);
  const headers: Line[] = [];
  for (let position = 0; position < bytes.length && headers.length < MOST_SECTIONS;) {
    const line = lineAt(bytes, position, lineEnd);
    position = line.next;
    const first = bytes[line.start] ?? 0;
    if (first !== QUOTE && first !== HASH && first < FIRST_LETTER) continue;
    const beginning = decodeText(bytes.subarray(line.start, Math.min(line.end, line.start + 100)));
    if (RACE_CAPTURE_HEADER.test(beginning)) headers.push(line);
  }
  return headers;
}

const QUOTE = 0x22;
const HASH = 0x23;
// A header begins with a capital A or a later letter. Rows begin with digits, or with nothing.
const FIRST_LETTER = 0x41;
const LONGEST_HEADER = 100_000;

/** A logger is not switched on more often than this in a day. */
const MOST_SECTIONS = 500;
