/**
 * Reads the positions of a GoPro's video, as `writeCameraCsv` writes them where the video lies: in the driver's browser,
 * or in `npm run analyze`.
 *
 * - Comments tell camera, video and fingerprint. `fix` is 0 without one, or 2 or 3 dimensions.
 * - `precision` is the dilution of precision; times the error of one distance it is how exactly the position is known.
 */
import { AccuracyRecorder } from '../binary/accuracy-recorder.ts';
import { CAMERA_CSV_MARK } from '../camera/write-camera-csv.ts';
import { degrees, readFixTable, requireTable } from '../rows/fix-table.ts';
import type { LapFileFormat, LapFileText } from '../rows/lap-file-format.ts';
import { findColumn } from '../text/csv-header.ts';
import { SECONDS_TO_MS_SHIFT } from '../text/decimal.ts';

export const cameraCsv: LapFileFormat = {
  format: 'camera-csv',
  name: 'GoPro positions',
  recognise: ({ head }) => head.startsWith(CAMERA_CSV_MARK),
  read: readCameraCsv,
};

/** One distance to a satellite has this error without corrections. */
const RANGE_ERROR_METERS = 2.5;
const LEAST_FIX = 2;

function readCameraCsv({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = requireTable(
    bytes,
    [['latitude'], ['longitude']],
    'This file holds no positions of a camera.',
  );
  const column = (name: string) => findColumn(table.heads, [name]);
  const utc = column('unix time');
  const accuracies = new AccuracyRecorder();
  let accuracyTimes = new Float64Array();
  const content = readFixTable(table, {
    position: degrees(column('latitude'), column('longitude')),
    time: {
      columns: [utc ?? column('elapsed time')],
      read: (row, slot) => (utc === null ? row.number(slot, SECONDS_TO_MS_SHIFT) : row.number(slot)),
      finish: (times) => {
        accuracyTimes = times.slice();
        return utc === null ? 'elapsed' : 'utc';
      },
    },
    speed: column('speed'),
    speedUnit: 'm/s',
    skip: {
      columns: [column('fix')],
      read: (row, slot) => (row.number(slot) < LEAST_FIX ? 'no_position' : null),
    },
    onFix: {
      columns: [column('precision')],
      see: (row, slot) => accuracies.add(RANGE_ERROR_METERS * row.number(slot)),
    },
  });
  return { ...content, accuracy: accuracies.finish(accuracyTimes) };
}
