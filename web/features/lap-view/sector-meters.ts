import { entry, type Column } from './lap-lines.ts';

/**
 * Finds where a lap passed the sector lines, in metres: all but the last sector end there. Empty where a sector was not
 * timed.
 */
export function findSectorMeters(
  { meters, elapsedMs }: { meters: Column; elapsedMs: Column },
  sectorTimesMs: readonly (number | null)[],
): number[] {
  const found: number[] = [];
  let sumMs = 0;
  for (const timeMs of sectorTimesMs.slice(0, -1)) {
    if (timeMs === null) return [];
    sumMs += timeMs;
    const after = elapsedMs.findIndex((elapsed) => elapsed >= sumMs);
    if (after <= 0) return [];
    const [low, high] = [entry(elapsedMs, after - 1), entry(elapsedMs, after)];
    const share = (sumMs - low) / (high - low);
    found.push(entry(meters, after - 1) + share * (entry(meters, after) - entry(meters, after - 1)));
  }
  return found;
}
