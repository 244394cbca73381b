/** Returns the first index from `from` up to `to` whose value is at least `value`; `to` where there is none. The values rise. */
export function lowerBound(
  values: ArrayLike<number>,
  value: number,
  from = 0,
  to: number = values.length,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Number.NaN) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the first index from `from` up to `to` whose value is above `value`; `to` where there is none. The values rise. */
export function upperBound(
  values: ArrayLike<number>,
  value: number,
  from = 0,
  to: number = values.length,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Number.NaN) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
