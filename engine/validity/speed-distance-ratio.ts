import { at } from '../fix-columns.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * Returns the distance between two fixes by their positions over the distance by their speeds: 1 where both are
 * measured well. Slow stretches and holes are left out. Null where the speeds are missing or too little distance is
 * left.
 */
export function speedDistanceRatio(
  trace: Trace,
  cumulativeMeters: Float64Array,
  first: number,
  last: number,
): number | null {
  const { timesMs, speedsMetersPerSecond } = trace.fixes;
  const stepMaxMs = 2.5 * Math.max(trace.intervalMs ?? 0, trace.receiverIntervalMs ?? 0);
  let [meters, summedMeters] = [0, 0];
  for (let index = first; index < last; index += 1) {
    const speed = at(speedsMetersPerSecond, index);
    const next = at(speedsMetersPerSecond, index + 1);
    // The condition is also false for NaN.
    if (!(speed > SPEED_MIN_METERS_PER_SECOND && next > SPEED_MIN_METERS_PER_SECOND)) continue;
    const stepMs = at(timesMs, index + 1) - at(timesMs, index);
    if (stepMs > stepMaxMs) continue;
    summedMeters += (stepMs / 2000) * (speed + next);
    meters += at(cumulativeMeters, index + 1) - at(cumulativeMeters, index);
  }
  return summedMeters < WAY_MIN_METERS ? null : meters / summedMeters;
}

const SPEED_MIN_METERS_PER_SECOND = 6;
const WAY_MIN_METERS = 200;
