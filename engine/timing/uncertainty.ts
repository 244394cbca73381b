import type { Crossing } from './crossings.ts';
import { driftAfter } from './position-drift.ts';
import type { PositionNoise } from './position-noise.ts';
import { straightLineErrorMeters } from './hermite-interpolation.ts';
import { accuracyFactor } from '../trace/receiver-accuracy.ts';
import type { Trace } from '../trace/trace.ts';

/** A normal distribution has 95 % of its values within this many standard deviations. */
export const DEVIATIONS_OF_95_PERCENT = 1.96;
/** Slower than this the car all but stands, and the formula would divide by nothing. */
const STANDING_METERS_PER_SECOND = 0.5;

/** Holds half widths of 95 % intervals, the squares of which add up to the square of the whole. */
export type UncertaintyParts = {
  /** Noise of the positions: independent at every fix. */
  noiseMs: number;
  /** Slow errors of the positions that differ between the two crossings. */
  driftMs: number;
  /** Error of the interpolation between two fixes. */
  interpolationMs: number;
  /** Time stamps that are cut to whole steps. */
  clockMs: number;
};

/** Returns the half width of the 95 % interval of the time from one crossing to another, in milliseconds. */
export function lapUncertaintyMs(start: Crossing, end: Crossing, noise: PositionNoise, trace: Trace): number {
  return addUncertainties(lapUncertaintyParts(start, end, noise, trace));
}

/** Returns the whole that independent parts make. */
export function addUncertainties({ noiseMs, driftMs, interpolationMs, clockMs }: UncertaintyParts): number {
  return Math.sqrt(noiseMs ** 2 + driftMs ** 2 + interpolationMs ** 2 + clockMs ** 2);
}

/** The parts of that uncertainty: drift once for the pair; noise, interpolation and time stamps from both crossings. */
export function lapUncertaintyParts(
  start: Crossing,
  end: Crossing,
  noise: PositionNoise,
  trace: Trace,
): UncertaintyParts {
  const speed = Math.max(
    Math.min(start.speedMetersPerSecond, end.speedMetersPerSecond),
    STANDING_METERS_PER_SECOND,
  );
  const seconds = (end.timeMs - start.timeMs) / 1000;
  const [first, second] = [crossingDeviations(start, noise, trace), crossingDeviations(end, noise, trace)];
  const driftFactor = Math.hypot(first.accuracyFactor, second.accuracyFactor) / Math.SQRT2;
  const combined = (one: number, other: number): number =>
    DEVIATIONS_OF_95_PERCENT * Math.sqrt(one ** 2 + other ** 2);
  return {
    noiseMs: combined(first.noiseMs, second.noiseMs),
    driftMs: (DEVIATIONS_OF_95_PERCENT * 1000 * driftFactor * driftAfter(noise.driftMeters, seconds)) / speed,
    interpolationMs: combined(first.interpolationMs, second.interpolationMs),
    clockMs: combined(first.clockMs, second.clockMs),
  };
}

/** Returns the standard deviations of the moment of one crossing. */
function crossingDeviations(
  crossing: Crossing,
  noise: PositionNoise,
  trace: Trace,
): Omit<UncertaintyParts, 'driftMs'> & { accuracyFactor: number } {
  const speed = Math.max(crossing.speedMetersPerSecond, STANDING_METERS_PER_SECOND);
  const factor = accuracyFactor(trace.accuracy, crossing.timeMs);
  const noiseMs = (1000 * crossing.noiseShare * factor * noise.whiteMeters) / speed;
  const intervalMs = Math.max(crossing.intervalMs, trace.receiverIntervalMs ?? 0);
  const doubtMeters = Math.max(
    crossing.interpolationMeters,
    straightLineErrorMeters(trace.receiverIntervalMs ?? 0),
  );
  const interpolationMs = Math.min((1000 * doubtMeters) / speed, intervalMs / 2);
  // A truncated timestamp is uniform over the step, hence the √12; two of them are averaged like the positions.
  const clockMs = (crossing.noiseShare * trace.timestampStepMs) / Math.sqrt(12);
  return { noiseMs, interpolationMs, clockMs, accuracyFactor: factor };
}
