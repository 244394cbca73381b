import { expect, test } from 'vitest';
import { ByteWriter } from '#engine/testing/byte-writer.ts';
import { simulateDrive } from '../../simulation/drive.ts';
import { writeFit } from '#engine/testing/write-fit.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});
const FIRST_SECOND = 1_100_000_000;

function fit(data: ByteWriter): Uint8Array {
  const header = new ByteWriter().uint8(12, 0x10).uint16(0).int32(data.length).ascii('.FIT');
  return header.append(data.finish()).uint16(0).finish();
}

/** Returns the bytes with the highest one first. */
function big(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >> shift) & 0xff);
}

/** Records of time and position only. */
function records(): ByteWriter {
  return new ByteWriter().uint8(0x40, 0, 0).uint16(20).uint8(3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85);
}

test('positions with milliseconds count rather than those in whole seconds', () => {
  const { format, clock, fixes, dropped } = readLapFile(writeFit(drive));
  expect({ format, clock, dropped }).toEqual({ format: 'fit', clock: 'utc', dropped: {} });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 7);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 7);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 2);
  }
});

test('laps that end at a position are those of the device', () => {
  const laps = readLapFile(writeFit(drive)).loggerLaps.map(({ lapTimeMs }) => lapTimeMs);
  expect(laps).toEqual(drive.trueLaps.map(({ lapTimeMs }) => Math.round(lapTimeMs)));
});

test('records in the other byte order, with fields of developers and compressed times are read', () => {
  const data = new ByteWriter()
    .uint8(0x60, 0, 1, 0, 20, 3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85)
    .uint8(1, 0, 3, 0);
  data.uint8(0, ...big(FIRST_SECOND), ...big(500_000_000), ...big(100_000_000), 1, 2, 3);
  data.uint8(0x41, 0, 0).uint16(20).uint8(2, 0, 4, 0x85, 1, 4, 0x85);
  // Local type 1, and the last five bits of a time six seconds later.
  data.uint8(0x80 | 0x20 | ((FIRST_SECOND + 6) & 31)).int32(500_000_100, 100_000_000);
  const { fixes } = readLapFile(fit(data));
  expect([...fixes.timesMs].map((timeMs) => timeMs - Date.UTC(1989, 11, 31))).toEqual([
    FIRST_SECOND * 1000,
    (FIRST_SECOND + 6) * 1000,
  ]);
  expect(fixes.lats[0]).toBeCloseTo((500_000_000 * 180) / 2 ** 31, 9);
});

test('a record without a position is counted', () => {
  const data = records()
    .uint8(0)
    .int32(FIRST_SECOND, 5e8, 1e8)
    .uint8(0)
    .int32(FIRST_SECOND + 1, 0x7fffffff, 0x7fffffff);
  const { fixes, dropped } = readLapFile(fit(data));
  expect({ count: fixes.length, dropped }).toEqual({ count: 1, dropped: { no_position: 1 } });
});

test('system time becomes UTC where the file gives the UTC time of one moment', () => {
  const correlation = new ByteWriter()
    .uint8(0x41, 0, 0)
    .uint16(162)
    .uint8(4, 253, 4, 0x86, 1, 4, 0x86, 4, 2, 0x84, 5, 2, 0x84)
    .uint8(1)
    .int32(FIRST_SECOND, 70)
    .uint16(250, 0)
    .finish();
  const lap = new ByteWriter()
    .uint8(0x42, 0, 0)
    .uint16(19)
    .uint8(3, 2, 4, 0x86, 7, 4, 0x86, 24, 1, 0)
    .uint8(2)
    .int32(68, 60_000)
    .uint8(4)
    .finish();
  const drive = () => records().uint8(0).int32(68, 5e8, 1e8).uint8(0).int32(69, 5.0001e8, 1e8).append(lap);
  const dated = readLapFile(fit(drive().append(correlation)));
  const startTimeMs = Date.UTC(1989, 11, 31) + (FIRST_SECOND - 2) * 1000 + 250;
  expect(dated.clock).toBe('utc');
  expect([...dated.fixes.timesMs]).toEqual([startTimeMs, startTimeMs + 1000]);
  expect(dated.loggerLaps).toMatchObject([{ lapTimeMs: 60_000, startTimeMs }]);
  const undated = readLapFile(fit(drive()));
  expect(undated.clock).toBe('elapsed');
  expect(undated.loggerLaps[0]?.startTimeMs).toBe(undated.fixes.timesMs[0]);
});

test('without such a message, the receiver gives the UTC time of system time', () => {
  const define = new ByteWriter().uint8(0x40, 0, 0).uint16(160);
  const data = define.uint8(5, 253, 4, 0x86, 0, 2, 0x84, 1, 4, 0x85, 2, 4, 0x85, 6, 4, 0x86);
  for (const [milliseconds, utc] of [
    [100, 0xffffffff],
    [200, FIRST_SECOND],
    [300, FIRST_SECOND],
    [400, FIRST_SECOND + 1],
  ] as const)
    data.uint8(0).int32(70).uint16(milliseconds).int32(5e8, 1e8, utc);
  const { clock, fixes } = readLapFile(fit(data));
  const secondMs = Date.UTC(1989, 11, 31) + FIRST_SECOND * 1000;
  expect(clock).toBe('utc');
  expect([...fixes.timesMs]).toEqual([-100, 0, 100, 200].map((sinceMs) => secondMs + sinceMs));
});

test('two files behind each other are one drive, and a file that was cut off is read as far as it goes', () => {
  const whole = writeFit(drive);
  const [first, second] = [0, 60].map((seconds) =>
    fit(
      records()
        .uint8(0)
        .int32(FIRST_SECOND + seconds, 5e8, 1e8),
    ),
  );
  if (first === undefined || second === undefined) throw new Error('There are two.');
  expect(readLapFile(Uint8Array.from([...first, ...second])).fixes.length).toBe(2);
  const half = readLapFile(whole.subarray(0, whole.length / 2)).fixes.length;
  expect(half).toBeGreaterThan(drive.fixes.length / 3);
  expect(half).toBeLessThan(drive.fixes.length);
});

test('a file without positions is refused in words', () => {
  expect(() => readLapFile(fit(new ByteWriter()))).toThrow('This FIT file holds no recorded positions');
});
