import { at } from '../fix-columns.ts';
import { median } from '../statistics.ts';

/**
 * Measures the time between the fixes of a receiver that keeps an even rhythm, in milliseconds: the mean of the steps
 * that are like most, which is far finer than the time stamps. Null where steps are uneven or few; nothing follows from
 * those.
 */
export function measureCadence(timesMs: Float64Array, first: number, last: number): number | null {
  const stride = Math.max(1, Math.floor((last - first) / STEPS_LOOKED_AT));
  const steps: number[] = [];
  for (let index = first; index < last; index += stride)
    steps.push(at(timesMs, index + 1) - at(timesMs, index));
  const usual = median(steps);
  if (usual === null || steps.length < STEPS_MIN) return null;
  const alike = steps.filter((step) => Math.abs(step - usual) <= ALIKE_SHARE * usual + ALIKE_MIN_MS);
  if (alike.length < REGULAR_SHARE_MIN * steps.length) return null;
  return alike.reduce((sum, step) => sum + step, 0) / alike.length;
}

/** Returns whether receivers have such a rhythm: their makers choose whole numbers of fixes a second, or of seconds. */
export function isUsualCadence(intervalMs: number): boolean {
  const seconds = Math.max(1, Math.round(intervalMs / 1000));
  return [1000 * seconds, ...USUAL_RATES_HZ.map((rateHz) => 1000 / rateHz)].some((usual) =>
    isSameCadence(intervalMs, usual),
  );
}

/** Quartz is right to some millionths; what is left is for stamps that are cut and for clocks of phones. */
export function isSameCadence(intervalMs: number, otherMs: number): boolean {
  return Math.abs(intervalMs / otherMs - 1) <= CADENCE_TOLERANCE;
}

const STEPS_LOOKED_AT = 600;
const STEPS_MIN = 40;
const ALIKE_SHARE = 0.02;
/** Stamps are in whole milliseconds. */
const ALIKE_MIN_MS = 1;
const REGULAR_SHARE_MIN = 0.6;
const CADENCE_TOLERANCE = 0.01;
/** 18.18 is 55 ms, the shortest step of a common chip with all its satellites. */
const USUAL_RATES_HZ = [
  2, 3, 4, 5, 6, 7, 8, 9, 10, 12.5, 15, 16, 18, 18.18, 20, 25, 30, 33.3, 40, 50, 60, 100,
];
