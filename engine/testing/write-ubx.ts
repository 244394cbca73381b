import { ByteWriter } from './byte-writer.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { DAY_MS } from '#engine/durations.ts';

type Fix = SimulatedDrive['fixes'][number];

/** Writes one frame of u-blox's protocol around a payload; `code` is class and identifier. */
export function ubxFrame(code: number, payload: Uint8Array): Uint8Array {
  const summed = new ByteWriter()
    .uint8(code >> 8, code)
    .uint16(payload.length)
    .append(payload)
    .finish();
  let [a, b] = [0, 0];
  for (const byte of summed) {
    a = (a + byte) & 0xff;
    b = (b + a) & 0xff;
  }
  return new ByteWriter().uint8(0xb5, 0x62).append(summed).uint8(a, b).finish();
}

/** Writes a drive as receivers of u-blox send it: NAV-PVT. */
export function writeUbx({ fixes }: SimulatedDrive): Uint8Array {
  const bytes = new ByteWriter();
  for (const fix of fixes) {
    const payload = pvt(fix)
      .int32(0, 0, 0, fix.speedMetersPerSecond * 1000, 0, 200, 0)
      .uint16(120)
      .append(new Uint8Array(14));
    bytes.append(ubxFrame(0x0107, payload.finish()));
  }
  return bytes.finish();
}

/** Writes a drive as older receivers send it: NAV-POSLLH, NAV-VELNED and NAV-TIMEUTC of every fix, one after the other. */
export function writeSplitUbx({ fixes }: SimulatedDrive): Uint8Array {
  const bytes = new ByteWriter();
  for (const { timeMs, lat, lon, speedMetersPerSecond } of fixes) {
    const weekMs = Math.round(timeMs + LEAP_MS - GPS_EPOCH_MS) % WEEK_MS;
    const second = new Date(1000 * Math.floor(timeMs / 1000));
    const position = new ByteWriter().int32(weekMs, lon * 1e7, lat * 1e7, 0, 0, 900, 1500);
    const velocity = new ByteWriter().int32(weekMs, 0, 0, 0, 0, speedMetersPerSecond * 100, 0, 20, 0);
    const time = new ByteWriter()
      .int32(weekMs, 25, (timeMs - second.getTime()) * 1e6)
      .uint16(second.getUTCFullYear())
      .uint8(second.getUTCMonth() + 1, second.getUTCDate(), second.getUTCHours())
      .uint8(second.getUTCMinutes(), second.getUTCSeconds(), 7);
    bytes.append(ubxFrame(0x0102, position.finish()));
    bytes.append(ubxFrame(0x0112, velocity.finish()));
    bytes.append(ubxFrame(0x0121, time.finish()));
  }
  return bytes.finish();
}

const WEEK_MS = 7 * DAY_MS;
const GPS_EPOCH_MS = Date.UTC(1980, 0, 6);
const LEAP_MS = 18_000;

/** Writes a drive as RaceBox sends it: live frames. */
export function writeRaceBoxFrames({ fixes }: SimulatedDrive): Uint8Array {
  const bytes = new ByteWriter();
  for (const fix of fixes) {
    const payload = pvt(fix)
      .int32(fix.speedMetersPerSecond * 1000, 0, 200, 0)
      .uint16(120)
      .uint8(0, 89)
      .uint16(0, 0, 1000, 0, 0, 0);
    bytes.append(ubxFrame(0xff01, payload.finish()));
  }
  return bytes.finish();
}

/** Writes the first 48 bytes, which both have in common. The calendar is rounded to a second, so nanoseconds may be negative. */
function pvt({ timeMs, lat, lon }: Fix): ByteWriter {
  const second = new Date(1000 * Math.round(timeMs / 1000));
  return new ByteWriter()
    .int32(timeMs % (7 * DAY_MS))
    .uint16(second.getUTCFullYear())
    .uint8(second.getUTCMonth() + 1, second.getUTCDate())
    .uint8(second.getUTCHours(), second.getUTCMinutes(), second.getUTCSeconds(), 7)
    .int32(25, (timeMs - second.getTime()) * 1e6)
    .uint8(3, 1, 0, 12)
    .int32(lon * 1e7, lat * 1e7, 0, 0, 900, 1500);
}
