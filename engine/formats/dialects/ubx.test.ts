import { expect, test } from 'vitest';
import { ByteWriter } from '#engine/testing/byte-writer.ts';
import { simulateDrive } from '../../simulation/drive.ts';
import { DEVICE_WRITERS } from '#engine/testing/write-devices.ts';
import { ubxFrame, writeSplitUbx, writeUbx } from '#engine/testing/write-ubx.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { fromGeodetic } from '../binary/earth-centered.ts';
import { readLapFile } from '../recognise.ts';
import { DAY_MS } from '#engine/durations.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 2,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});
const POSITION = { lat: 52.388_71, lon: -4.540_92 };
/** Sunday, 17 May 2026, in GPS time: 18 leap seconds ahead of UTC. */
const WEEK = 2419;
const WEEK_START_MS = Date.UTC(2026, 4, 17) - 18_000;

function join(...frames: Uint8Array[]): Uint8Array {
  return Uint8Array.from(frames.flatMap((frame) => [...frame]));
}

function posllh(weekMs: number, accuracyMillimeters = 900): Uint8Array {
  const { lat, lon } = POSITION;
  const payload = new ByteWriter().int32(weekMs, lon * 1e7, lat * 1e7, 0, 0, accuracyMillimeters, 0);
  return ubxFrame(0x0102, payload.finish());
}

function velned(weekMs: number): Uint8Array {
  return ubxFrame(0x0112, new ByteWriter().int32(weekMs, 0, 0, 0, 0, 1234, 0, 50, 0).finish());
}

/** NAV-TIMEUTC of a time on that Sunday, which is right to the second with nanoseconds behind it. */
function timeutc(weekMs: number, valid = 7): Uint8Array {
  const second = new Date(1000 * Math.floor((WEEK_START_MS + weekMs) / 1000));
  const payload = new ByteWriter()
    .int32(weekMs, 20, (WEEK_START_MS + weekMs - second.getTime()) * 1e6)
    .uint16(second.getUTCFullYear())
    .uint8(second.getUTCMonth() + 1, second.getUTCDate(), second.getUTCHours())
    .uint8(second.getUTCMinutes(), second.getUTCSeconds(), valid);
  return ubxFrame(0x0121, payload.finish());
}

test('NAV-PVT is a whole fix, with the accuracy that the receiver states', () => {
  const { format, clock, fixes, dropped, accuracy } = readLapFile(writeUbx(drive));
  expect({ format, clock, dropped }).toEqual({ format: 'ubx', clock: 'utc', dropped: {} });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 6);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 6);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 2);
  }
  expect(accuracy?.meters[7]).toBeCloseTo(0.9, 6);
});

test('NAV-SOL has week, time of the week and a position on the axes of the Earth', () => {
  const { x, y, z } = fromGeodetic(POSITION);
  const solution = (flags: number) =>
    ubxFrame(
      0x0106,
      new ByteWriter()
        .int32(50_000_200, -250_000)
        .uint16(WEEK)
        .uint8(3, flags)
        .int32(x * 100, y * 100, z * 100, 210, 300, 400, 0, 40)
        .append(new Uint8Array(8))
        .finish(),
    );
  const { fixes, accuracy, dropped } = readLapFile(join(solution(0x0d), solution(0x05), solution(0x0c)));
  expect({ length: fixes.length, dropped }).toEqual({ length: 1, dropped: { no_time: 1, no_position: 1 } });
  expect(fixes.timesMs[0]).toBeCloseTo(WEEK_START_MS + 50_000_199.75, 3);
  expect(fixes.lats[0]).toBeCloseTo(POSITION.lat, 6);
  expect(fixes.lons[0]).toBeCloseTo(POSITION.lon, 6);
  expect(accuracy?.meters[0]).toBe(2.1);
});

test('a fix that is split into position, speed and time is put together by the time of the week', () => {
  const epoch = [50_000_000, 50_000_200, 50_000_400];
  // The time comes once, and after its position; the last position has no speed.
  const frames = epoch.flatMap((weekMs, index) => [
    posllh(weekMs),
    ...(index < 2 ? [velned(weekMs)] : []),
    ...(index === 0 ? [timeutc(weekMs)] : []),
  ]);
  const { fixes } = readLapFile(join(...frames));
  expect([...fixes.timesMs]).toEqual(epoch.map((weekMs) => WEEK_START_MS + weekMs));
  expect([...fixes.speedsMetersPerSecond]).toEqual([12.34, 12.34, Number.NaN]);
  expect(fixes.lons[0]).toBeCloseTo(POSITION.lon, 7);
});

test('a whole drive of split fixes comes back whole', () => {
  const { fixes, dropped } = readLapFile(writeSplitUbx(drive));
  expect(dropped).toEqual({});
  expect([...fixes.timesMs]).toEqual(drive.fixes.map(({ timeMs }) => timeMs));
  for (const [index, fix] of drive.fixes.entries())
    expect(Math.abs((fixes.speedsMetersPerSecond[index] ?? 0) - fix.speedMetersPerSecond)).toBeLessThan(
      0.006,
    );
});

test('positions before the receiver knows the time, and those that are no fix, are counted', () => {
  const noFix = ubxFrame(
    0x0103,
    new ByteWriter().int32(50_000_600).uint8(0, 0).append(new Uint8Array(10)).finish(),
  );
  const frames = [
    posllh(50_000_000),
    timeutc(50_000_000, 3),
    posllh(50_000_200),
    timeutc(50_000_200),
    posllh(50_000_400, 0xffffffff),
    posllh(50_000_600),
    noFix,
  ];
  const { fixes, dropped } = readLapFile(join(...frames));
  expect({ length: fixes.length, dropped }).toEqual({ length: 1, dropped: { no_time: 1, no_position: 2 } });
});

test('a week that begins again does not move positions by a week', () => {
  const lastMs = 7 * DAY_MS - 100;
  const { dropped, fixes } = readLapFile(join(posllh(lastMs), timeutc(lastMs), posllh(100)));
  expect({ length: fixes.length, dropped }).toEqual({ length: 1, dropped: { no_time: 1 } });
});

test('NMEA sentences between the frames are passed over', () => {
  const sentence = new TextEncoder().encode('$GNTXT,01,01,02,u-blox AG*4E\r\n');
  const bytes = writeUbx({ ...drive, fixes: drive.fixes.slice(0, 3) });
  expect(readLapFile(join(sentence, bytes, sentence)).fixes.length).toBe(3);
});

test.each([
  [
    'raw measurements',
    ubxFrame(
      0x0215,
      new Uint8Array(80).map((_, index) => 37 * index),
    ),
  ],
  [
    'the state of the receiver',
    ubxFrame(0x0103, Uint8Array.of(...new Uint8Array(4), 3, 0xdd, ...new Uint8Array(10))),
  ],
])('the sentences have the positions where the frames hold only %s', (_, frame) => {
  const lines = DEVICE_WRITERS.nmea(drive).split(/(?<=\n)/);
  const mixed = join(...lines.flatMap((line) => [frame, new TextEncoder().encode(line)]));
  const { clock, fixes, dropped } = readLapFile(mixed);
  expect({ clock, dropped }).toEqual({ clock: 'utc', dropped: {} });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map(({ timeMs }) => timeMs));
});

test('a file without positions is refused in words', () => {
  expect(() => readLapFile(ubxFrame(0x0501, Uint8Array.of(6, 1)))).toThrow('This UBX file holds no position');
});
