const PLACES_MAX = 3;

/**
 * Returns the indexes of the stretches in which a lap loses most on the reference lap, the largest loss first: only
 * losses beyond their band. `lap` is its index in `laps` of each stretch.
 */
export function findPlacesToGain(
  stretches: readonly { laps: readonly { lostMs: number; bandMs: number }[] }[],
  lap: number,
): number[] {
  return stretches
    .flatMap(({ laps }, index) => {
      const own = laps[lap];
      return own !== undefined && own.lostMs > own.bandMs ? [{ index, lostMs: own.lostMs }] : [];
    })
    .toSorted((a, b) => b.lostMs - a.lostMs)
    .slice(0, PLACES_MAX)
    .map(({ index }) => index);
}
