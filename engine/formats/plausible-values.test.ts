import { expect, test } from 'vitest';
import { UnreadableLapFileError } from '../lap-file.ts';
import { makeLapFile, fixAt } from '../testing/fixes.ts';
import { withPlausibleValues } from './plausible-values.ts';
import { readLapFile } from './recognise.ts';

function csv(...times: string[]): Uint8Array {
  return new TextEncoder().encode(
    ['timestamp,latitude,longitude', ...times.map((time) => `${time},48.1,11.5`)].join('\n'),
  );
}

test('a row of a year that no calendar has is counted as one without a time', () => {
  const file = readLapFile(csv('1778918400000', '9007199254740993', '1778918400100'));
  expect([...file.fixes.timesMs]).toEqual([1778918400000, 1778918400100]);
  expect(file.dropped).toEqual({ no_time: 1 });
});

test('without any other row the file is refused', () => {
  expect(() => withPlausibleValues(makeLapFile([fixAt(1e16, 0), fixAt(-1e16, 5)]))).toThrow(
    UnreadableLapFileError,
  );
});

test('parts begin where they began, and one of which nothing is left is none', () => {
  const fixes = [0, 1e16, 2, 1e16, 1e16, 5, 6].map((timeMs) => fixAt(timeMs, timeMs % 10));
  const file = withPlausibleValues(makeLapFile(fixes, { partStarts: [0, 1, 3, 6] }));
  expect([...file.fixes.timesMs]).toEqual([0, 2, 5, 6]);
  expect(file.partStarts).toEqual([0, 1, 2, 3]);
  expect(withPlausibleValues(makeLapFile(fixes, { partStarts: [0, 3, 5] })).partStarts).toEqual([0, 2]);
});

test('a lap of the logger that begins at no moment is none', () => {
  const lap = { number: 1, lapTimeMs: 60_000, roundingMs: 1 };
  const loggerLaps = [
    { ...lap, startTimeMs: null },
    { ...lap, startTimeMs: Number.POSITIVE_INFINITY },
    { ...lap, startTimeMs: 1e17 },
    { ...lap, startTimeMs: 5 },
  ];
  const file = withPlausibleValues(makeLapFile([fixAt(0, 0)], { loggerLaps }));
  expect(file.loggerLaps.map(({ startTimeMs }) => startTimeMs)).toEqual([null, 5]);
});

test('a speed that no receiver gives is unknown', () => {
  const file = readLapFile(
    new TextEncoder().encode(
      'time,lat,lon,speed (m/s)\n1,48.1,11.5,30\n2,48.1002,11.5,1e307\n3,48.1004,11.5,31',
    ),
  );
  expect([...file.fixes.speedsMetersPerSecond]).toEqual([30, Number.NaN, 31]);
});

function lapAt(number: number, startTimeMs: number) {
  return { number, lapTimeMs: 60_000, startTimeMs, roundingMs: 1 };
}

test('a lap that overlaps another by half is a copy of it', () => {
  const loggerLaps = [lapAt(1, 0), lapAt(2, 59_000), lapAt(3, 119_000), lapAt(1, 0), lapAt(2, 59_000)];
  const file = withPlausibleValues(makeLapFile([fixAt(0, 0)], { loggerLaps }));
  expect(file.loggerLaps).toEqual(loggerLaps.slice(0, 3));
});

test('times that a spreadsheet has rounded to one or two moments are refused in a sentence', () => {
  const rounded = Array.from({ length: 30 }, (_, row) => (row < 12 ? '1.77892E+12' : '1.77893E+12'));
  expect(() => readLapFile(csv(...rounded))).toThrow(/same time in nearly all rows.*as the logger wrote it/);
  expect(readLapFile(csv(...rounded.slice(0, 19))).fixes.length).toBe(19);
});
