import { at } from '../../fix-columns.ts';

/**
 * Returns the standard deviation of a lap time whose ends are marked in steps of this length. The logger notices a
 * crossing in one step, and writes it in another: each of them is uniform, with a variance of a twelfth of its square.
 * Tables that are merged from several sensors show both.
 */
export function roundingBetween(startStepMs: number, endStepMs: number): number {
  return Math.hypot(startStepMs, endStepMs) / Math.sqrt(6);
}

/** Standard deviation of written lap times, by the last digit that any of them uses. Milliseconds. */
export function roundingOfWritten(lapTimesMs: readonly number[]): number {
  const stepMs = DIGITS_MS.find((digitMs) => lapTimesMs.every((timeMs) => isMultiple(timeMs, digitMs)));
  return (stepMs ?? 1) / Math.sqrt(12);
}

function isMultiple(timeMs: number, stepMs: number): boolean {
  return Math.abs(timeMs - Math.round(timeMs / stepMs) * stepMs) < DIGIT_TOLERANCE_MS;
}

const DIGITS_MS = [1000, 100, 10];
const DIGIT_TOLERANCE_MS = 1e-6;

/** Returns the step to the row at `index`, which is the first after a crossing. A break before it is no such step. */
export function rowStepMs(timesMs: Float64Array, index: number): number {
  return index === 0 ? 0 : Math.min(at(timesMs, index) - at(timesMs, index - 1), LONGEST_STEP_MS);
}

/** Rows that are farther apart belong to different stints. */
export const LONGEST_STEP_MS = 10_000;

/** A row that the logger has put exactly on a line has the time of the crossing, in whole milliseconds. */
export const EXACT_STEP_MS = 1;
