import { ByteWriter } from './byte-writer.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';

/** Writes a drive as receivers of Qstarz store it: a record of 64 bytes for every fix, and one when it is switched off. */
export function writeQstarzBin({ fixes }: SimulatedDrive): Uint8Array {
  const bytes = new ByteWriter();
  for (const { timeMs, lat, lon, speedMetersPerSecond } of fixes) {
    bytes
      .uint8(3)
      .ascii('T')
      .uint16(timeMs % 1000)
      .float64(degreesAndMinutes(lat), degreesAndMinutes(lon))
      .int32(Math.floor(timeMs / 1000))
      .float32(speedMetersPerSecond * 3.6, 100, 90)
      .uint16(0, 0, 256, 50)
      .float32(0.7, 0.9)
      .uint8(14, 12, 1, 90)
      .int32(0, 0);
  }
  return bytes.uint8(0).ascii('X', 63).finish();
}

function degreesAndMinutes(degrees: number): number {
  const whole = Math.trunc(degrees);
  return 100 * whole + 60 * (degrees - whole);
}
