import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at } from '../fix-columns.ts';
import { makeLapFile, fixAt } from '../testing/fixes.ts';
import { buildTrace, gpsRateHz } from './trace.ts';
import { DAY_MS } from '../durations.ts';

const START_MS = Date.UTC(2026, 4, 16, 9, 30);

/** Returns `count` fixes at `stepMs` of a car that goes 20 m/s to the east. */
function steadyDrive(count: number, stepMs = 100) {
  return Array.from({ length: count }, (_, index) => fixAt(START_MS + index * stepMs, 0.02 * index * stepMs));
}

test('held positions are dropped, and the row in which the position first changes gives the time', () => {
  const rows = Array.from({ length: 200 }, (_, row) => fixAt(START_MS + row * 50, 20 * Math.floor(row / 20)));
  const trace = buildTrace(makeLapFile(rows));
  expect(trace.fixes.length).toBe(10);
  expect([...trace.fixes.timesMs].map((timeMs) => timeMs - START_MS)).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((s) => s * 1000),
  );
  expect(trace.dropped).toEqual({ held_position: 190 });
  expect(gpsRateHz(trace)).toBe(1);
});

test('a car that is stationary for a minute leaves no gap', () => {
  const before = steadyDrive(20);
  const standing = Array.from({ length: 600 }, (_, index) => fixAt(START_MS + 2000 + index * 100, 38));
  const after = Array.from({ length: 20 }, (_, index) =>
    fixAt(START_MS + 62_000 + index * 100, 40 + 2 * index),
  );
  const trace = buildTrace(makeLapFile([...before, ...standing, ...after]));
  expect(trace.partStarts).toEqual([0]);
});

test('a position held while the car drives on is a gap', () => {
  const held = Array.from({ length: 200 }, (_, index) => fixAt(START_MS + 2000 + index * 100, 38));
  const after = Array.from({ length: 20 }, (_, index) =>
    fixAt(START_MS + 22_000 + index * 100, 438 + 2 * index),
  );
  const trace = buildTrace(makeLapFile([...steadyDrive(20), ...held, ...after]));
  expect(trace.partStarts).toEqual([0, 20]);
});

test('a pause breaks the trace, and parts that touch are joined', () => {
  const drive = steadyDrive(100);
  const later = steadyDrive(100).map((fix) => ({ ...fix, timeMs: fix.timeMs + 40 * 60_000 }));
  const trace = buildTrace(makeLapFile([...drive, ...later], { partStarts: [0, 50, 100, 150] }));
  expect(trace.partStarts).toEqual([0, 100]);
});

test('parts that are not in the order of their times are put in order', () => {
  const drive = steadyDrive(100);
  const trace = buildTrace(makeLapFile([...drive.slice(50), ...drive.slice(0, 50)], { partStarts: [0, 50] }));
  expect([...trace.fixes.timesMs]).toEqual(drive.map((fix) => fix.timeMs));
  expect(trace.dropped).toEqual({});
});

test('a stretch that is in the file twice counts once', () => {
  const drive = steadyDrive(200);
  const trace = buildTrace(makeLapFile([...drive, ...drive.slice(0, 120)], { partStarts: [0, 200] }));
  expect(trace.fixes.length).toBe(200);
});

test('repeated times and small steps back of the clock are dropped and counted', () => {
  const drive = steadyDrive(60);
  const [again, back] = [fixAt(START_MS + 3000, 61), fixAt(START_MS + 2950, 61)];
  const trace = buildTrace(makeLapFile([...drive.slice(0, 31), again, back, ...drive.slice(31)]));
  expect(trace.dropped).toEqual({ repeated_time: 1, clock_went_back: 1 });
  expect(trace.fixes.length).toBe(60);
});

test('rows without a fix are dropped, whatever the receiver wrote instead', () => {
  const drive = steadyDrive(60);
  const nowhere = { timeMs: START_MS + 1050, lat: 0, lon: 0, speedMetersPerSecond: 0 };
  const missing = { ...nowhere, timeMs: START_MS + 1060, lat: Number.NaN };
  const outside = { ...nowhere, timeMs: START_MS + 1070, lat: 95, lon: 7 };
  const timeless = { ...fixAt(Number.NaN, 21) };
  const trace = buildTrace(
    makeLapFile([...drive.slice(0, 11), nowhere, missing, outside, timeless, ...drive.slice(11)]),
  );
  expect(trace.dropped).toEqual({ out_of_range: 1, no_position: 2, no_time: 1 });
  expect(trace.partStarts).toEqual([0]);
});

test('a fix that is far off for a moment is left out', () => {
  const drive = steadyDrive(60);
  drive[30] = fixAt(START_MS + 3000, 5000, 300);
  const trace = buildTrace(makeLapFile(drive));
  expect(trace.dropped).toEqual({ impossible_jump: 1 });
  expect(trace.fixes.length).toBe(59);
  expect(trace.partStarts).toEqual([0]);
  expect(trace.jumpTimesMs).toEqual([START_MS + 3000]);
});

test('a jump to where the trace then goes on breaks it', () => {
  const drive = steadyDrive(60).map((fix, index) => (index < 30 ? fix : fixAt(fix.timeMs, 2000 + 2 * index)));
  const trace = buildTrace(makeLapFile(drive));
  expect(trace.fixes.length).toBe(60);
  expect(trace.partStarts).toEqual([0, 30]);
});

test('ten fixes a second under one stamp get their times back when none is missing', () => {
  const drive = steadyDrive(605).map((fix) => ({ ...fix, timeMs: Math.floor(fix.timeMs / 1000) * 1000 }));
  const trace = buildTrace(makeLapFile(drive));
  expect(trace.hasCoarseTimestamps).toBe(false);
  expect(trace.fixes.length).toBe(605);
  const offsets = [...trace.fixes.timesMs].map((timeMs, index) => timeMs - START_MS - index * 100);
  expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThan(2);
});

test('when fixes under shared stamps are missing, the stamps are called coarse', () => {
  const drive = steadyDrive(605)
    .filter((_, index) => index % 37 !== 5)
    .map((fix) => ({ ...fix, timeMs: Math.floor(fix.timeMs / 1000) * 1000 }));
  expect(buildTrace(makeLapFile(drive)).hasCoarseTimestamps).toBe(true);
});

test.each([
  ['first', 4],
  ['last', 600],
])('where one is missing under the %s stamp, what lies beyond it is left out', (_, missing) => {
  const drive = steadyDrive(605)
    .filter((_, index) => index !== missing)
    .map((fix) => ({ ...fix, timeMs: Math.floor(fix.timeMs / 1000) * 1000 }));
  const trace = buildTrace(makeLapFile(drive));
  expect(trace.hasCoarseTimestamps).toBe(false);
  expect(trace.dropped).toEqual({ no_time: 4 });
  expect(trace.fixes.length).toBe(600);
  const firstKept = missing === 4 ? 5 : 0;
  const offsets = [...trace.fixes.timesMs].map((timeMs, row) => timeMs - START_MS - 100 * (row + firstKept));
  expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThan(2);
  expect(Math.abs(offsets[0] ?? 0)).toBeLessThan(60);
});

test('stamps cut to 10 ms are noticed, those of an even rhythm are not taken for cut', () => {
  const cut = steadyDrive(600, 40).map((fix, index) => ({
    ...fix,
    timeMs: Math.floor((fix.timeMs + 7 * Math.sin(index)) / 10) * 10,
  }));
  expect(buildTrace(makeLapFile(cut)).timestampStepMs).toBe(10);
  expect(buildTrace(makeLapFile(steadyDrive(600, 40))).timestampStepMs).toBe(0);
});

test('times of day go on after midnight', () => {
  const drive = steadyDrive(100).map((fix, index) => ({
    ...fix,
    timeMs: (86_395_000 + index * 100) % DAY_MS,
  }));
  const trace = buildTrace(makeLapFile(drive, { clock: 'time_of_day' }));
  expect(trace.partStarts).toEqual([0]);
  expect(at(trace.fixes.timesMs, 99) - at(trace.fixes.timesMs, 0)).toBe(9900);
});

test('an empty lap file gives an empty trace', () => {
  const trace = buildTrace(makeLapFile([]));
  expect(trace.fixes.length).toBe(0);
  expect(trace.partStarts).toEqual([]);
  expect(gpsRateHz(trace)).toBeNull();
});

test('whatever the rows are, times rise strictly, parts begin inside, and every row is a fix or counted', () => {
  const row = fc.record({
    timeMs: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.constant(Number.NaN)),
    lat: fc.oneof(fc.double({ min: 50, max: 50.01 }), fc.constant(50.005), fc.double()),
    lon: fc.oneof(fc.double({ min: 7, max: 7.01 }), fc.constant(7.005)),
    speedMetersPerSecond: fc.constant(Number.NaN),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      const trace = buildTrace(makeLapFile(rows));
      const { fixes, partStarts, dropped } = trace;
      for (let index = 1; index < fixes.length; index += 1) {
        expect(at(fixes.timesMs, index)).toBeGreaterThan(at(fixes.timesMs, index - 1));
      }
      expect(partStarts).toEqual([...new Set(partStarts)].toSorted((a, b) => a - b));
      expect(partStarts.every((start) => start < fixes.length)).toBe(true);
      const droppedCount = Object.values(dropped).reduce((sum, count) => sum + count, 0);
      expect(fixes.length + droppedCount).toBe(rows.length);
    }),
  );
});
