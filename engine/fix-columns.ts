/**
 * Timed GPS positions, one column per quantity. Columns rather than objects, because a lap file can hold a million rows:
 * this way an hour at 25 Hz takes 3 MB instead of 13. Every column has `length` entries, always.
 */
export type FixColumns = {
  length: number;
  /** Milliseconds, fractions included, on the clock of the lap file. */
  timesMs: Float64Array;
  /** Degrees, WGS 84. */
  lats: Float64Array;
  lons: Float64Array;
  /** Ground speed measured by the receiver; NaN where it gave none. */
  speedsMetersPerSecond: Float64Array;
};

/** Reads one entry of a column. The caller's loop keeps `index` in range; outside of it the answer is NaN. */
export function at(column: Float64Array, index: number): number {
  return column[index] ?? Number.NaN;
}
