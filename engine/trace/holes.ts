const HOLE_MIN_MS = 1000;
const HOLE_MIN_INTERVALS = 4;

/**
 * Returns the time between two fixes from which on a lap has a hole between them, by the usual interval: what the car did there was
 * not measured. A trace goes on over holes; it breaks at much longer ones.
 */
export function holeMsAt(intervalMs: number | null): number {
  return Math.max(HOLE_MIN_MS, HOLE_MIN_INTERVALS * (intervalMs ?? 0));
}
