import { at, type FixColumns } from '../../fix-columns.ts';
import { roughDistanceMeters } from '../../geo.ts';

/** Returns how many metres per second one of a written unit of speed is; null for an unknown unit or none. */
export function metersPerSecondIn(unit: string): number | null {
  return UNITS.get(unit.toLowerCase().replaceAll(/[\s.]/g, '')) ?? null;
}

/**
 * Finds the unit of recorded speeds by comparing them with the distance between the positions, since a label can be missing or wrong:
 * metres per second in one of `labelled`, or of the units that loggers use without a label, the nearest; null where none of them fits.
 * Where the file shows too little driving to tell, the label decides.
 */
export function findSpeedUnit(fixes: FixColumns, labelled: number | null): number | null {
  const ratios = speedRatios(fixes).toSorted((a, b) => a - b);
  if (ratios.length < FEWEST_RATIOS) return labelled;
  const median = ratios[ratios.length >> 1] ?? Number.NaN;
  const error = (unit: number): number => Math.abs(median * unit - 1);
  if (labelled !== null && error(labelled) < UNIT_TOLERANCE) return labelled;
  const nearest = UNLABELLED_UNITS.reduce((best, unit) => (error(unit) < error(best) ? unit : best));
  return error(nearest) < UNIT_TOLERANCE ? nearest : null;
}

/** Returns the same fixes with speeds that were read in some unit; null forgets the speeds. */
export function withSpeedUnit(fixes: FixColumns, metersPerSecondInUnit: number | null): FixColumns {
  if (metersPerSecondInUnit === 1) return fixes;
  const factor = metersPerSecondInUnit ?? Number.NaN;
  return { ...fixes, speedsMetersPerSecond: fixes.speedsMetersPerSecond.map((speed) => speed * factor) };
}

const KILOMETER_PER_HOUR = 1 / 3.6;
const MILE_PER_HOUR = 0.44704;
const KNOT = 1852 / 3600;

const UNITS = new Map<string, number>(
  Object.entries({
    'm/s mps m/sec meters/second metres/second meterspersecond metrespersecond': 1,
    'km/h kmh kph kmph km/hr': KILOMETER_PER_HOUR,
    'mph mi/h miles/hour milesperhour': MILE_PER_HOUR,
    'kn kt kts knot knots': KNOT,
    'ft/s fps feet/second': 0.3048,
    'cm/s cm/sec': 0.01,
    'mm/s mm/sec': 0.001,
  }).flatMap(([spellings, unit]) => spellings.split(' ').map((spelling) => [spelling, unit] as const)),
);

/** Feet per second are too near to km/h to be distinguished without a label. */
const UNLABELLED_UNITS = [1, KILOMETER_PER_HOUR, MILE_PER_HOUR, KNOT, 0.01, 0.001];

// Receivers that measure badly stay within a fifth.
const UNIT_TOLERANCE = 0.2;

// Below walking pace the noise of the positions is as large as the movement.
const SLOWEST_METERS_PER_SECOND = 3;

// Positions further apart in time cut corners; closer together than this they are mostly noise.
const LONGEST_STEP_MS = 2500;
const SHORTEST_STEP_MS = 190;

const FEWEST_RATIOS = 10;
const MOST_RATIOS = 2000;

/** Returns the recorded speed by speed over ground, at up to MOST_RATIOS places spread over the whole file. */
function speedRatios(fixes: FixColumns): number[] {
  const ratios: number[] = [];
  const stride = Math.max(1, Math.floor(fixes.length / MOST_RATIOS));
  for (let from = 0; from < fixes.length; from += stride) {
    const ratio = speedRatioAt(fixes, from);
    if (ratio !== null) ratios.push(ratio);
  }
  return ratios;
}

/**
 * Compares from one new position at a new time to another, because a position that is only repeated says nothing about the distance, and
 * of ten positions with the same whole second only the first is where the clock says.
 */
function speedRatioAt(fixes: FixColumns, sample: number): number | null {
  const from = nextNewPosition(fixes, sample, Number.NEGATIVE_INFINITY);
  if (from >= fixes.length) return null;
  const startMs = at(fixes.timesMs, from);
  const to = nextNewPosition(fixes, from + 1, startMs + SHORTEST_STEP_MS);
  if (to >= fixes.length) return null;
  const stepMs = at(fixes.timesMs, to) - startMs;
  const recorded = at(fixes.speedsMetersPerSecond, from);
  if (!(recorded > 0) || !(stepMs >= SHORTEST_STEP_MS && stepMs <= LONGEST_STEP_MS)) return null;

  const overGround = roughDistanceMeters(fixes.lats, fixes.lons, from, to) / (stepMs / 1000);
  return overGround < SLOWEST_METERS_PER_SECOND ? null : recorded / overGround;
}

/** Returns the index of the next such position; `fixes.length` where none is near. */
function nextNewPosition(fixes: FixColumns, start: number, earliestMs: number): number {
  const end = Math.min(start + LONGEST_SEARCH, fixes.length);
  for (let index = Math.max(start, 1); index < end; index++) {
    const hasMoved =
      at(fixes.lats, index) !== at(fixes.lats, index - 1) ||
      at(fixes.lons, index) !== at(fixes.lons, index - 1);
    const timeMs = at(fixes.timesMs, index);
    if (hasMoved && timeMs >= earliestMs && timeMs !== at(fixes.timesMs, index - 1)) return index;
  }
  return fixes.length;
}

// The search is longer than a second of the densest logger known. The limit bounds the work where the times stand
// still.
const LONGEST_SEARCH = 500;
