import { at } from './fix-columns.ts';

/** Half of all values of a normal distribution lie within this many standard deviations of its middle. */
export const MAD_PER_DEVIATION = 0.6745;

/** Returns the middle value; null for an empty list. */
export function median(values: ArrayLike<number>): number | null {
  return quantile(values, 0.5);
}

/** The value that this share of all values, 0 to 1, lies below; null for an empty list. */
export function quantile(values: ArrayLike<number>, share: number): number | null {
  const place = Math.floor(share * values.length);
  const column = new Float64Array(values);
  // Typed arrays sort numbers as numbers, those that are none last.
  return (column.includes(Number.NaN) ? column.toSorted()[place] : quickselect(column, place)) ?? null;
}

/** Returns what a column of numbers would have at `place` if it were sorted: puts it in order only as far as that needs. */
function quickselect(column: Float64Array, place: number): number | undefined {
  let [low, high] = [0, column.length - 1];
  while (low < high) {
    const pivot = at(column, (low + high) >> 1);
    let [left, right] = [low, high];
    while (left <= right) {
      while (at(column, left) < pivot) left += 1;
      while (at(column, right) > pivot) right -= 1;
      if (left > right) break;
      const value = at(column, left);
      column[left] = at(column, right);
      column[right] = value;
      left += 1;
      right -= 1;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else break;
  }
  return column[place];
}

/** Returns the median of the steps between neighbouring values that differ, from a sample; null where there is none. */
export function medianIntervalMs(timesMs: Float64Array, length: number): number | null {
  const intervals: number[] = [];
  const stride = Math.max(1, Math.floor(length / SAMPLE_SIZE));
  for (let index = 1; index < length; index += stride) {
    const interval = at(timesMs, index) - at(timesMs, index - 1);
    if (interval > 0) intervals.push(interval);
  }
  return median(intervals);
}

/** A sample of this size makes a median right to a percent or two, whatever the length of the file. */
const SAMPLE_SIZE = 4000;
