import { expect, test } from 'vitest';
import { FixRecorder, type FixColumns } from '../../fix-columns.ts';
import type { Clock } from '../../lap-file.ts';
import { repairClock } from './clock-repair.ts';

const METERS_PER_DEGREE = 111_195;

type Drive = { timesMs: readonly number[]; metersPerSecond?: number; speed?: number };

/** Drives north in a straight line with ten fixes a second, whatever the clock says. */
function driveNorth({ timesMs, metersPerSecond = 30, speed = metersPerSecond }: Drive): FixColumns {
  const recorder = new FixRecorder();
  for (const [index, timeMs] of timesMs.entries())
    recorder.add(timeMs, 48 + (0.1 * index * metersPerSecond) / METERS_PER_DEGREE, 11, speed);
  return recorder.finish();
}

function repaired(fixes: FixColumns, clock: Clock): number[] {
  repairClock(fixes, clock);
  return [...fixes.timesMs];
}

const TENTHS = Array.from({ length: 600 }, (_, index) => 100 * index);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('times of day run on over midnight, even over a pause', () => {
  const timesMs = [DAY_MS - 1000, DAY_MS - 100, 800, HOUR_MS];
  expect(repaired(driveNorth({ timesMs }), 'time_of_day')).toEqual([
    DAY_MS - 1000,
    DAY_MS - 100,
    DAY_MS + 800,
    DAY_MS + HOUR_MS,
  ]);
});

test('a clock that steps back a little has not passed midnight', () => {
  const timesMs = [50_000_000, 49_999_000, 46_000_000];
  expect(repaired(driveNorth({ timesMs }), 'time_of_day')).toEqual(timesMs);
});

test.each([
  ['a date that stays the same over midnight', DAY_MS, 'utc'],
  ['a date in an unknown zone that stays the same', DAY_MS, 'local'],
  ['a clock of twelve hours', DAY_MS / 2, 'local'],
  ['the seconds of the GPS week', 7 * DAY_MS, 'elapsed'],
  ['a counter of microseconds', 2 ** 32 / 1000, 'elapsed'],
] as const)('%s: times go on while the car does', (_, periodMs, clock) => {
  const startMs = 3 * periodMs - 30_000;
  const goingOn = TENTHS.map((timeMs) => startMs + timeMs);
  const written = goingOn.map((timeMs) => (timeMs >= 3 * periodMs ? timeMs - periodMs : timeMs));
  const times = repaired(driveNorth({ timesMs: written }), clock);
  for (const [index, timeMs] of times.entries()) expect(timeMs).toBeCloseTo(goingOn[index] ?? 0, 6);
});

test('a date that comes late is that of the rows before it as well', () => {
  const startMs = Date.UTC(2026, 4, 17);
  const goingOn = TENTHS.map((timeMs) => startMs + timeMs);
  const written = goingOn.map((timeMs, index) => (index < 250 ? timeMs - DAY_MS : timeMs));
  expect(repaired(driveNorth({ timesMs: written }), 'utc')).toEqual(goingOn);
});

test('the date of the start of each lap gives the rows behind midnight their own', () => {
  const startMs = Date.UTC(2026, 4, 17) - 20_000;
  const goingOn = TENTHS.map((timeMs) => startMs + timeMs);
  const written = goingOn.map((timeMs, index) => (index >= 200 && index < 450 ? timeMs - DAY_MS : timeMs));
  expect(repaired(driveNorth({ timesMs: written }), 'utc')).toEqual(goingOn);
});

test('a session of the day before, elsewhere and later in the file, keeps its date', () => {
  const startMs = Date.UTC(2026, 4, 17, 10);
  const fixes = driveNorth({ timesMs: TENTHS.map((timeMs) => startMs + timeMs) });
  const fixesOfDayBefore = fixes.timesMs.map((timeMs, index) => (index >= 300 ? timeMs - DAY_MS : timeMs));
  const elsewhere = fixes.lats.map((lat, index) => (index >= 300 ? lat + 0.1 : lat));
  const changed = { ...fixes, timesMs: fixesOfDayBefore, lats: elsewhere };
  expect(repaired(changed, 'utc')).toEqual([...fixesOfDayBefore]);
});

test.each([
  ['milliseconds that were taken for seconds', 1000],
  ['microseconds that were taken for milliseconds', 1000],
  ['seconds that were taken for milliseconds', 1e-3],
  ['microseconds that were taken for seconds', 1e6],
])('%s are seen by the speeds', (_, factor) => {
  const timesMs = TENTHS.map((timeMs) => 5000 + factor * timeMs);
  for (const speed of [30, 108, Number.NaN]) {
    const times = repaired(driveNorth({ timesMs, speed }), 'elapsed');
    for (const [index, timeMs] of times.entries()) expect(timeMs).toBeCloseTo(5000 + 100 * index, 6);
  }
});

test('speeds in millimetres per second do not change the clock', () => {
  expect(repaired(driveNorth({ timesMs: TENTHS, speed: 30_000 }), 'elapsed')).toEqual(TENTHS);
});

test('a stationary car keeps its clock', () => {
  const fixes = driveNorth({ timesMs: TENTHS.map((timeMs) => 50 * timeMs), metersPerSecond: 1, speed: 0 });
  expect(repaired(fixes, 'elapsed')[1]).toBe(5000);
});

test('an aircraft keeps its clock, since its speeds agree with it', () => {
  expect(repaired(driveNorth({ timesMs: TENTHS, metersPerSecond: 250 }), 'elapsed')).toEqual(TENTHS);
});

test('times that fit the positions in no unit are refused', () => {
  const fixes = driveNorth({ timesMs: TENTHS.map((timeMs) => timeMs / 30), speed: Number.NaN });
  expect(() => repairClock(fixes, 'elapsed')).toThrow(/do not fit its positions/);
});

test('positions all over the Earth get no clock of years', () => {
  const fixes = driveNorth({ timesMs: TENTHS, speed: Number.NaN });
  const scattered = fixes.lats.map((_, index) => (index * 37) % 90);
  expect(() => repairClock({ ...fixes, lats: scattered }, 'elapsed')).toThrow(/do not fit its positions/);
});
