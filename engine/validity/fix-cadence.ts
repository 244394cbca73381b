import { at } from '../fix-columns.ts';
import { median } from '../statistics.ts';

/** Describes the rhythm of a receiver: the mean of the steps that are like most, and their standard deviation. */
export type Cadence = { intervalMs: number; deviationMs: number };

/**
 * Measures the time between the fixes of a receiver that keeps an even rhythm, which is far finer than the time stamps.
 * Null where steps are uneven or few; nothing follows from those.
 */
export function measureCadence(timesMs: Float64Array, first: number, last: number): Cadence | null {
  const stride = Math.max(1, Math.floor((last - first) / STEPS_LOOKED_AT));
  const steps: number[] = [];
  for (let index = first; index < last; index += stride)
    steps.push(at(timesMs, index + 1) - at(timesMs, index));
  const usual = median(steps);
  if (usual === null || steps.length < STEPS_MIN) return null;
  const alike = steps.filter((step) => Math.abs(step - usual) <= ALIKE_SHARE * usual + ALIKE_MIN_MS);
  if (alike.length < REGULAR_SHARE_MIN * steps.length) return null;
  const intervalMs = alike.reduce((sum, step) => sum + step, 0) / alike.length;
  const variance = alike.reduce((sum, step) => sum + (step - intervalMs) ** 2, 0) / alike.length;
  return { intervalMs, deviationMs: Math.sqrt(variance) };
}

/**
 * Returns whether no receiver has such a rhythm: their makers choose whole numbers of fixes a second, or of seconds. Rows of
 * telemetry systems keep an uneven rhythm of their own, which is odd only where it may be a usual one that was shortened.
 */
export function isOddCadence({ intervalMs, deviationMs }: Cadence): boolean {
  const seconds = Math.max(1, Math.ceil(intervalMs / 1000));
  const usual = [
    1000 * seconds,
    1000 * Math.max(1, seconds - 1),
    ...USUAL_RATES_HZ.map((rateHz) => 1000 / rateHz),
  ];
  const ratios = usual.map((usualMs) => intervalMs / usualMs);
  if (ratios.some((ratio) => ratio >= 1 - SHORTER_MAX && ratio <= 1 + LONGER_MAX)) return false;
  const isEven = deviationMs <= EVEN_SHARE * intervalMs;
  return isEven || ratios.some((ratio) => ratio < 1 && ratio > 1 - SHORTENED_MAX);
}

/** Quartz is right to some millionths; what is left is for stamps that are cut and for clocks of phones. */
export function isSameCadence(one: Cadence, other: Cadence): boolean {
  return Math.abs(one.intervalMs / other.intervalMs - 1) <= CADENCE_TOLERANCE;
}

const STEPS_LOOKED_AT = 600;
const STEPS_MIN = 40;
const ALIKE_SHARE = 0.02;
/** Stamps are in whole milliseconds. */
const ALIKE_MIN_MS = 1;
const REGULAR_SHARE_MIN = 0.6;
const CADENCE_TOLERANCE = 0.01;
/** Recordings are up to 0.5 % quicker than the rate of their receiver says, and up to 1.2 % slower. */
const SHORTER_MAX = 0.007;
const LONGER_MAX = 0.015;
/** Receivers stamp their fixes more evenly than this. */
const EVEN_SHARE = 0.004;
/** A drive that was shortened by more shows it by its accelerations. */
const SHORTENED_MAX = 0.1;
/** 18.18 is 55 ms, the shortest step of a common chip with all its satellites. */
const USUAL_RATES_HZ = [
  2, 3, 4, 5, 6, 7, 8, 9, 10, 12.5, 15, 16, 18, 18.18, 20, 25, 30, 33.3, 40, 50, 60, 100,
];
