import { at } from '../fix-columns.ts';
import { findCrossings, type Crossing, type MeasuredTrace } from '../timing/crossings.ts';
import type { Lap } from '../timing/laps.ts';
import { measureLap } from '../timing/measure-lap.ts';
import { roundTimes } from '../timing/round-times.ts';
import type { UncertaintyParts } from '../timing/uncertainty.ts';
import { toLineFrame } from '../timing-line.ts';
import type { LapProof, PassedLine } from './lap-proof.ts';

/** Describes how the moment of a crossing was found, for people who check it. */
export type CheckedCrossing = {
  /** Index of the last fix before the line. */
  fixIndex: number;
  /** Time from that fix to the crossing. */
  afterFixMs: number;
  /** Time between the fixes on both sides of the line. */
  intervalMs: number;
  /** Speed at right angles to the line. */
  speedMetersPerSecond: number;
  /** Standard deviation of the interpolated position. */
  interpolationMeters: number;
};

/** Describes a lap that was timed again from its proof: its times in whole milliseconds, and the steps to them. */
export type CheckedLap = Pick<Lap, 'lapTimeMs' | 'uncertaintyMs' | 'sectorTimesMs'> & {
  fixCount: number;
  /** Fixes before the start and after the end of the lap. */
  fixesOutside: number;
  start: CheckedCrossing;
  end: CheckedCrossing;
  /** Lap time before it is rounded. */
  exactLapTimeMs: number;
  uncertaintyParts: UncertaintyParts | undefined;
};

/** Times the lap of a proof again by the rules of all laps; null where its fixes do not cross the line at both ends. */
export function timeProof(proof: LapProof): CheckedLap | null {
  const measured = toMeasuredTrace(proof);
  const starts = passes(measured, proof.startLine);
  const ends = proof.finishLine ? passes(measured, proof.finishLine) : starts;
  const [start, end] = [starts[0], ends.at(-1)];
  if (start === undefined || end === undefined || !(end.timeMs > start.timeMs)) return null;
  const sectorCrossings = proof.sectorLines.map((line) => passes(measured, line).map(({ timeMs }) => timeMs));
  const lap = measureLap(measured, { start, end, hasTurnedBack: false }, sectorCrossings);
  const { timesMs } = proof;
  return {
    ...roundTimes(lap),
    fixCount: timesMs.length,
    fixesOutside: timesMs.filter((timeMs) => timeMs < start.timeMs || timeMs > end.timeMs).length,
    start: describe(measured, start),
    end: describe(measured, end),
    exactLapTimeMs: lap.lapTimeMs,
    uncertaintyParts: lap.uncertaintyParts,
  };
}

function passes(measured: MeasuredTrace, line: PassedLine): Crossing[] {
  const frame = toLineFrame(line);
  if (frame === null) return [];
  return findCrossings(measured, frame).filter(({ isForward }) => isForward === line.isForward);
}

function toMeasuredTrace(proof: LapProof): MeasuredTrace {
  const { timesMs, lats, lons, speedsMetersPerSecond, accuracy } = proof;
  const { partStarts, intervalMs, receiverIntervalMs, timestampStepMs, noise, speeds } = proof;
  const fixes = {
    length: timesMs.length,
    timesMs: Float64Array.from(timesMs),
    lats: Float64Array.from(lats),
    lons: Float64Array.from(lons),
    speedsMetersPerSecond: Float64Array.from(speedsMetersPerSecond, (speed) => speed ?? Number.NaN),
  };
  const trace = {
    fixes,
    partStarts,
    intervalMs,
    receiverIntervalMs,
    timestampStepMs,
    accuracy: accuracy && {
      usualMeters: accuracy.usualMeters,
      timesMs: Float64Array.from(accuracy.timesMs),
      meters: Float64Array.from(accuracy.meters),
    },
    hasCoarseTimestamps: false,
    jumpTimesMs: [],
    clockSetBackTimesMs: [],
    dropped: {},
  };
  return { trace, noise, speeds };
}

function describe({ trace }: MeasuredTrace, crossing: Crossing): CheckedCrossing {
  const { fixIndex, timeMs, intervalMs, speedMetersPerSecond, interpolationMeters } = crossing;
  const afterFixMs = timeMs - at(trace.fixes.timesMs, fixIndex);
  return { fixIndex, afterFixMs, intervalMs, speedMetersPerSecond, interpolationMeters };
}
