import type { ComparedCorner, CornerFigures } from './corner-figures.ts';

/**
 * Describes a corner in which a lap loses time on the reference lap, and what it does differently there, as far as that
 * is beyond doubt.
 */
export type PlaceToGain = {
  cornerNumber: number;
  lostMs: number;
  /** Half width of the 95 % interval of `lostMs`. */
  bandMs: number;
  /** Distance by which it begins to brake earlier; null where it does not, or not clearly. */
  brakingEarlierMeters: number | null;
  /** Speed that it lacks at its slowest point, and where the corner ends; null where it is not slower, or not clearly. */
  apexSlowerMetersPerSecond: number | null;
  exitSlowerMetersPerSecond: number | null;
};

const PLACES_MAX = 3;

/**
 * Finds the corners in which a lap loses most on the reference lap, by how much: only losses beyond the band. `lap` is
 * its index in `laps` of each corner.
 */
export function findPlacesToGain(corners: readonly ComparedCorner[], lap: number): PlaceToGain[] {
  return corners
    .flatMap(({ number, laps }) => {
      const [reference, own] = [laps[0], laps[lap]];
      if (reference === undefined || own === undefined || own.lostMs <= own.bandMs) return [];
      return [{ cornerNumber: number, ...differences(reference, own) }];
    })
    .toSorted((a, b) => b.lostMs - a.lostMs)
    .slice(0, PLACES_MAX);
}

function differences(reference: CornerFigures, own: CornerFigures): Omit<PlaceToGain, 'cornerNumber'> {
  const speedDoubt = Math.hypot(reference.speedDoubtMetersPerSecond, own.speedDoubtMetersPerSecond);
  const brakingDoubt = Math.hypot(reference.brakingDoubtMeters, own.brakingDoubtMeters);
  return {
    lostMs: own.lostMs,
    bandMs: own.bandMs,
    brakingEarlierMeters:
      reference.brakingMeters === null || own.brakingMeters === null
        ? null
        : ifBeyond(reference.brakingMeters - own.brakingMeters, brakingDoubt),
    apexSlowerMetersPerSecond: ifBeyond(
      reference.minSpeedMetersPerSecond - own.minSpeedMetersPerSecond,
      speedDoubt,
    ),
    exitSlowerMetersPerSecond: ifBeyond(
      reference.exitSpeedMetersPerSecond - own.exitSpeedMetersPerSecond,
      speedDoubt,
    ),
  };
}

function ifBeyond(difference: number, doubt: number): number | null {
  return difference > doubt ? difference : null;
}
