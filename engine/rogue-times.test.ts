import { expect, test } from 'vitest';
import { fileOf, fixAt } from './testing/fixes.ts';
import { buildTrace } from './trace.ts';

const START_MS = Date.UTC(2026, 4, 16, 9, 30);
const COUNT = 600;

/** A minute at 10 Hz and 20 m/s, with other stamps for some of the rows. */
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
    (row: number, timeMs: number) => (row >= 300 && row < 320 ? timeMs + 86_400_000 : timeMs),
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
  const rogue = rows.filter((fix, row) => fix.timeMs !== START_MS + 100 * row).length;
  const trace = buildTrace(fileOf(rows));
  expect(trace.fixes.length).toBe(COUNT - rogue);
  expect(trace.partStarts).toEqual([0]);
  expect(trace.dropped).toEqual({ clock_went_back: rogue });
});

test('a part that begins behind rogue rows begins at the same row as before', () => {
  const rows = driveWith((row, timeMs) => timeMs + (row >= 400 ? 3_600_000 : 0) - (row === 100 ? 1e9 : 0));
  const trace = buildTrace(fileOf(rows, { partStarts: [0, 400] }));
  expect(trace.fixes.length).toBe(COUNT - 1);
  expect(trace.partStarts).toEqual([0, 399]);
});

test('pauses, and parts that a file holds in another order, are no rogue rows', () => {
  const paused = driveWith((row, timeMs) => timeMs + 60_000 * Math.floor(row / 100));
  expect(buildTrace(fileOf(paused)).dropped).toEqual({});
  const drive = driveWith((_, timeMs) => timeMs);
  const mixed = [...drive.slice(0, 200), ...drive.slice(500), ...drive.slice(200, 500)];
  const trace = buildTrace(fileOf(mixed, { partStarts: [0, 200, 300] }));
  expect(trace.dropped).toEqual({});
  expect(trace.partStarts).toEqual([0]);
});

test('a clock that jumps at every row leaves a trace all the same', () => {
  const rows = driveWith((row) => START_MS + ((row * 7_919) % COUNT) * 60_000);
  const trace = buildTrace(fileOf(rows));
  const dropped = Object.values(trace.dropped).reduce((sum, count) => sum + count, 0);
  expect(trace.fixes.length + dropped).toBe(COUNT);
});
