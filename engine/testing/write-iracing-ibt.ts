import { ByteWriter } from './byte-writer.ts';
import { lapNumberAt } from '#engine/simulation/drive-samples.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';

const [INTEGER, SINGLE, DOUBLE] = [2, 4, 5];
const TEXT = '---\nWeekendInfo:\n TrackDisplayName: Kart track\n...\n';
/** The recording begins so long after the session. */
const SESSION_SECONDS = 932;
const HEADER_BYTES = 144;
const VARIABLE_BYTES = 144;
const VARIABLES = [
  ['SessionTime', DOUBLE, 0],
  ['Lat', DOUBLE, 8],
  ['Lon', DOUBLE, 16],
  ['Speed', SINGLE, 24],
  ['Lap', INTEGER, 28],
  ['Throttle', SINGLE, 32],
  ['RPM', SINGLE, 36],
] as const;
const ROW_BYTES = 40;

/** Writes a drive as iRacing stores it. `withPositions` is false for a recording without them. */
export function writeIracingIbt(
  { fixes, trueLaps }: SimulatedDrive,
  { withPositions = true } = {},
): Uint8Array {
  const variables = VARIABLES.filter(([name]) => withPositions || !name.startsWith('L'));
  const textAt = HEADER_BYTES + VARIABLE_BYTES * variables.length;
  const rowsAt = textAt + TEXT.length;
  const startMs = fixes[0]?.timeMs ?? 0;
  const bytes = new ByteWriter()
    .int32(2, 1, 60, 0, TEXT.length, textAt, variables.length, HEADER_BYTES, 1, ROW_BYTES)
    .int32(0, 0, 0, rowsAt)
    .ascii('', 56)
    .int64(Math.floor(startMs / 1000))
    .float64(SESSION_SECONDS + (startMs % 1000) / -1000, 0)
    .int32(1, fixes.length);
  for (const [name, type, at] of variables)
    bytes
      .int32(type, at, 1, 0)
      .ascii(name, 32)
      .ascii('', VARIABLE_BYTES - 48);
  bytes.ascii(TEXT);
  for (const { timeMs, lat, lon, speedMetersPerSecond } of fixes) {
    bytes
      .float64(SESSION_SECONDS + (timeMs - startMs) / 1000, lat, lon)
      .float32(speedMetersPerSecond)
      .int32(lapNumberAt(trueLaps, timeMs))
      .float32(Math.min(1, speedMetersPerSecond / 40), 3000 + 100 * speedMetersPerSecond);
  }
  return bytes.finish();
}
