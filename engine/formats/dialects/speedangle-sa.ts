/**
 * Reads the log of SpeedAngle's lap timers, `.sa` (seen from 2020 and 2022, models APEX and GMOS).
 *
 * - Lines with `#D=08-30-2020 14:01:51=`, month first: when the recording began, by a local clock.
 * - `<trackplan>`: the start/finish line as number 1, and those of the sectors, each by the positions of its two ends.
 * - `<timer #unit=MILE/h>`: the passes over these lines, `#1,1:21.638` since the beginning, each followed by a line of
 *   figures.
 * - `<trace>`: ten rows a second without any time. Latitude, longitude, lean angle twice, acceleration twice, speed in
 *   the unit of the timer, and more.
 */
import { isOnEarth } from '../../geo.ts';
import { UnreadableLapFileError, type LoggerLap } from '../../lap-file.ts';
import { undirectedLine, type TimingLine } from '../../timing-line.ts';
import { degrees, readFixTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';
import { lineAt } from '../text/csv-table.ts';
import { decodeText } from '../text/text-encoding.ts';

export const speedAngleSa: LapFileFormat = {
  format: 'speedangle-sa',
  name: 'SpeedAngle log',
  recognise: ({ head }) => /SpeedAngle\.com/i.test(head) && /^<(?:trackplan|timer|trace)\b/m.test(head),
  read: readSpeedAngle,
};

const [LAT, LON, SPEED] = [0, 1, 6];
const INTERVAL_MS = 100;

function readSpeedAngle({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const firstRow = findTrace(bytes);
  const preamble = decodeText(bytes.subarray(0, firstRow));
  const startMs = parseStart(preamble);
  const zeroMs = Number.isNaN(startMs) ? 0 : startMs;
  const end = bytes.indexOf(LESS_THAN, firstRow);
  const table = {
    bytes: end > firstRow ? bytes.subarray(0, end) : bytes,
    separator: COMMA,
    firstRow,
    heads: [],
  };
  const position = degrees(LAT, LON);
  const rowCount = Number(/<trace #pt=(\d{1,9})>/.exec(preamble)?.[1] ?? Number.POSITIVE_INFINITY);
  let row = -1;
  const content = readFixTable(table, {
    position: {
      ...position,
      lat: (cells, slot) => {
        // Every row counts, whatever is written in it: its number is its time.
        row += 1;
        return position.lat(cells, slot);
      },
    },
    time: {
      columns: [],
      read: () => zeroMs + row * INTERVAL_MS,
      finish: () => (Number.isNaN(startMs) ? 'elapsed' : 'local'),
    },
    speed: SPEED,
    // The head counts one row fewer than there are; more rows are copies.
    skip: { columns: [], read: () => (row > rowCount ? 'clock_went_back' : null) },
    speedUnit: /<timer #unit=MILE/i.test(preamble) ? 'mph' : 'km/h',
  });
  const passesMs = parsePasses(preamble);
  const rowsMs = (row + 1) * INTERVAL_MS;
  const writtenMs = Number.isFinite(rowCount) ? rowCount * INTERVAL_MS : rowsMs;
  if ((passesMs.at(-1) ?? 0) > writtenMs + SLACK_MS) {
    throw new UnreadableLapFileError(
      'This SpeedAngle file has not ten positions for each second of its timer; export the session as CSV or GPX.',
    );
  }
  const recorded = passesMs.filter((passMs) => passMs <= rowsMs + SLACK_MS);
  return { ...content, loggerLaps: lapsBetween(recorded, zeroMs), startFinishLine: parseLine(preamble) };
}

const COMMA = 0x2c;
const LESS_THAN = 0x3c;
/** The rows end when the driver stops the timer, or a moment before. */
const SLACK_MS = 2000;

/** Finds the offset of the first row. Throws where there is none. */
function findTrace(bytes: Uint8Array): number {
  for (let position = 0; position < bytes.length;) {
    const line = lineAt(bytes, position);
    position = line.next;
    if (
      bytes[line.start] === LESS_THAN &&
      /^<trace\b/.test(decodeText(bytes.subarray(line.start, line.start + 7)))
    )
      return line.next;
  }
  throw new UnreadableLapFileError(
    'This SpeedAngle file has no positions in it; check that it had a GPS fix.',
  );
}

function parseStart(preamble: string): number {
  const [, month, day, year, time] = /^#D=(\d\d)-(\d\d)-(\d{4}) (\d\d:\d\d:\d\d)/m.exec(preamble) ?? [];
  return Date.parse(`${year}-${month}-${day}T${time}Z`);
}

/** The passes over the start/finish line, in milliseconds since the recording began. */
function parsePasses(preamble: string): number[] {
  const passes = preamble.matchAll(/^#1,(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,3}))?/gm);
  return [...passes]
    .map(([, hours = '0', minutes, seconds, fraction = '']) => {
      const wholeSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
      return wholeSeconds * 1000 + Number(fraction.padEnd(3, '0'));
    })
    .toSorted((a, b) => a - b);
}

function lapsBetween(passesMs: readonly number[], zeroMs: number): LoggerLap[] {
  const roundingMs = roundingOfWritten(passesMs);
  return passesMs.slice(1).flatMap((passMs, index) => {
    const startMs = passesMs[index] ?? passMs;
    const lapTimeMs = passMs - startMs;
    return lapTimeMs > 0 ? [{ number: index + 1, lapTimeMs, startTimeMs: zeroMs + startMs, roundingMs }] : [];
  });
}

function parseLine(preamble: string): TimingLine | null {
  const [plan = ''] = /^<trackplan[^]*?^<\/trackplan/m.exec(preamble) ?? [];
  const [, ...ends] = /^1((?:,-?\d{1,3}\.\d{1,9}){4})/m.exec(plan)?.[1]?.split(',').map(Number) ?? [];
  const [latA, lonA, latB, lonB] = ends;
  if (latA === undefined || lonA === undefined || latB === undefined || lonB === undefined) return null;
  return isOnEarth(latA, lonA) && isOnEarth(latB, lonB)
    ? undirectedLine({ lat: latA, lon: lonA }, { lat: latB, lon: lonB })
    : null;
}
