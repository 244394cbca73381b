import { describe, expect, test } from 'vitest';
import type { Clock } from '../lap-file.ts';
import { simulateDrive } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { LOGGER_WRITERS, writeAim, writeAlfano, type LoggerWriter } from '../testing/write-loggers.ts';
import { readLapFile } from './recognise.ts';

// The start is a whole number of minutes, since the preambles state no more.
const startTimeMs = Date.UTC(2026, 4, 16, 9, 30);
const drive = simulateDrive(KART_TRACK, {
  seed: 21,
  laps: 3,
  startTimeMs,
  receiver: { rateHz: 10, timeStampStepMs: 1, coordinateDecimals: 7 },
});
const startMs = drive.fixes[0]?.timeMs ?? 0;
const midnightMs = Date.UTC(2026, 4, 16);

function read(write: LoggerWriter) {
  return readLapFile(new TextEncoder().encode(write(drive)));
}

/** Times count from these moments, which each format knows this exactly. */
const CLOCKS: Record<
  keyof typeof LOGGER_WRITERS,
  { clock: Clock; zeroMs: number; startToleranceMs?: number }
> = {
  'aim-csv': { clock: 'local', zeroMs: 0, startToleranceMs: 60_000 },
  'motec-csv': { clock: 'local', zeroMs: 0, startToleranceMs: 1000 },
  'alfano-csv': { clock: 'time_of_day', zeroMs: midnightMs },
  'lap-legend-csv': { clock: 'elapsed', zeroMs: startMs },
  'gauge-s-csv': { clock: 'local', zeroMs: 0, startToleranceMs: 1000 },
  'solostorm-csv': { clock: 'utc', zeroMs: 0 },
  'drogger-csv': { clock: 'elapsed', zeroMs: startMs },
  'torque-csv': { clock: 'utc', zeroMs: 0, startToleranceMs: 1000 },
  'telemetry-overlay-csv': { clock: 'utc', zeroMs: 0 },
  'vesc-csv': { clock: 'time_of_day', zeroMs: midnightMs },
  'qstarz-csv': { clock: 'utc', zeroMs: 0 },
  'columbus-csv': { clock: 'utc', zeroMs: 0 },
  'unipro-tsv': { clock: 'local', zeroMs: 0 },
};

const CASES = [
  ...Object.entries(LOGGER_WRITERS).map(([format, write]) => ({ name: format, format, write })),
  { name: 'aim-csv with semicolons', format: 'aim-csv', write: (it: typeof drive) => writeAim(it, ';') },
  { name: 'aim-csv with tabs', format: 'aim-csv', write: (it: typeof drive) => writeAim(it, '\t') },
  { name: 'alfano-csv with commas', format: 'alfano-csv', write: (it: typeof drive) => writeAlfano(it, ',') },
].map((written) => ({
  ...written,
  ...Object.entries(CLOCKS).find(([format]) => format === written.format)?.[1],
}));

describe.each(CASES)(
  'a simulated drive in $name',
  ({ format, write, clock, zeroMs = 0, startToleranceMs = 0 }) => {
    test('comes back whole, at its own times', () => {
      const { format: found, clock: foundClock, fixes } = read(write);
      expect({ format: found, clock: foundClock }).toEqual({ format, clock });
      expect(fixes.length).toBe(drive.fixes.length);
      const shiftMs = (fixes.timesMs[0] ?? Number.NaN) - (startMs - zeroMs);
      expect(Math.abs(shiftMs)).toBeLessThanOrEqual(startToleranceMs + 0.01);
      for (const [index, fix] of drive.fixes.entries()) {
        expect(fixes.timesMs[index]).toBeCloseTo(fix.timeMs - zeroMs + shiftMs, 2);
        expect(fixes.lats[index]).toBe(fix.lat);
        expect(fixes.lons[index]).toBe(fix.lon);
        expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 1);
      }
    });
  },
);

test.each(CASES.filter(({ format }) => /^(aim|motec|alfano|lap-legend|drogger|unipro)/.test(format)))(
  'the laps of the logger are kept: $name',
  ({ write, format }) => {
    const { loggerLaps, fixes } = read(write);
    // Some write the time of a lap, others only the number of the lap in every row.
    const tolerance = format === 'lap-legend-csv' ? 100 : 1;
    expect(loggerLaps).toHaveLength(drive.trueLaps.length);
    for (const [index, { lapTimeMs, startTimeMs }] of loggerLaps.entries()) {
      const truth = drive.trueLaps[index];
      expect(Math.abs(lapTimeMs - (truth?.lapTimeMs ?? 0))).toBeLessThanOrEqual(tolerance);
      const sinceStartMs = (startTimeMs ?? Number.NaN) - (fixes.timesMs[0] ?? 0);
      expect(Math.abs(sinceStartMs - ((truth?.startTimeMs ?? 0) - startMs))).toBeLessThanOrEqual(100);
    }
  },
);

test('a run of SoloStorm lasts from the start line to the finish, as exactly as the rows are', () => {
  const { loggerLaps } = read(LOGGER_WRITERS['solostorm-csv']);
  expect(loggerLaps.map(({ number }) => number)).toEqual([1]);
  expect(Math.abs((loggerLaps[0]?.lapTimeMs ?? 0) - (drive.trueLaps[0]?.lapTimeMs ?? 0))).toBeLessThanOrEqual(
    100,
  );
});
