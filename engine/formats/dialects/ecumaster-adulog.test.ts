import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { simulateDrive } from '../../simulation/drive.ts';
import { writeEcumasterAdulog } from '#engine/testing/write-ecumaster-adulog.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});
const log = writeEcumasterAdulog(drive);

test('a log is read at the moments of its frames, each position once', () => {
  const { format, clock, fixes, dropped } = readLapFile(gzipSync(log), inflateLapFile);
  expect({ format, clock }).toEqual({ format: 'ecumaster-adulog', clock: 'elapsed' });
  expect(fixes.length).toBe(drive.fixes.length);
  // A position is in the log every 20 ms and new every 100 ms.
  expect(dropped.held_position).toBeGreaterThanOrEqual(4 * (drive.fixes.length - 1));
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.timesMs[index]).toBe(fix.timeMs - (drive.fixes[0]?.timeMs ?? 0));
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 6);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 6);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 2);
  }
});

test('positions south and west have a sign', () => {
  const fixes = drive.fixes.map((fix) => ({ ...fix, lat: -Math.abs(fix.lat), lon: -Math.abs(fix.lon) }));
  const { lats, lons } = readLapFile(writeEcumasterAdulog({ ...drive, fixes })).fixes;
  expect(lats[30]).toBeCloseTo(fixes[30]?.lat ?? 0, 6);
  expect(lons[30]).toBeCloseTo(fixes[30]?.lon ?? 0, 6);
});

test('the values of the engine are multiplied, and averaged around the fixes', () => {
  const { channels } = readLapFile(log).fixes;
  // The frames 24, 25 and 26 have 3240, 3250 and 3260.
  expect(channels?.rpm?.[10]).toBe(3250);
});

test('a log that was cut off is read as far as it goes', () => {
  const { fixes } = readLapFile(log.subarray(0, Math.floor(log.length / 2)));
  expect(fixes.length).toBeGreaterThan(0.4 * drive.fixes.length);
  expect(fixes.length).toBeLessThan(0.6 * drive.fixes.length);
});

test('a log without a receiver is refused in words', () => {
  expect(() => readLapFile(writeEcumasterAdulog(drive, 'can.'))).toThrow(
    'This ECUMaster log has no channels with GPS latitude',
  );
});
