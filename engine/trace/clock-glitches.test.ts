import { expect, test } from 'vitest';
import { makeLapFile, fixAt } from '../testing/fixes.ts';
import { buildTrace } from './trace.ts';
import { DAY_MS } from '../durations.ts';

const START_MS = Date.UTC(2026, 4, 16, 9, 30);
const COUNT = 600;

/** Returns a minute at 10 Hz and 20 m/s, with other stamps for some of the rows. */
function driveWith(stampOf: (row: number, timeMs: number) => number) {
  return Array.from({ length: COUNT }, (_, row) => {
    const timeMs = START_MS + 100 * row;
    return fixAt(stampOf(row, timeMs), 2 * row);
  });
}

test.each([
  ['one row from 1970', (row: number, timeMs: number) => (row === 300 ? 1000 : timeMs)],
  ['some rows from 1970', (row: number, timeMs: number) => (row >= 300 && row < 320 ? 100 * row : timeMs)],
  [
    'rows from tomorrow',
    (row: number, timeMs: number) => (row >= 300 && row < 320 ? timeMs + DAY_MS : timeMs),
  ],
  [
    'rows half a minute late',
    (row: number, timeMs: number) => (row >= 300 && row < 310 ? timeMs + 30_000 : timeMs),
  ],
  [
    'rows from here and there',
    (row: number, timeMs: number) => (row >= 300 && row < 305 ? row * 1e7 : timeMs),
  ],
])('%s are left out and counted, and nothing around them is lost', (_, stampOf) => {
  const rows = driveWith(stampOf);
  const glitchCount = rows.filter((fix, row) => fix.timeMs !== START_MS + 100 * row).length;
  const trace = buildTrace(makeLapFile(rows));
  expect(trace.fixes.length).toBe(COUNT - glitchCount);
  expect(trace.partStarts).toEqual([0]);
  expect(trace.dropped).toEqual({ clock_went_back: glitchCount });
});

test('a part that begins behind rows with a clock glitch begins at the same row as before', () => {
  const rows = driveWith((row, timeMs) => timeMs + (row >= 400 ? 3_600_000 : 0) - (row === 100 ? 1e9 : 0));
  const trace = buildTrace(makeLapFile(rows, { partStarts: [0, 400] }));
  expect(trace.fixes.length).toBe(COUNT - 1);
  expect(trace.partStarts).toEqual([0, 399]);
});

test.each([
  ['first rows from 1980', (row: number) => row < 30, -46 * 365 * DAY_MS],
  ['one first row from yesterday', (row: number) => row < 1, -DAY_MS],
  ['first rows from tomorrow', (row: number) => row < 30, DAY_MS],
  ['last rows from tomorrow', (row: number) => row >= 560, DAY_MS],
  ['last rows from yesterday', (row: number) => row >= 560, -DAY_MS],
])('%s do not give the session its date where the car drove on', (_, isGlitch, offMs) => {
  const rows = driveWith((row, timeMs) => (isGlitch(row) ? timeMs + offMs : timeMs));
  const glitchCount = rows.filter((__, row) => isGlitch(row)).length;
  const trace = buildTrace(makeLapFile(rows));
  expect(trace.dropped).toEqual({ clock_went_back: glitchCount });
  expect(trace.partStarts).toEqual([0]);
  const firstKept = isGlitch(0) ? glitchCount : 0;
  expect(trace.fixes.timesMs[0]).toBe(START_MS + 100 * firstKept);
});

const isFirst = (row: number) => row < 30;

test('a few first rows keep their date where the car was elsewhere, stood or many more are missing', () => {
  const drive = driveWith((row, timeMs) => (isFirst(row) ? timeMs - DAY_MS : timeMs));
  const elsewhere = drive.map((fix, row) => (isFirst(row) ? { ...fix, lat: fix.lat + 0.01 } : fix));
  const standing = drive.map((fix, row) =>
    isFirst(row) ? { ...fix, lat: drive[30]?.lat ?? 0, lon: drive[30]?.lon ?? 0 } : fix,
  );
  const many = driveWith((row, timeMs) => (row < 100 ? timeMs - DAY_MS : timeMs));
  const timesOfDay = makeLapFile(drive, { clock: 'time_of_day' });
  for (const file of [makeLapFile(elsewhere), makeLapFile(standing), makeLapFile(many), timesOfDay]) {
    expect(buildTrace(file).dropped['clock_went_back']).toBeUndefined();
  }
});

test('a receiver that stood with a date of 2006 until it knew better has the better one', () => {
  const drive = driveWith((row, timeMs) => (row < 30 ? timeMs - 1024 * 7 * DAY_MS : timeMs));
  const stood = drive.map((fix, row) => (row < 60 ? { ...fix, lon: drive[60]?.lon ?? 0 } : fix));
  expect(buildTrace(makeLapFile(stood)).fixes.timesMs[0]).toBeGreaterThanOrEqual(START_MS);
});

test('pauses, and parts that a file holds in another order, are no clock glitches', () => {
  const paused = driveWith((row, timeMs) => timeMs + 60_000 * Math.floor(row / 100));
  expect(buildTrace(makeLapFile(paused)).dropped).toEqual({});
  const drive = driveWith((_, timeMs) => timeMs);
  const mixed = [...drive.slice(0, 200), ...drive.slice(500), ...drive.slice(200, 500)];
  const trace = buildTrace(makeLapFile(mixed, { partStarts: [0, 200, 300] }));
  expect(trace.dropped).toEqual({});
  expect(trace.partStarts).toEqual([0]);
});

test('a clock that jumps at every row leaves a trace all the same', () => {
  const rows = driveWith((row) => START_MS + ((row * 7_919) % COUNT) * 60_000);
  const trace = buildTrace(makeLapFile(rows));
  const dropped = Object.values(trace.dropped).reduce((sum, count) => sum + count, 0);
  expect(trace.fixes.length + dropped).toBe(COUNT);
});
