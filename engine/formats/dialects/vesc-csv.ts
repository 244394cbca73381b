/**
 * Reads the ride log of VESC Tool.
 *
 * - Separator `;`, also behind the last cell; 56 columns, those of the receiver begin with `gnss_`.
 * - About a dozen rows a second repeat the last fix; `gnss_posTime` is new where the fix is. It counts the milliseconds
 *   since midnight (UTC); the date is missing.
 * - `gnss_gVel` is the speed over ground in m/s.
 */
import { findColumn } from '../text/csv-header.ts';
import { degrees, hasLineWith, readFixTable, requireTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';

export const vescCsv: LapFileFormat = {
  format: 'vesc-csv',
  name: 'VESC Tool CSV',
  recognise: ({ head }) => hasLineWith(head, NAMES),
  read: readVesc,
};

const NAMES = ['gnss_postime', 'gnss_lat', 'gnss_lon'];

function readVesc({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['gnss postime'], ['gnss lat'], ['gnss lon']],
    'This VESC Tool file has no positions in it; check that the GPS receiver was connected.',
  );
  const column = (name: string) => findColumn(table.heads, [name]);
  // The column of the time is read once, by the part that is asked first.
  let timeMs = Number.NaN;
  let fixTimeMs = Number.NaN;
  return readFixTable(table, {
    position: degrees(column('gnss lat'), column('gnss lon')),
    time: {
      columns: [],
      read: () => timeMs,
      finish: () => 'time_of_day',
    },
    speed: column('gnss gvel'),
    speedUnit: 'm/s',
    skip: {
      columns: [column('gnss postime')],
      read: (row, slot) => {
        timeMs = row.number(slot);
        return timeMs === fixTimeMs ? 'held_position' : null;
      },
    },
    onFix: {
      columns: [],
      see: () => {
        fixTimeMs = timeMs;
      },
    },
  });
}
