import type { DrivenCorner } from '#contract/lap-view/comparison.ts';
import type { CornerFigures } from '#engine/comparison/corner-figures.ts';
import type { Corner } from '#engine/comparison/corners.ts';
import { roundNumber, toKmh } from './round-column.ts';

type NamedCorner = Corner & { name: string | null };

/** Describes the position and the name of a corner. */
export function describeCorner({ number, name, direction, ...corner }: NamedCorner) {
  return {
    number,
    name,
    direction,
    startMeters: roundNumber(corner.startMeters, 1),
    apexMeters: roundNumber(corner.apexMeters, 1),
    endMeters: roundNumber(corner.endMeters, 1),
  };
}

/** Describes the figures of a lap in a corner. */
export function describeCornerFigures(
  figures: CornerFigures,
): Pick<DrivenCorner, 'entryKmh' | 'brakingMeters' | 'minKmh' | 'exitKmh' | 'timeMs'> {
  return {
    entryKmh: inKmh(figures.entrySpeedMetersPerSecond),
    brakingMeters: figures.brakingMeters === null ? null : roundNumber(figures.brakingMeters, 1),
    minKmh: inKmh(figures.minSpeedMetersPerSecond),
    exitKmh: inKmh(figures.exitSpeedMetersPerSecond),
    timeMs: roundNumber(figures.timeMs, 1),
  };
}

/** Converts a speed to km/h with one decimal. */
export function inKmh(metersPerSecond: number): number {
  return roundNumber(toKmh(metersPerSecond), 1);
}
