/**
 * Lap Legend's CSV export (seen from 0.9; dauntlessdevices.com).
 *
 * - Comments first, which name the track and the rate of the receiver; then a header with units and rows at an even 25 Hz that are
 *   interpolated between its fixes.
 * - There is no date or time of day: `Time` counts seconds from the start.
 * - `Lap Number` is 0 before the first pass over the line and switches at the first row behind it.
 */
import { findColumn } from '../text/csv-header.ts';
import { degrees, readFixTable, requireTable, secondsSince } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';

export const lapLegendCsv: LapFileFormat = {
  format: 'lap-legend-csv',
  name: 'Lap Legend CSV',
  recognise: ({ head }) => /^"?#\s*Lap Legend/m.test(head),
  read: readLapLegend,
};

function readLapLegend({ bytes, head }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['time'], ['gps latitude'], ['gps longitude']],
    'This Lap Legend file has no positions in it; check that the receiver had a GPS fix.',
  );
  const column = (...names: string[]) => findColumn(table.heads, names);
  const [, rate] = /^"?# GPS Rate: (\d{1,3}(?:\.\d{1,3})?) Hz/m.exec(head) ?? [];
  return {
    ...readFixTable(table, {
      position: degrees(column('gps latitude'), column('gps longitude')),
      time: secondsSince(column('time'), 0, 'elapsed'),
      speed: column('gps speed'),
      lap: column('lap number', 'lap'),
    }),
    receiverRateHz: Number(rate) > 0 ? Number(rate) : null,
  };
}
