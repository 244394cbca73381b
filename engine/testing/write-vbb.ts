import { ByteWriter } from './byte-writer.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { DAY_MS } from '#engine/durations.ts';

const [UINT32, INT32, SINGLE, DOUBLE, DATE_TIME] = [4, 5, 8, 9, 11];
/** Satellites are ahead of UTC. */
const LEAP_MS = 18_000;
const YEAR_ONE_MS = -62_135_596_800_000;
const KIND_UTC = 2 ** 62;

/** Describes a channel of a group: name, unit, type, scale. */
type Channel = readonly [name: string, unit: string, type: number, scale: number];

const POSITION: readonly Channel[] = [
  ['satellites', '', UINT32, 1],
  ['time', 's', INT32, Math.fround(0.001)],
  ['latitude', '', DOUBLE, 1],
  ['longitude', '', DOUBLE, 1],
  ['velocity', 'kmh', SINGLE, 1],
];
const QUALITY: readonly Channel[] = [['RMS_HPOS', 'm', SINGLE, 1]];
const CAN: readonly Channel[] = [['Engine_Speed', 'rpm', SINGLE, 1]];

/** Writes a drive as VBOXes of Racelogic store it. `accuracyMeters` is what the receiver says of a fix. */
export function writeVbb(
  { fixes }: SimulatedDrive,
  {
    isLittleEndian = false,
    version = 2,
    accuracyMeters = () => 0.9,
  }: { isLittleEndian?: boolean; version?: number; accuracyMeters?: (index: number) => number } = {},
): Uint8Array {
  const bytes = new ByteWriter({ isLittleEndian });
  bytes
    .ascii('VBB')
    .uint8(version)
    .int32(isLittleEndian ? 0 : 0x1);
  const startMs = fixes[0]?.timeMs ?? 0;
  for (const timeMs of [0, 0]) writeDate(bytes, timeMs, version);
  string(bytes.uint8(6, 0), 'Serial').uint8(UINT32).int32(12_411);
  writeDate(string(bytes.uint8(6, 0), 'Date').uint8(DATE_TIME), startMs, version);
  string(bytes.uint8(13).uint16(0), 'EEPROM').uint8(13, 3, 1, 2, 3);
  describe(bytes, 1, POSITION);
  describe(bytes, 40, QUALITY);
  describe(bytes, 50, CAN);
  string(bytes.uint8(5, 1), 'GNSS Standard Channels');
  for (const [index, { timeMs, lat, lon, speedMetersPerSecond }] of fixes.entries()) {
    const begin = (group: number) =>
      bytes
        .uint8(9)
        .int32(((timeMs + LEAP_MS) % DAY_MS) * 10)
        .uint8(group);
    begin(1)
      .int32(14, timeMs % DAY_MS)
      .float64(lat * 60, lon * 60)
      .float32(speedMetersPerSecond * 3.6);
    begin(40).float32(accuracyMeters(index));
    begin(50).float32(3000 + 100 * speedMetersPerSecond);
  }
  return bytes.finish();
}

function writeDate(bytes: ByteWriter, timeMs: number, version: number): void {
  const date = new Date(timeMs);
  if (version > 1) bytes.int64((timeMs - YEAR_ONE_MS) * 10_000 + KIND_UTC);
  else
    bytes
      .uint16(date.getUTCFullYear())
      .uint8(date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours())
      .uint8(date.getUTCMinutes(), date.getUTCSeconds());
}

function describe(bytes: ByteWriter, group: number, channels: readonly Channel[]): void {
  const ids = channels.map((_, index) => 256 * group + index);
  for (const [index, [name, unit, type, scale]] of channels.entries()) {
    bytes
      .uint8(7)
      .uint16(ids[index] ?? 0)
      .uint8(group);
    string(string(string(bytes, name), name), unit)
      .uint8(type)
      .float64(scale, 0)
      .uint8(0);
  }
  bytes.uint8(8, group).uint16(ids.length, ...ids);
}

function string(bytes: ByteWriter, text: string): ByteWriter {
  return bytes.uint8(text.length).ascii(text);
}
