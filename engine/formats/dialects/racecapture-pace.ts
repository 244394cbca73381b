import { at } from '../../fix-columns.ts';
import { median } from '../../statistics.ts';
import { DAY_MS } from '../../durations.ts';

/** Describes one reading of a receiver's clock when it had just changed, and the processor's clock at that moment. */
export type Reading = { value: number; intervalMs: number };

/** Describes what a clock of the receiver showed in one section, and how many new positions there were since it did. */
export type SeenClock = { readings: Reading[]; places: number };

export type Pace = { offsetMs: number; share: number };

/** Fits the pace of every section that has one; null where none of them has. */
export function fitPaces(clocks: readonly SeenClock[]): (Pace | null)[] | null {
  const paces = clocks.map(({ readings }) => fitPace(readings));
  return paces.every((pace) => pace === null) ? null : paces;
}

/**
 * Returns what the processor's clock has to be multiplied with, and what has to be added, to keep pace with a clock of
 * the receiver. From the middle of many pairs that are half the section apart, so that single late readings do not
 * matter. Null with too few readings.
 */
function fitPace(readings: readonly Reading[]): Pace | null {
  const half = readings.length >> 1;
  if (half < FEWEST_READINGS) return null;
  const values = unwrapDays(readings);
  const shares = readings.slice(half).map(({ intervalMs }, index) => {
    const earlier = readings[index]?.intervalMs ?? Number.NaN;
    return (at(values, index + half) - at(values, index)) / (intervalMs - earlier);
  });
  const share = median(shares.filter(Number.isFinite)) ?? 1;
  const offsets = readings.map(({ intervalMs }, index) => at(values, index) - share * intervalMs);
  return { share, offsetMs: median(offsets.filter(Number.isFinite)) ?? 0 };
}

const FEWEST_READINGS = 5;

/** Times of day go on over midnight; those since 1970 never step back that far. */
export function unwrapDays(readings: readonly Reading[]): Float64Array {
  let daysMs = 0;
  return Float64Array.from(readings, ({ value }, index) => {
    if (value < (readings[index - 1]?.value ?? value) - DAY_MS / 2) daysMs += DAY_MS;
    return value + daysMs;
  });
}
