import { at } from '../fix-columns.ts';

/** Describes time over distance along a path: both columns rise, the first strictly. */
export type Progress = { meters: Float64Array; timesMs: Float64Array };

/**
 * Returns slopes of a curve through all points of a progress that never turns back in time (Fritsch and Carlson's
 * monotone cubic in the form of Butland: the harmonic mean of the slopes to both sides), in milliseconds per metre.
 */
export function monotoneSlopes({ meters, timesMs }: Progress): Float64Array {
  const count = meters.length;
  const slopes = new Float64Array(count);
  const slopeAfter = (index: number): number =>
    (at(timesMs, index + 1) - at(timesMs, index)) / (at(meters, index + 1) - at(meters, index));
  for (let index = 0; index < count; index += 1) {
    if (index === 0) slopes[index] = slopeAfter(0);
    else if (index === count - 1) slopes[index] = slopeAfter(count - 2);
    else {
      const [before, after] = [slopeAfter(index - 1), slopeAfter(index)];
      const lengthBefore = at(meters, index) - at(meters, index - 1);
      const lengthAfter = at(meters, index + 1) - at(meters, index);
      const weight = (lengthBefore + 2 * lengthAfter) / (3 * (lengthBefore + lengthAfter));
      slopes[index] =
        before > 0 && after > 0 ? (before * after) / (weight * after + (1 - weight) * before) : 0;
    }
  }
  return slopes;
}

/** Returns when the car was at the distance `place` between the point `index` and the next. */
export function interpolateTime(
  { meters, timesMs }: Progress,
  slopes: Float64Array,
  index: number,
  place: number,
): number {
  const length = at(meters, index + 1) - at(meters, index);
  const u = Math.max(0, Math.min(1, (place - at(meters, index)) / length));
  const v = 1 - u;
  const before = at(timesMs, index) * (1 + 2 * u) + length * at(slopes, index) * u;
  const after = at(timesMs, index + 1) * (1 + 2 * v) - length * at(slopes, index + 1) * v;
  return v * v * before + u * u * after;
}
