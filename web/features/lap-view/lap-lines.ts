// The functions here compute the data of the charts and the map from the columns of a comparison or a trace: one entry per station along the lap.

import { lowerBound } from '#engine/binary-search.ts';
import {
  deriveAccelerations,
  STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED,
} from '#engine/comparison/accelerations.ts';

export type Column = readonly number[];

/** A part of a lap, by the indices of its first and last station. */
export type Stretch<T> = { from: number; to: number; value: T };

const SPEED_CLASSES = 6;
/** So many stations before and after another one span more than the time of an acceleration. */
const NEAR_STATIONS = 30;

/** Returns an entry of a column; NaN beyond its ends. */
export function entry(column: Column, index: number): number {
  return column[index] ?? Number.NaN;
}

/** Finds the index of the station nearest to a distance along the lap. */
export function nearestStation(meters: Column, target: number): number {
  // Beyond the end of the lap it is the last station.
  const after = lowerBound(meters, target, 0, Math.max(0, meters.length - 1));
  if (after === 0) return 0;
  return target - entry(meters, after - 1) <= entry(meters, after) - target ? after - 1 : after;
}

/** Returns a class of speed for every station, from 0 for the slowest to 5 for the fastest of the lap. */
export function classifySpeeds(speedsKmh: Column): number[] {
  const slowest = Math.min(...speedsKmh);
  const range = Math.max(...speedsKmh) - slowest;
  return speedsKmh.map((speed) =>
    range === 0 ? 0 : Math.min(SPEED_CLASSES - 1, Math.floor(((speed - slowest) / range) * SPEED_CLASSES)),
  );
}

/** Joins equal values to stretches; each ends at the station where the next one begins, so that a line through them has no gaps. */
export function joinEqual<T>(values: readonly T[]): Stretch<T>[] {
  const stretches: Stretch<T>[] = [];
  for (const [index, value] of values.entries()) {
    const current = stretches.at(-1);
    if (current) current.to = index;
    if (current?.value !== value && index < values.length - 1)
      stretches.push({ from: index, to: index, value });
  }
  return stretches;
}

/** Shifts the gap so that it is zero at a station. */
export function countGapFrom(gapMs: Column, index: number): number[] {
  const start = entry(gapMs, index);
  return gapMs.map((gap) => gap - start);
}

/**
 * Returns half the 95 % interval of a gap that is counted from a station on. Errors shift neighbouring stations alike,
 * so two independent errors are the upper limit.
 */
export function widenBandFrom(bandMs: Column, index: number): number[] {
  const start = entry(bandMs, index);
  return bandMs.map((band) => Math.hypot(band, start));
}

/** Computes the acceleration at a station in g, below zero for braking, in the same way as the channel of a lap without a sensor. */
export function accelerationG(timesMs: Column, speedsKmh: Column, index: number): number {
  const start = Math.max(0, index - NEAR_STATIONS);
  const near = (column: Column) => Float64Array.from(column.slice(start, index + NEAR_STATIONS + 1));
  const { longitudinal } = deriveAccelerations({
    timesMs: near(timesMs),
    speedsMetersPerSecond: near(speedsKmh).map((speed) => speed / 3.6),
    lats: NO_POSITIONS,
    lons: NO_POSITIONS,
  });
  return (longitudinal[index - start] ?? Number.NaN) / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED;
}

const NO_POSITIONS = new Float64Array(0);
