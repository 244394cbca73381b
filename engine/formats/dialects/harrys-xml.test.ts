import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { readLapFile } from '../recognise.ts';

function documentOf(...laps: string[]): Uint8Array {
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="windows-1252"?>\n<LapTimerDB>\n<name>LapTimer Database</name>${laps.join('')}</LapTimerDB>`,
  );
}

function read(...laps: string[]) {
  return readLapFile(documentOf(...laps));
}

function lap(index: number, ...fixes: string[]): string {
  return `<lap index="${index}"><date>14-AUG-16,09:57:02.00</date><lapTime>01:00.00</lapTime><recording>${fixes.join('')}</recording></lap>`;
}

function fix(date: string, lat: number, relative = '0.0,00:00.00'): string {
  return `<fix index="57358"><date>${date}</date><coordinate>${lat},-118.258734,740.0</coordinate><speed>102.6</speed><relativeToStart>${relative}</relativeToStart><acceleration><lateral>0.15</lateral><coordinate>1.5,2.5</coordinate></acceleration><obd><speed>99.0</speed></obd></fix>`;
}

test('a fix has its date in UTC, and its own position and speed', () => {
  const file = read(lap(381, fix('14-AUG-16,16:57:02.65', 34.874742)));
  expect(file).toMatchObject({ format: 'harrys-xml', clock: 'utc', dropped: {} });
  expect(new Date(file.fixes.timesMs[0] ?? 0).toISOString()).toBe('2016-08-14T16:57:02.650Z');
  expect([file.fixes.lats[0], file.fixes.lons[0]]).toEqual([34.874742, -118.258734]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(28.5, 9);
});

test('laps have the time of their last fix; a visit to the pits is none', () => {
  const file = read(
    lap(381, fix('14-AUG-16,16:57:02.65', 34.1), fix('14-AUG-16,16:58:35.94', 34.2, '2528.5,01:33.29')),
    lap(382, fix('14-AUG-16,16:58:35.94', 34.2), fix('14-AUG-16,16:59:48.30', 34.21, '216.2,01:12.36')),
    lap(383, fix('14-AUG-16,16:59:48.30', 34.2), fix('14-AUG-16,17:01:00.30', 34.1, '2545.5,1:01:36.33')),
  );
  expect(file.loggerLaps).toMatchObject([
    { number: 381, lapTimeMs: 93_290, startTimeMs: Date.UTC(2016, 7, 14, 16, 57, 2, 650) },
    { number: 383, lapTimeMs: 3_696_330 },
  ]);
});

test('a lap that was cut off is none', () => {
  const whole = lap(
    1,
    fix('14-AUG-16,16:57:02.65', 34.1),
    fix('14-AUG-16,16:58:35.94', 34.2, '2500.0,01:33.29'),
  );
  const next = lap(
    2,
    fix('14-AUG-16,16:58:35.94', 34.2),
    fix('14-AUG-16,17:00:00.00', 34.1, '2400.0,01:24.06'),
  );
  const bytes = documentOf(whole, next);
  const end = Buffer.from(bytes).lastIndexOf('</recording>');
  expect(readLapFile(bytes).loggerLaps.map(({ number }) => number)).toEqual([1, 2]);
  expect(readLapFile(bytes.subarray(0, end)).loggerLaps.map(({ number }) => number)).toEqual([1]);
});

test('a fix whose clock was wrong by a year is counted as such', () => {
  const file = read(
    lap(1, fix('14-AUG-16,16:57:02.65', 34.1), fix('14-AUG-15,16:57:03.00', 34.2, '9.0,8760:00:01.00')),
  );
  expect(file.dropped).toEqual({ clock_went_back: 1 });
});

test('the same compressed with gzip is read', () => {
  const packed = gzipSync(documentOf(lap(1, fix('14-AUG-16,16:57:02.65', 34.1))));
  expect(readLapFile(packed, inflateLapFile).format).toBe('harrys-xml');
});

test('laps without recordings are refused in words', () => {
  expect(() => read('<lap index="1"><lapTime>01:00.00</lapTime></lap>')).toThrow(
    'laps without their recordings',
  );
});
