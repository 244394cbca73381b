import type { LapFile } from '../lap-file.ts';
import { planeAround, toPosition } from '../geo.ts';
import { toLapFile, type DrivenFix } from '../simulation/drive.ts';

/** The made-up fixes of small tests are here. */
export const HERE = { lat: 50.3356, lon: 6.9475 };
const plane = planeAround(HERE);

/** Returns a fix that is so many metres east and north of `HERE`; without a speed unless one is given. */
export function fixAt(timeMs: number, x: number, y = 0, speedMetersPerSecond = Number.NaN): DrivenFix {
  return { timeMs, ...toPosition(plane, { x, y }), speedMetersPerSecond };
}

/** Makes a lap file of such fixes; times from zero unless they are given. */
export function makeLapFile(fixes: DrivenFix[], changes: Partial<LapFile> = {}): LapFile {
  return { ...toLapFile(fixes), ...changes };
}

/** Returns a line from north to south through the point `x` metres east of `HERE`, passed to the east. */
export function lineAcross(x: number, halfWidthMeters = 10, bearingDeg: number | null = 90) {
  return {
    a: toPosition(plane, { x, y: halfWidthMeters }),
    b: toPosition(plane, { x, y: -halfWidthMeters }),
    bearingDeg,
  };
}
