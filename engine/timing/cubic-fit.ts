import { at } from '../fix-columns.ts';

/** Describes a measured position along the track, or a speed along it. Times in seconds around the moment in question. */
export type Observation = { seconds: number; value: number; isSpeed: boolean; weight: number };

/** Describes the motion at the moment in question: position, speed, and the share of one position's noise that remains. */
export type LocalFit = { meters: number; metersPerSecond: number; noiseShare: number };

const UNKNOWNS = 4;

/**
 * Fits the cubic in time that comes closest to all observations (weighted least squares), at time zero. Averages the
 * noise of many fixes, where two would pass theirs on in full. Null where the observations do not determine a cubic.
 */
export function fitCubic(observations: readonly Observation[]): LocalFit | null {
  // The normal equations have one more column for the observations and one for the variance of the first unknown.
  const rows = Array.from({ length: UNKNOWNS }, () => new Float64Array(UNKNOWNS + 2));
  const basis = new Float64Array(UNKNOWNS);
  for (const { seconds, value, isSpeed, weight } of observations) {
    for (let power = 0; power < UNKNOWNS; power += 1) {
      basis[power] = isSpeed ? power * seconds ** Math.max(0, power - 1) : seconds ** power;
    }
    rows.forEach((row, power) => {
      const factor = weight * at(basis, power);
      for (let other = 0; other < UNKNOWNS; other += 1)
        row[other] = at(row, other) + factor * at(basis, other);
      row[UNKNOWNS] = at(row, UNKNOWNS) + factor * value;
    });
  }
  rows.forEach((row, power) => {
    row[UNKNOWNS + 1] = power === 0 ? 1 : 0;
  });
  if (!eliminate(rows)) return null;
  const [place, speed] = rows;
  if (place === undefined || speed === undefined) return null;
  return {
    meters: at(place, UNKNOWNS),
    metersPerSecond: at(speed, UNKNOWNS),
    noiseShare: Math.sqrt(at(place, UNKNOWNS + 1)),
  };
}

/** Solves the equations by Gauss and Jordan; no pivoting, since the matrix is symmetric and positive. False where it is singular. */
function eliminate(rows: Float64Array[]): boolean {
  for (const [column, pivotRow] of rows.entries()) {
    const pivot = at(pivotRow, column);
    if (!(pivot > SINGULAR)) return false;
    pivotRow.forEach((entry, index) => (pivotRow[index] = entry / pivot));
    for (const [index, row] of rows.entries()) {
      if (index === column) continue;
      const factor = at(row, column);
      row.forEach((entry, other) => (row[other] = entry - factor * at(pivotRow, other)));
    }
  }
  return true;
}

const SINGULAR = 1e-12;
