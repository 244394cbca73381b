import { expect, test } from 'vitest';
import { ByteWriter } from '#engine/testing/byte-writer.ts';
import { simulateDrive } from '../../simulation/drive.ts';
import { message, writeRacetechRun } from '#engine/testing/write-racetech-run.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 5, timeStampStepMs: 1 },
});
const bytes = writeRacetechRun(drive);

test('positions have the GPS time before them, on the date of the run', () => {
  const { format, clock, fixes, dropped, accuracy } = readLapFile(bytes);
  expect({ format, clock, dropped }).toEqual({ format: 'racetech-run', clock: 'utc', dropped: {} });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map(({ timeMs }) => timeMs));
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 6);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 6);
    expect(Math.abs((fixes.speedsMetersPerSecond[index] ?? 0) - fix.speedMetersPerSecond)).toBeLessThan(
      0.006,
    );
  }
  expect(accuracy?.meters[0]).toBe(0.8);
});

test('a run without a date knows the time of the week', () => {
  const { clock, fixes } = readLapFile(writeRacetechRun(drive, { withDate: false }));
  expect(clock).toBe('elapsed');
  const [first = 0, last = 0] = [drive.fixes[0]?.timeMs, drive.fixes.at(-1)?.timeMs];
  expect((fixes.timesMs.at(-1) ?? 0) - (fixes.timesMs[0] ?? 0)).toBe(last - first);
});

test.each([
  ['the run', bytes],
  ['the GPS week', writeRacetechRun(drive, { hasWeekTimeMarkers: true })],
])('the laps lie between the markers of the line in times of %s, to the millisecond', (_, file) => {
  const { loggerLaps } = readLapFile(file);
  expect(loggerLaps).toHaveLength(drive.trueLaps.length);
  for (const [index, { lapTimeMs, startTimeMs }] of drive.trueLaps.entries()) {
    expect(Math.abs((loggerLaps[index]?.lapTimeMs ?? 0) - lapTimeMs)).toBeLessThanOrEqual(1);
    expect(Math.abs((loggerLaps[index]?.startTimeMs ?? 0) - startTimeMs)).toBeLessThanOrEqual(10);
  }
});

test('damage costs the messages that it hits, and unknown ones are passed over', () => {
  const damaged = bytes.slice();
  for (const at of [3000, 6000]) damaged[at] = (damaged[at] ?? 0) ^ 0x55;
  const lost = drive.fixes.length - readLapFile(damaged).fixes.length;
  expect(lost).toBeLessThanOrEqual(2);
  const unknown = Uint8Array.from([
    ...bytes.subarray(0, 1000),
    ...message(200, new ByteWriter().int32(7)),
    ...bytes.subarray(1000),
  ]);
  expect(drive.fixes.length - readLapFile(unknown).fixes.length).toBeLessThanOrEqual(2);
});

test('latitude 90 at longitude 0 is no position', () => {
  const none = message(10, new ByteWriter({ isLittleEndian: false }).int32(0, 9e8, 0));
  expect(readLapFile(Uint8Array.from([...bytes, ...none])).dropped).toEqual({ no_position: 1 });
});

test('a run without positions is refused in words', () => {
  const voltages = Array.from({ length: 40 }, () => [...message(20, new ByteWriter().uint16(700))]);
  expect(() => readLapFile(Uint8Array.from(voltages.flat()))).toThrow(
    'This Race Technology recording holds no GPS positions',
  );
});
