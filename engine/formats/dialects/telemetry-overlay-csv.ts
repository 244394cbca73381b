/**
 * Reads the CSV that Telemetry Overlay imports and that RaceKeeper and other converters write
 * (goprotelemetryextractor.com).
 *
 * - `utc (ms)` counts milliseconds since 1970; units are in brackets behind the names.
 * - The column of the speed comes twice, in m/s among the first columns and in km/h among the last.
 * - `g_lat` and `g_lon` are accelerations.
 */
import { findColumn } from '../text/csv-header.ts';
import { degrees, hasLineWith, numericTime, readFixTable, requireTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';

export const telemetryOverlayCsv: LapFileFormat = {
  format: 'telemetry-overlay-csv',
  name: 'Telemetry Overlay CSV',
  recognise: ({ head }) => hasLineWith(head, ['utc (ms)', 'lat (deg)', 'lon (deg)']),
  read: readTelemetryOverlay,
};

function readTelemetryOverlay({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['utc'], ['lat'], ['lon']],
    'This Telemetry Overlay file has no columns with time, latitude and longitude.',
  );
  const column = (name: string) => findColumn(table.heads, [name]);
  return readFixTable(table, {
    position: degrees(column('lat'), column('lon')),
    time: numericTime(column('utc'), 'ms'),
    speed: column('speed'),
  });
}
