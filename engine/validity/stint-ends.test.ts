import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { toLapFile, simulateDrive, type DrivenFix, type DriveOptions } from '../simulation/drive.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import type { Track } from '../track.ts';

const GRATTAN = libraryTrack('grattan-raceway-full');
const START_MS = Date.UTC(2026, 4, 16, 9, 30);

function driveOf(changes: Partial<DriveOptions>) {
  return simulateDrive(GRATTAN, { seed: 7, laps: 2, startTimeMs: START_MS, ...changes });
}

function lapsOf(fixes: DrivenFix[], track: Track = GRATTAN) {
  return timeLaps(openFixes(toLapFile(fixes)), track).laps;
}

function summarizeLaps(fixes: DrivenFix[], track: Track = GRATTAN) {
  return lapsOf(fixes, track).map(
    ({ number, status, reasons }) => `${number} ${[status, ...reasons].join(' ')}`,
  );
}

/** The car is stationary where its first fix was, for so long before. */
function standingBefore(fixes: DrivenFix[], seconds: number): DrivenFix[] {
  const [first] = fixes;
  if (first === undefined) return [];
  const stand = Array.from({ length: 10 * seconds }, (_, index) => ({
    ...first,
    timeMs: first.timeMs - 1000 * seconds + 100 * index,
    speedMetersPerSecond: 0,
  }));
  return [...stand, ...fixes];
}

test('most of a round before the first pass is an out lap, after the last an in lap, and neither is complete', () => {
  const { fixes, trueLaps } = driveOf({ leadInMeters: 2500, leadOutMeters: 2500 });
  expect(summarizeLaps(fixes)).toEqual(['1 incomplete out_lap', '2 valid', '3 valid', '4 incomplete in_lap']);
  const laps = lapsOf(fixes);
  const starts = laps.map((lap) => lap.startTimeMs);
  const ends = laps.map((lap) => lap.startTimeMs + lap.lapTimeMs);
  expect(starts[0]).toBe(START_MS);
  expect(starts.slice(1)).toEqual(ends.slice(0, -1));
  expect(ends[3]).toBe(fixes.at(-1)?.timeMs);
  const truth = trueLaps.map((lap) => lap.startTimeMs);
  truth.forEach((startTimeMs, lap) =>
    expect(Math.abs((starts[lap + 1] ?? 0) - startTimeMs)).toBeLessThan(0.1),
  );
});

test('the sectors that such laps were driven through from line to line have times', () => {
  const { fixes } = driveOf({ leadInMeters: 2500, leadOutMeters: 2500 });
  const known = lapsOf(fixes).map((lap) => lap.sectorTimesMs.map((sectorTimeMs) => sectorTimeMs !== null));
  expect([known[0], known[3]]).toEqual([
    [false, true, true],
    [true, true, false],
  ]);
});

test('some hundred metres to the line and from it are nothing to tell', () => {
  const { fixes } = driveOf({ leadInMeters: 900, leadOutMeters: 900 });
  expect(summarizeLaps(fixes)).toEqual(['1 valid', '2 valid']);
});

test('an out lap begins where the car sets off, however long it stood before', () => {
  const { fixes } = driveOf({ leadInMeters: 2500 });
  const [out] = lapsOf(standingBefore(fixes, 300));
  expect(out?.reasons).toEqual(['out_lap']);
  expect(Math.abs((out?.startTimeMs ?? 0) - START_MS)).toBeLessThan(5000);
});

test('a recording that pauses in the pits has an in lap and an out lap in between', () => {
  const first = driveOf({ leadOutMeters: 2500 });
  const startTimeMs = (first.fixes.at(-1)?.timeMs ?? 0) + 600_000;
  const second = driveOf({ leadInMeters: 2500, startTimeMs, seed: 8 });
  expect(summarizeLaps([...first.fixes, ...second.fixes])).toEqual([
    '1 valid',
    '2 valid',
    '3 incomplete in_lap',
    '4 incomplete out_lap',
    '5 valid',
    '6 valid',
  ]);
});

/** Comes from the north at 27 m/s for so long, without a stop. */
function comingFromAfar(fixes: DrivenFix[], seconds: number): DrivenFix[] {
  const [first] = fixes;
  if (first === undefined) return [];
  const road = Array.from({ length: 10 * seconds }, (_, index) => ({
    timeMs: first.timeMs - 1000 * seconds + 100 * index,
    lat: first.lat + 0.000_024 * (10 * seconds - index),
    lon: first.lon,
    speedMetersPerSecond: 26.7,
  }));
  return [...road, ...fixes];
}

test('a way to the track that leads straight onto it is no out lap', () => {
  const fixes = comingFromAfar(driveOf({ leadInMeters: 2500 }).fixes, 300);
  expect(summarizeLaps(fixes)).toEqual(['1 valid', '2 valid']);
  expect(summarizeLaps(fixes, { ...GRATTAN, outline: null })).toEqual(['1 valid', '2 valid']);
});

test('as long a way elsewhere is no out lap where the outline is known', () => {
  const fixes = comingFromAfar(driveOf({ leadInMeters: 100 }).fixes, 100);
  expect(summarizeLaps(fixes)).toEqual(['1 valid', '2 valid']);
  expect(summarizeLaps(fixes, { ...GRATTAN, outline: null })[0]).toBe('1 incomplete out_lap');
});
