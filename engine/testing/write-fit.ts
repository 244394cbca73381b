import { ByteWriter } from './byte-writer.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';

const FIT_EPOCH_MS = Date.UTC(1989, 11, 31);
const SEMICIRCLES_PER_DEGREE = 2 ** 31 / 180;
const [LAP, RECORD, GPS_METADATA, TIMESTAMP] = [19, 20, 160, 253];
const [ENUM, UINT16, UINT32, SINT32] = [0x00, 0x84, 0x86, 0x85];
/** It ends at a position: the start/finish line. */
const BY_POSITION = 4;

/** A drive as Garmin's devices in cars record it: positions with milliseconds, the same in whole seconds, and laps. */
export function writeFit({ fixes, trueLaps }: SimulatedDrive): Uint8Array {
  const data = new ByteWriter();
  define(data, 0, RECORD, [
    [TIMESTAMP, UINT32],
    [0, SINT32],
    [1, SINT32],
    [6, UINT16],
  ]);
  define(data, 1, GPS_METADATA, [
    [TIMESTAMP, UINT32],
    [0, UINT16],
    [1, SINT32],
    [2, SINT32],
    [4, UINT32],
  ]);
  define(data, 2, LAP, [
    [TIMESTAMP, UINT32],
    [2, UINT32],
    [7, UINT32],
    [24, ENUM],
  ]);
  let second = -1;
  for (const { timeMs, lat, lon, speedMetersPerSecond } of fixes) {
    const fitMs = Math.round(timeMs - FIT_EPOCH_MS);
    const position = [lat * SEMICIRCLES_PER_DEGREE, lon * SEMICIRCLES_PER_DEGREE] as const;
    const speed = Math.round(speedMetersPerSecond * 1000);
    if (Math.floor(fitMs / 1000) !== second) {
      second = Math.floor(fitMs / 1000);
      data
        .uint8(0)
        .int32(second, ...position)
        .uint16(speed);
    }
    data
      .uint8(1)
      .int32(second)
      .uint16(fitMs % 1000)
      .int32(...position, speed);
  }
  for (const { startTimeMs, lapTimeMs } of trueLaps) {
    const startSecond = Math.floor((startTimeMs - FIT_EPOCH_MS) / 1000);
    data
      .uint8(2)
      .int32(startSecond + lapTimeMs / 1000, startSecond, lapTimeMs)
      .uint8(BY_POSITION);
  }
  const header = new ByteWriter().uint8(14, 0x20).uint16(2132).int32(data.length).ascii('.FIT').uint16(0);
  return header.append(data.finish()).uint16(0).finish();
}

function define(
  data: ByteWriter,
  local: number,
  message: number,
  fields: readonly (readonly [number, number])[],
): void {
  data
    .uint8(0x40 | local, 0, 0)
    .uint16(message)
    .uint8(fields.length);
  for (const [field, type] of fields) data.uint8(field, SIZES.get(type) ?? 4, type);
}

const SIZES = new Map([
  [ENUM, 1],
  [UINT16, 2],
]);
