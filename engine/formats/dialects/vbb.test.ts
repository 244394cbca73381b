import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { writeVbb } from '#engine/testing/write-vbb.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 1,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 20, timeStampStepMs: 1 },
});
const [first] = drive.fixes;

test.each([false, true])('a drive comes back whole (little-endian: %s)', (isLittleEndian) => {
  const { format, clock, fixes, dropped } = readLapFile(writeVbb(drive, { isLittleEndian }));
  expect({ format, clock, dropped }).toEqual({ format: 'vbb', clock: 'utc', dropped: {} });
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.timesMs[index]).toBeCloseTo(fix.timeMs, 3);
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 9);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 9);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 4);
  }
});

test.each([false, true])('version 1 has shorter dates (little-endian: %s)', (isLittleEndian) => {
  expect(readLapFile(writeVbb(drive, { isLittleEndian, version: 1 }))).toEqual(
    readLapFile(writeVbb(drive, { isLittleEndian })),
  );
});

test('a version that is not known is refused in words', () => {
  expect(() => readLapFile(writeVbb(drive, { version: 3 }))).toThrow(
    'This VBB file is of version 3, and only versions 1 and 2 are known',
  );
});

test('east is positive', () => {
  const west = { ...drive, fixes: [{ ...first, timeMs: 0, speedMetersPerSecond: 0, lat: 52, lon: -1.057 }] };
  expect(readLapFile(writeVbb(west)).fixes.lons[0]).toBeCloseTo(-1.057, 9);
});

test('sensors in other groups are read at the moments of the fixes', () => {
  const { fixes } = readLapFile(writeVbb(drive));
  expect(fixes.channels?.rpm?.[9]).toBeCloseTo(3000 + 100 * (drive.fixes[9]?.speedMetersPerSecond ?? 0), 1);
});

test('the accuracy is that of the sample with the same time', () => {
  const { accuracy } = readLapFile(writeVbb(drive, { accuracyMeters: (index) => 1 + index }));
  expect(accuracy?.meters[7]).toBe(8);
  expect(accuracy?.timesMs[7]).toBeCloseTo(drive.fixes[7]?.timeMs ?? 0, 3);
});

test('times and samples run on over midnight', () => {
  const startMs = Date.UTC(2026, 4, 16, 23, 59, 50);
  const shiftMs = startMs - (first?.timeMs ?? 0);
  const late = {
    ...drive,
    fixes: drive.fixes.map((fix) => ({ ...fix, timeMs: fix.timeMs + shiftMs })),
  };
  const { fixes, accuracy } = readLapFile(writeVbb(late));
  expect(fixes.timesMs.at(-1)).toBeCloseTo(late.fixes.at(-1)?.timeMs ?? 0, 3);
  expect(accuracy?.meters).toHaveLength(drive.fixes.length);
  expect(fixes.channels?.rpm?.every(Number.isFinite)).toBe(true);
});

test('a file that was cut off is read as far as it goes', () => {
  const whole = writeVbb(drive);
  const half = readLapFile(whole.subarray(0, whole.length / 2)).fixes.length;
  expect(half).toBeGreaterThan(drive.fixes.length / 3);
  expect(half).toBeLessThan(drive.fixes.length);
});

test('a file without positions is refused in words', () => {
  expect(() => readLapFile(writeVbb({ ...drive, fixes: [] }))).toThrow(
    'This VBB file holds no GPS positions',
  );
});
