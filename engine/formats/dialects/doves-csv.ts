/**
 * Reads the CSV of Doves data loggers, `.dove`, and the same with a preamble, `.dovex` (seen from 2026;
 * github.com/TheAngryRaven).
 *
 * - The preamble: names and values of the session, `laps_ms` or `lap_times_ms`, the lap times in milliseconds. Then
 *   padding with line ends or zeros up to one or eight kilobytes. A session that was not ended has the padding alone.
 * - Milliseconds since 1970, `lat`, `lng`, `speed_mph`; 25 rows a second. Line ends of both kinds in one file.
 */
import type { LoggerLap } from '../../lap-file.ts';
import { findColumn, findNamedTable, type ColumnHead, type NamedTable } from '../text/csv-header.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';
import { degrees, numericTime, readFixTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';

export const dovesCsv: LapFileFormat = {
  format: 'doves-csv',
  name: 'Doves data logger',
  recognise: (text) => findTable(text) !== null,
  read: readDovesCsv,
};

function readDovesCsv(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = findTable(text);
  if (table === null) throw new Error('Only a recognised file is read.');
  const column = (name: string) => findColumn(table.heads, [name]);
  const content = readFixTable(table, {
    position: degrees(column('lat'), column('lng')),
    time: numericTime(column('timestamp')),
    speed: column('speed'),
  });
  return { ...content, loggerLaps: parsePreambleLaps(text.head.replaceAll('"', '')) };
}

function findTable({ bytes }: LapFileText): NamedTable | null {
  return findNamedTable(bytes, (heads: ColumnHead[]) =>
    ['timestamp', 'sats', 'hdop', 'lat', 'lng', 'speed'].every((name) => findColumn(heads, [name]) !== null),
  );
}

/** The laps follow each other; when the first began, the file does not tell. */
function parsePreambleLaps(head: string): LoggerLap[] {
  const [, times = ''] = /^(?:laps_ms|lap_times_ms)[,;\s\0]*((?:\d+[,; \t]*)+)/m.exec(head) ?? [];
  const lapTimesMs = times
    .split(/[,;\s]+/)
    .map(Number)
    .filter((lapTimeMs) => lapTimeMs > 0);
  const roundingMs = roundingOfWritten(lapTimesMs);
  return lapTimesMs.map((lapTimeMs, index) => ({
    number: index + 1,
    lapTimeMs,
    startTimeMs: null,
    roundingMs,
  }));
}
