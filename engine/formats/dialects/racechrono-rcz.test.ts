import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { simulateDrive } from '../../simulation/drive.ts';
import { writeRaceChronoRcz, type RczOptions } from '#engine/testing/write-racechrono-rcz.ts';
import { writeZip } from '#engine/testing/write-zip.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { openLapFile, timeOnOwnLine } from '../../time-lap-file.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});

function read(options: RczOptions = {}) {
  return readLapFile(writeRaceChronoRcz(drive, options), inflateLapFile);
}

test('positions, times and speeds of the receiver come back', () => {
  const { format, clock, fixes, dropped } = read();
  expect({ format, clock, dropped }).toEqual({ format: 'racechrono-rcz', clock: 'utc', dropped: {} });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 6);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 6);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 2);
  }
});

test('compressed, in a folder, and stored is the same', () => {
  expect(read({ deflate: deflateRawSync, folder: 'session_20260516_093000/' })).toEqual(read());
});

test('channels of the car have a rhythm of their own, and become values at the fixes', () => {
  const { fixes } = read({
    carChannel: { kind: 10_024, stepMs: 500, value: (ms) => 2000 + (ms % 20_000) / 4 },
  });
  const { rpm = new Float64Array() } = fixes.channels ?? {};
  expect(Object.keys(fixes.channels ?? {})).toEqual(['rpm']);
  for (const fix of [10, 55, 120]) {
    const elapsedMs = (fixes.timesMs[fix] ?? 0) - (fixes.timesMs[0] ?? 0);
    expect(Math.abs((rpm[fix] ?? 0) - (2000 + elapsedMs / 4))).toBeLessThan(12);
  }
  expect(read({ carChannel: { kind: 10_026, stepMs: 500, value: () => 90 } }).fixes.channels).toBeUndefined();
});

test('the laps of the session are kept, and timed on the line of the session', () => {
  const line = KART_TRACK.startFinishLine;
  if (line === null) throw new Error('The kart track has a line.');
  const { loggerLaps } = read();
  expect(loggerLaps.map(({ number }) => number)).toEqual([1, 2, 3]);
  const { laps } = timeOnOwnLine(openLapFile(writeRaceChronoRcz(drive, { line })));
  expect(laps.filter(({ status }) => status === 'valid')).toHaveLength(3);
  for (const [index, { lapTimeMs }] of drive.trueLaps.entries()) {
    expect(Math.abs((loggerLaps[index]?.lapTimeMs ?? 0) - lapTimeMs)).toBeLessThan(2);
    expect(Math.abs((laps[index]?.lapTimeMs ?? 0) - lapTimeMs)).toBeLessThan(15);
  }
});

test('of a shared lap only that lap counts, though the list has all', () => {
  const second = drive.trueLaps[1]?.startTimeMs ?? 0;
  const endMs = second + (drive.trueLaps[1]?.lapTimeMs ?? 0);
  const fixes = drive.fixes.filter(({ timeMs }) => timeMs > second - 3000 && timeMs < endMs + 3000);
  const { loggerLaps } = readLapFile(writeRaceChronoRcz({ ...drive, fixes }));
  expect(loggerLaps.map(({ number }) => number)).toEqual([2]);
});

test('with a damaged list of laps the positions are read', () => {
  const { fixes, loggerLaps } = readLapFile(change(writeRaceChronoRcz(drive), '"laps"', 1, 0x22));
  expect({ fixCount: fixes.length, loggerLaps }).toEqual({ fixCount: drive.fixes.length, loggerLaps: [] });
});

test('an archive that lies about sizes, is cut off, encrypted or a bomb is refused in words', () => {
  const bytes = writeRaceChronoRcz(drive, { deflate: deflateRawSync });
  refuse(bytes.subarray(0, bytes.length - 30)).toThrow('This ZIP archive is not whole');
  refuse(change(bytes, 'PK\u0001\u0002', 24, 0x7f)).toThrow('This ZIP archive is damaged');
  refuse(change(bytes, 'PK\u0001\u0002', 8, 1)).toThrow('This ZIP archive is encrypted');
  refuse(change(bytes, 'PK\u0001\u0002', 10, 99)).toThrow('compressed in a way that cannot be read');
  refuse(change(bytes, 'PK\u0003\u0004', 0, 0)).toThrow('This');
  const bomb = ['channel_1_100_0_1_1', 'channel_1_100_0_3_1'].map(
    (name) => [name, new Uint8Array(30_000_000)] as const,
  );
  refuse(writeZip(bomb, deflateRawSync)).toThrow('unpacks to far more than lap files');
});

function refuse(broken: Uint8Array) {
  return expect(() => readLapFile(broken, inflateLapFile));
}

/** Replaces one byte, so far behind a mark. */
function change(bytes: Uint8Array, mark: string, offset: number, value: number): Uint8Array {
  const at = Buffer.from(bytes).indexOf(mark, 0, 'latin1') + offset;
  return bytes.with(at, value);
}
