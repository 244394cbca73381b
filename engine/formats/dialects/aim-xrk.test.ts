import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { passingTimes } from '../../simulation/drive-samples.ts';
import { simulateDrive, type DrivenFix } from '../../simulation/drive.ts';
import { writeAimXrk } from '#engine/testing/write-aim-xrk.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { openLapFile, timeLaps } from '../../time-lap-file.ts';
import { readLapFile } from '../recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 8, timeStampStepMs: 1 },
});
const bytes = writeAimXrk(drive);

test('fixes have the time of the receiver, in UTC, its position and its speed', () => {
  const { format, clock, fixes, dropped } = readLapFile(bytes);
  expect({ format, clock, dropped }).toEqual({ format: 'aim-xrk', clock: 'utc', dropped: {} });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
  for (const [index, fix] of drive.fixes.entries()) {
    // The file holds centimetres.
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 6);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 6);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 1);
  }
});

test('the laps of the logger lie between its marks, without the out lap and the end of the recording', () => {
  const { loggerLaps } = readLapFile(bytes);
  const passings = passingTimes(drive.trueLaps);
  expect(loggerLaps.map(({ number }) => number)).toEqual([1, 2, 3]);
  for (const [index, { lapTimeMs, startTimeMs }] of loggerLaps.entries()) {
    expect(Math.abs(lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(2);
    // The logger notes fixes up to 45 ms after they were taken.
    expect(Math.abs((startTimeMs ?? 0) - (passings[index] ?? 0))).toBeLessThan(50);
  }
});

test('laps on a known track are timed', () => {
  const { laps } = timeLaps(openLapFile(bytes), KART_TRACK);
  expect(laps.map(({ status }) => status)).toEqual(['valid', 'valid', 'valid']);
  for (const [index, lap] of laps.entries())
    expect(Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(10);
});

test('crossings where the receiver knows that it is worse are as much less certain', () => {
  const worseFromMs = passingTimes(drive.trueLaps)[2] ?? 0;
  const usual = timeLaps(openLapFile(bytes), KART_TRACK).laps;
  const doubtful = writeAimXrk(drive, {
    accuracyMeters: ({ timeMs }) => (timeMs > worseFromMs - 3000 ? 15 : 1.5),
  });
  const { laps } = timeLaps(openLapFile(doubtful), KART_TRACK);
  expect(laps[0]?.uncertaintyMs).toBeCloseTo(usual[0]?.uncertaintyMs ?? 0, 6);
  expect(laps[1]?.uncertaintyMs).toBeGreaterThan(2 * (usual[1]?.uncertaintyMs ?? 0));
  expect(laps[2]?.uncertaintyMs).toBeGreaterThan(5 * (usual[2]?.uncertaintyMs ?? 0));
});

test('weeks of a receiver that began to count again are brought to the date of the logger', () => {
  const { fixes, clock } = readLapFile(writeAimXrk(drive, { weeksBehind: 1024 }));
  expect(clock).toBe('utc');
  expect(fixes.timesMs[0]).toBe(drive.fixes[0]?.timeMs);
});

test("without a week the logger's own clock counts, in an unknown time zone", () => {
  const { fixes, clock } = readLapFile(writeAimXrk(drive, { hasWeek: false }));
  expect(clock).toBe('local');
  const first = drive.fixes[0]?.timeMs ?? 0;
  // The logger states its start in whole seconds.
  expect(Math.abs((fixes.timesMs[0] ?? 0) - first)).toBeLessThan(1000);
});

/** Returns the same fixes some metres to the north, as another solution of the receiver gives them. */
function besides(fixes: readonly DrivenFix[]): DrivenFix[] {
  return fixes.map((fix) => ({ ...fix, lat: fix.lat + OTHER_SOLUTION_DEGREES }));
}

/** Lists both solutions for every moment, in blocks of which either comes first. */
function writtenTwice(fixes: readonly DrivenFix[]): { index: number; fix: DrivenFix }[] {
  return Array.from({ length: Math.ceil(fixes.length / 5) }, (_, block) => {
    const own = fixes.slice(5 * block, 5 * block + 5);
    const both = [placed(own, 5 * block), placed(besides(own), 5 * block)];
    return (block % 3 === 0 ? both.toReversed() : both).flat();
  }).flat();
}

const OTHER_SOLUTION_DEGREES = 4 / 111_000;
const placed = (fixes: readonly DrivenFix[], from = 0) =>
  fixes.map((fix, place) => ({ index: from + place, fix }));

test('a block that the logger has written again is no change of the clock', () => {
  const again = writeAimXrk(drive, {
    written: (fixes) => [
      ...placed(fixes.slice(0, 300)),
      ...placed(fixes.slice(287, 300), 287),
      ...placed(fixes.slice(300), 300),
    ],
  });
  const { fixes, dropped } = readLapFile(again);
  expect(dropped).toEqual({ repeated_time: 13 });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map(({ timeMs }) => timeMs));
  expect(timeLaps(openLapFile(again), KART_TRACK).laps).toEqual(
    timeLaps(openLapFile(bytes), KART_TRACK).laps,
  );
});

test('of two solutions for every moment one is followed, whichever comes first in a block', () => {
  const { fixes, dropped } = readLapFile(writeAimXrk(drive, { written: writtenTwice }));
  expect(dropped).toEqual({ repeated_time: drive.fixes.length });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map(({ timeMs }) => timeMs));
  const other = besides(drive.fixes);
  for (const [index, lat] of fixes.lats.entries()) expect(lat).toBeCloseTo(other[index]?.lat ?? 0, 6);
});

test.each([
  ['once', placed],
  ['twice', writtenTwice],
])('times that were set back by whole intervals reject the lap, where each is written %s', (_, written) => {
  const middle = Math.round(drive.fixes.length / 2);
  const setBack = drive.fixes.map((fix, index) =>
    index < middle ? fix : { ...fix, timeMs: fix.timeMs - 4 * 125 },
  );
  const { laps } = timeLaps(openLapFile(writeAimXrk({ ...drive, fixes: setBack }, { written })), KART_TRACK);
  expect(laps.map(({ reasons }) => reasons)).toContainEqual(expect.arrayContaining(['clock_changed']));
});

test.each([65_493, -3 * 65_536])(
  "a jump by %i ms of the logger's clock in the messages of the receiver moves no laps",
  (jumpMs) => {
    const jumped = readLapFile(writeAimXrk(drive, { clockJump: { index: 40, jumpMs } }));
    const { loggerLaps, fixes } = readLapFile(bytes);
    expect(jumped.loggerLaps.map(({ lapTimeMs }) => lapTimeMs)).toEqual(
      loggerLaps.map(({ lapTimeMs }) => lapTimeMs),
    );
    for (const [index, { startTimeMs }] of jumped.loggerLaps.entries())
      expect(Math.abs((startTimeMs ?? 0) - (loggerLaps[index]?.startTimeMs ?? 0))).toBeLessThan(10);
    expect(jumped.fixes.timesMs).toEqual(fixes.timesMs);
  },
);

test('an .xrz file is the same in a zlib stream, and is read as far as it goes', () => {
  const packed = deflateSync(bytes);
  expect(readLapFile(packed, inflateLapFile)).toEqual(readLapFile(bytes));
  const half = readLapFile(packed.subarray(0, packed.length / 2), inflateLapFile);
  expect(half.fixes.length).toBeGreaterThan(drive.fixes.length / 4);
  expect(half.fixes.length).toBeLessThan(drive.fixes.length);
});

test('a damaged message is passed over, and all others are read', () => {
  const damaged = bytes.slice();
  const middle = Math.floor(damaged.length / 2);
  damaged.fill(0x3c, middle, middle + 40);
  const { fixes } = readLapFile(damaged);
  expect(fixes.length).toBeGreaterThanOrEqual(drive.fixes.length - 2);
  expect(fixes.length).toBeLessThan(drive.fixes.length);
});

test('a file without a fix is refused in words', () => {
  expect(() => readLapFile(bytes.subarray(0, 180))).toThrow('This');
  expect(() => readLapFile(bytes.subarray(0, 40))).toThrow('This AiM file holds no recording');
});

test('lengths that lie cost no more time than honest ones', () => {
  const header = [...bytes.subarray(0, 12)];
  const lying = Uint8Array.from({ length: 4_000_000 }, (_, index) => header[index % 12] ?? 0);
  expect(() => readLapFile(lying)).toThrow('This AiM file holds no recording');
});
