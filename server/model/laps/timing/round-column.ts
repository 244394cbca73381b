/** Rounds a number for JSON. More decimals would be noise of the receiver, and most of the answer's size. */
export function roundNumber(value: number, decimals: number): number {
  const perUnit = 10 ** decimals;
  // Dividing by a whole number gives the double that is nearest to the decimal number.
  return Math.round(value * perUnit) / perUnit;
}

export function roundColumn(values: Float64Array, decimals: number): number[] {
  return Array.from(values, (value) => roundNumber(value, decimals));
}

export function toKmh(metersPerSecond: number): number {
  return 3.6 * metersPerSecond;
}
