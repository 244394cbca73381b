import { lowerBound } from '../binary-search.ts';
import { at } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';
import type { LoggerLap } from '../lap-file.ts';
import type { Trace } from '../trace/trace.ts';
import type { Crossing } from './crossings.ts';
import { straightLineErrorMeters } from './hermite-interpolation.ts';
import type { Lap } from './laps.ts';
import type { PositionNoise } from './position-noise.ts';
import { DEVIATIONS_OF_95_PERCENT, lapUncertaintyMs } from './uncertainty.ts';

export type LoggedFile = {
  trace: Trace;
  cumulativeMeters: Float64Array;
  noise: PositionNoise;
  loggerLaps: readonly LoggerLap[];
};

/**
 * Returns the laps that the logger itself has timed, for files that nothing better is known of. They rank, but with a
 * warning. Loggers time by the same positions as we do, with the same errors; what marks the lap in the file adds its
 * own. Laps of which only the duration is known follow each other from the first fix.
 */
export function lapsFromLogger(file: LoggedFile): Lap[] {
  let clockMs = at(file.trace.fixes.timesMs, 0);
  return file.loggerLaps.map(({ lapTimeMs, startTimeMs, roundingMs }, index) => {
    const start = startTimeMs ?? clockMs;
    clockMs = start + lapTimeMs;
    const speedAt = (timeMs: number): number =>
      (startTimeMs === null ? null : speedAround(file.trace, timeMs)) ?? meanSpeed(file);
    const [from, to] = [start, clockMs].map((timeMs) => crossingAt(file.trace, timeMs, speedAt(timeMs)));
    const measuredMs = from && to ? lapUncertaintyMs(from, to, file.noise, file.trace) : 0;
    return {
      number: index + 1,
      startTimeMs: start,
      lapTimeMs,
      uncertaintyMs: Math.hypot(measuredMs, DEVIATIONS_OF_95_PERCENT * roundingMs),
      status: 'warning',
      reasons: ['timed_by_logger'],
      sectorTimesMs: [],
    };
  });
}

/** Returns the crossing of a line of which only the moment is known, as a straight line between two fixes would give it. */
function crossingAt(trace: Trace, timeMs: number, speedMetersPerSecond: number): Crossing {
  const intervalMs = trace.intervalMs ?? 0;
  return {
    timeMs,
    isForward: true,
    fixIndex: 0,
    lateralMeters: 0,
    speedMetersPerSecond,
    intervalMs,
    interpolationMeters: straightLineErrorMeters(intervalMs),
    noiseShare: 1,
  };
}

/** Returns the speed over a quarter of a second before and after a moment; null beyond the recording. */
function speedAround({ fixes }: Trace, timeMs: number): number | null {
  const from = Math.max(0, lowerBound(fixes.timesMs, timeMs - AROUND_MS) - 1);
  const to = Math.min(fixes.length - 1, lowerBound(fixes.timesMs, timeMs + AROUND_MS));
  const seconds = (at(fixes.timesMs, to) - at(fixes.timesMs, from)) / 1000;
  if (timeMs > at(fixes.timesMs, fixes.length - 1) || !(seconds > 0)) return null;
  return roughDistanceMeters(fixes.lats, fixes.lons, from, to) / seconds;
}

const AROUND_MS = 250;

/** Returns the mean speed over the whole recording, pauses included. */
function meanSpeed({ trace: { fixes }, cumulativeMeters }: LoggedFile): number {
  const last = fixes.length - 1;
  const seconds = (at(fixes.timesMs, last) - at(fixes.timesMs, 0)) / 1000;
  return seconds > 0 ? at(cumulativeMeters, last) / seconds : 0;
}
