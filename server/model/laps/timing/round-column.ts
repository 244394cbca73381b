/** A number with so many decimals, for JSON: more would be noise of the receiver, and take most of the answer. */
export function roundNumber(value: number, decimals: number): number {
  const perUnit = 10 ** decimals;
  // Dividing by a whole number gives the double that the decimals stand for.
  return Math.round(value * perUnit) / perUnit;
}

/** The numbers of a column with so many decimals. */
export function roundColumn(values: Float64Array, decimals: number): number[] {
  return Array.from(values, (value) => roundNumber(value, decimals));
}

/** Metres per second in kilometres per hour. */
export function toKmh(metersPerSecond: number): number {
  return 3.6 * metersPerSecond;
}
