/**
 * The memory of Qstarz's receivers (BL-1000, BL-818GT, 6000S): the `.BIN` in the folder GPSLog of a session. Facts: a recording of a
 * BL-1000 and GPSBabel's description of it.
 *
 * - Records of 64 bytes without a header: fix (1 none, 2 or 3 dimensions), reason, milliseconds, latitude and longitude, seconds since
 *   1970, speed in km/h, altitude, heading, forces, quality, satellites, battery, 8 bytes without use. All is little-endian.
 * - Coordinates are degrees and minutes in one number: `5154.2508` is 51° 54.2508'.
 * - The reason is a letter: `T`, `D` and `S` are fixes by time, distance and speed, `B` is one when the button was pressed; all others are
 *   events such as power off, without a position.
 * - The forces are left out: nothing says which axis is which.
 */
import { UnreadableLapFileError } from '../../lap-file.ts';
import { viewBytes, type BinaryLapFileFormat } from '../binary/binary-format.ts';
import { LapFileRecorder } from '../rows/lap-file-format.ts';
import { metersPerSecondIn } from '../rows/speed-unit.ts';

/** Reads what receivers of Qstarz store: `.bin`. */
export const qstarzBin: BinaryLapFileFormat = {
  format: 'qstarz-bin',
  name: 'Qstarz BIN',
  recognise: (bytes) => {
    const recordCount = Math.min(RECORDS_TO_RECOGNISE, Math.floor(bytes.length / RECORD_BYTES));
    const view = viewBytes(bytes);
    return (
      recordCount > 0 &&
      Array.from({ length: recordCount }, (_, index) => index * RECORD_BYTES).every((at) =>
        isQstarzRecord(view, at),
      )
    );
  },
  read: readQstarz,
};

const RECORD_BYTES = 64;
const RECORDS_TO_RECOGNISE = 4;
const FIX_REASONS = lettersOf('TDSB');
const OTHER_REASONS = lettersOf('WXYZCARNMGHIJ');
const FIX_2D = 2;

function lettersOf(letters: string): ReadonlySet<number> {
  return new Set(Array.from(letters, (letter) => letter.charCodeAt(0)));
}

/** Returns whether fix, reason, milliseconds and position of the record that may begin here are possible. */
export function isQstarzRecord(view: DataView, at: number): boolean {
  const reason = view.getUint8(at + 1);
  const [lat, lon] = [view.getFloat64(at + 4, true), view.getFloat64(at + 12, true)];
  return (
    view.getUint8(at) <= 3 &&
    (FIX_REASONS.has(reason) || OTHER_REASONS.has(reason)) &&
    view.getUint16(at + 2, true) < 1000 &&
    Math.abs(lat) <= 9000 &&
    Math.abs(lon) <= 18_000
  );
}

function readQstarz(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const view = viewBytes(bytes);
  const recorder = new LapFileRecorder();
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    if (!isQstarzRecord(view, at)) recorder.drop('unreadable_row');
    else if (!FIX_REASONS.has(view.getUint8(at + 1))) recorder.pass();
    else if (view.getUint8(at) < FIX_2D) recorder.drop('no_position');
    else {
      const timeMs = view.getUint32(at + 20, true) * 1000 + view.getUint16(at + 2, true);
      const [lat, lon] = [view.getFloat64(at + 4, true), view.getFloat64(at + 12, true)];
      recorder.add(timeMs, toDegrees(lat), toDegrees(lon), view.getFloat32(at + 24, true));
    }
  }
  if (recorder.length === 0) {
    throw new UnreadableLapFileError(
      'This Qstarz recording holds no GPS positions; check that the receiver had a fix, and copy the .BIN file of a drive.',
    );
  }
  const { fixes, clock, dropped } = recorder.finish(() => 'utc', metersPerSecondIn('km/h'));
  return { fixes, clock, dropped, loggerLaps: [] };
}

/** Returns degrees for degrees and minutes in one number. */
export function toDegrees(degreesAndMinutes: number): number {
  const degrees = Math.trunc(degreesAndMinutes / 100);
  return degrees + (degreesAndMinutes - 100 * degrees) / 60;
}
