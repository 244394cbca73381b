import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { writeQstarzBin } from '#engine/testing/write-qstarz-bin.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, { seed: 5, laps: 1, receiver: { rateHz: 10, timeStampStepMs: 1 } });
const bytes = writeQstarzBin(drive);
const [FIX, REASON, LATITUDE] = [0, 1, 4];

/** Returns the drive with another byte in one of its records. */
function changed(record: number, offset: number, value: number): Uint8Array {
  const copy = bytes.slice();
  copy[64 * record + offset] = value;
  return copy;
}

test('positions are degrees and minutes in one number, times have milliseconds, speeds are in km/h', () => {
  const { format, clock, fixes, dropped } = readLapFile(bytes);
  expect({ format, clock, dropped }).toEqual({ format: 'qstarz-bin', clock: 'utc', dropped: {} });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 9);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 9);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 4);
  }
});

test('west and south are below zero', () => {
  const west = {
    ...drive,
    fixes: drive.fixes.map((fix) => ({ ...fix, lat: -33.5 - fix.lat / 1000, lon: -0.25 })),
  };
  const { fixes } = readLapFile(writeQstarzBin(west));
  expect(fixes.lats[3]).toBeCloseTo(west.fixes[3]?.lat ?? 0, 9);
  expect(fixes.lons[3]).toBeCloseTo(-0.25, 9);
});

test('a press of the button is a fix, and other events are none', () => {
  expect(readLapFile(changed(5, REASON, 0x42)).fixes.length).toBe(drive.fixes.length);
  const { fixes, dropped } = readLapFile(changed(5, REASON, 0x57));
  expect({ length: fixes.length, dropped }).toEqual({ length: drive.fixes.length - 1, dropped: {} });
});

test('records without a fix, and damaged ones, are counted', () => {
  expect(readLapFile(changed(5, FIX, 1)).dropped).toEqual({ no_position: 1 });
  expect(readLapFile(changed(5, LATITUDE + 7, 0x7f)).dropped).toEqual({ unreadable_row: 1 });
});

test('a recording without positions is refused in words', () => {
  const switchedOff = bytes.subarray(64 * drive.fixes.length);
  expect(() => readLapFile(switchedOff)).toThrow('This Qstarz recording holds no GPS positions');
});
