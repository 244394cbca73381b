/** A length in kilometres to the metre, on one line: 5.278 km. */
export function formatLengthKm(lengthMeters: number): string {
  return `${(lengthMeters / 1000).toFixed(3)}\u00A0km`;
}
