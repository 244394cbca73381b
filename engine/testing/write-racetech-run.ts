import { ByteWriter } from './byte-writer.ts';
import { passingTimes } from '#engine/simulation/drive-samples.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { DAY_MS } from '#engine/durations.ts';

const WEEK_MS = 7 * DAY_MS;
const GPS_EPOCH_MS = Date.UTC(1980, 0, 6);
const LEAP_MS = 18_000;

/** Writes a drive as loggers of Race Technology store it: time stamp, GPS time, position, speed, and a marker behind every lap. */
export function writeRacetechRun(
  { fixes, trueLaps }: SimulatedDrive,
  { withDate = true, hasWeekTimeMarkers = false } = {},
): Uint8Array {
  const bytes = new ByteWriter();
  const startMs = fixes[0]?.timeMs ?? 0;
  const passes = passingTimes(trueLaps);
  const markerTime = hasWeekTimeMarkers ? weekTime : (timeMs: number) => timeMs - startMs;
  for (const [index, { timeMs, lat, lon, speedMetersPerSecond }] of fixes.entries()) {
    for (; passes[0] !== undefined && passes[0] <= timeMs; passes.shift())
      bytes.append(lapMarker(markerTime(passes[0])));
    bytes.append(timeStamp(timeMs - startMs));
    bytes.append(message(8, big().uint8(0x80, 10, 0x80, 5)));
    bytes.append(message(7, big().int32(weekTime(timeMs))));
    bytes.append(message(10, big().int32(lon * 1e7, lat * 1e7, 800)));
    bytes.append(message(11, big().int32(speedMetersPerSecond * 100, 20)));
    if (withDate && index % 50 === 0) bytes.append(message(55, date(timeMs)));
  }
  return bytes.finish();
}

function timeStamp(runMs: number): Uint8Array {
  const stamp = Math.round(runMs / 10);
  const data = big()
    .uint8(stamp >> 16)
    .uint16(stamp);
  return message(9, data);
}

/** Writes one message: its kind, the data and the sum of both. */
export function message(kind: number, data: ByteWriter): Uint8Array {
  const summed = new ByteWriter().uint8(kind).append(data.finish()).finish();
  return new ByteWriter()
    .append(summed)
    .uint8(summed.reduce((sum, byte) => sum + byte, 0))
    .finish();
}

function weekTime(timeMs: number): number {
  return (timeMs + LEAP_MS - GPS_EPOCH_MS) % WEEK_MS;
}

function big(): ByteWriter {
  return new ByteWriter({ isLittleEndian: false });
}

/** Writes a marker as the only message in little-endian. */
function lapMarker(runMs: number): Uint8Array {
  return message(4, new ByteWriter().uint8(0).int32(runMs).uint8(0x11).int32(0));
}

function date(timeMs: number): ByteWriter {
  const now = new Date(timeMs);
  return big()
    .uint8(
      now.getUTCSeconds(),
      now.getUTCMinutes(),
      now.getUTCHours(),
      now.getUTCDate(),
      now.getUTCMonth() + 1,
    )
    .uint16(now.getUTCFullYear())
    .uint8(4);
}
