import { at, type FixColumns } from '../fix-columns.ts';
import { roughDistanceMeters, wrapDegrees } from '../geo.ts';
import { median } from '../statistics.ts';
import type { Trace } from './trace.ts';

/**
 * Describes how the speeds of a trace relate to its positions. A receiver's speed may come late, and a wheel's speed
 * may be a few percent off; both show when the speeds are added up between fixes and compared with the distances
 * driven.
 */
export type SpeedModel = {
  /** True speed = scale × (given speed + delay × its rate of change). */
  scale: number;
  delaySeconds: number;
  /** Typical (median) difference that is left over a second, or between two fixes farther apart, in metres. */
  residualMeters: number;
};

/** So many pairs of fixes are enough for a firm estimate. */
const SAMPLE_SIZE = 1500;
const PAIRS_MIN = 20;
/** Fixes are compared over about this time: over a shorter one, the noise of the positions would hide everything. */
const PAIR_MS = 1000;
/** In bends, the straight line between two fixes is shorter than the path driven; below walking pace, noise rules. */
const SPEED_MIN_METERS_PER_SECOND = 6;
const TURN_COSINE_MIN = 0.995;
/** Wheels and units can be off by some percent; anything else is no speed of this car. */
const SCALE_RANGE = [0.9, 1.1] as const;
const DELAY_SECONDS_MAX = 1.5;
/** Worse than this share of the distance, and the positions alone tell the time better. */
const RESIDUAL_SHARE_MAX = 0.04;
const RESIDUAL_MIN_METERS = 0.15;

/** Compares the speeds of a trace with its positions; null where they do not go together or are missing. */
export function fitSpeeds(trace: Trace): SpeedModel | null {
  const pairs = straightPairs(trace);
  if (pairs.length < PAIRS_MIN) return null;
  let model = leastSquares(pairs);
  if (model === null) return null;
  const typical = typicalResidual(pairs, model);
  // Once more without the pairs that a jump of the receiver, a kerb or a spin has spoilt.
  model =
    leastSquares(pairs.filter((pair) => residual(pair, model ?? NO_CORRECTION) < 4 * typical + 0.01)) ??
    model;
  const { scale, delaySeconds } = model;
  if (scale < SCALE_RANGE[0] || scale > SCALE_RANGE[1] || Math.abs(delaySeconds) > DELAY_SECONDS_MAX)
    return null;
  const residualMeters = typicalResidual(pairs, model);
  const distance = median(pairs.map((pair) => pair.meters)) ?? 0;
  if (residualMeters > Math.max(RESIDUAL_MIN_METERS, RESIDUAL_SHARE_MAX * distance)) return null;
  return { scale, delaySeconds, residualMeters };
}

/** The corrected speed at a fix of the part between `first` and `last`; NaN where the receiver gave none. */
export function speedAt(
  fixes: FixColumns,
  model: SpeedModel,
  index: number,
  range: { first: number; last: number },
): number {
  const speed = at(fixes.speedsMetersPerSecond, index);
  const before = Math.max(range.first, index - 1);
  const after = Math.min(range.last, index + 1);
  const seconds = (at(fixes.timesMs, after) - at(fixes.timesMs, before)) / 1000;
  const change = at(fixes.speedsMetersPerSecond, after) - at(fixes.speedsMetersPerSecond, before);
  const rate = seconds > 0 && Number.isFinite(change) ? change / seconds : 0;
  return model.scale * (speed + model.delaySeconds * rate);
}

/** Describes two fixes on a straight: the distance, what the speeds in between make of it, and how much the speed changed. */
type Pair = { meters: number; summedMeters: number; speedChange: number };

const NO_CORRECTION = { scale: 1, delaySeconds: 0 };

function straightPairs(trace: Trace): Pair[] {
  const { fixes, partStarts, intervalMs } = trace;
  if (intervalMs === null) return [];
  const reach = Math.max(1, Math.round(PAIR_MS / intervalMs));
  const pairs: Pair[] = [];
  partStarts.forEach((first, part) => {
    const last = (partStarts[part + 1] ?? fixes.length) - 1;
    const stride = Math.max(1, Math.floor(fixes.length / SAMPLE_SIZE));
    for (let index = first + reach; index + 2 * reach <= last; index += stride) {
      const pair = pairAt(fixes, index, reach);
      if (pair !== null) pairs.push(pair);
    }
  });
  return pairs;
}

/** Returns null where the car is slow, turns, or has no speed. */
function pairAt(fixes: FixColumns, index: number, reach: number): Pair | null {
  const { timesMs, speedsMetersPerSecond } = fixes;
  if (!isStraight(fixes, index, reach)) return null;
  let summedMeters = 0;
  let slowest = Number.POSITIVE_INFINITY;
  for (let step = index; step < index + reach; step += 1) {
    const [speed, next] = [at(speedsMetersPerSecond, step), at(speedsMetersPerSecond, step + 1)];
    summedMeters += ((at(timesMs, step + 1) - at(timesMs, step)) / 2000) * (speed + next);
    slowest = Math.min(slowest, speed, next);
  }
  // The condition is also false for NaN.
  if (!(slowest > SPEED_MIN_METERS_PER_SECOND)) return null;
  const speedChange = at(speedsMetersPerSecond, index + reach) - at(speedsMetersPerSecond, index);
  return {
    meters: roughDistanceMeters(fixes.lats, fixes.lons, index, index + reach),
    summedMeters,
    speedChange,
  };
}

/** Returns whether the car goes straight on around the path from `index` to the fix `reach` later. */
function isStraight(fixes: FixColumns, index: number, reach: number): boolean {
  const shrink = Math.cos((at(fixes.lats, index) * Math.PI) / 180);
  const [beforeX, beforeY] = displacement(fixes, index - reach, index, shrink);
  const [afterX, afterY] = displacement(fixes, index + reach, index + 2 * reach, shrink);
  const product = Math.sqrt((beforeX ** 2 + beforeY ** 2) * (afterX ** 2 + afterY ** 2));
  return beforeX * afterX + beforeY * afterY > TURN_COSINE_MIN * product;
}

function displacement(
  fixes: FixColumns,
  from: number,
  to: number,
  shrink: number,
): [east: number, north: number] {
  const east = wrapDegrees(at(fixes.lons, to) - at(fixes.lons, from)) * shrink;
  return [east, at(fixes.lats, to) - at(fixes.lats, from)];
}

/** Least squares of meters = scale × summed + scale × delay × change, over all pairs. */
function leastSquares(pairs: Pair[]): { scale: number; delaySeconds: number } | null {
  let [ss, sc, cc, ms, mc] = [0, 0, 0, 0, 0];
  for (const { meters, summedMeters, speedChange } of pairs) {
    ss += summedMeters ** 2;
    sc += summedMeters * speedChange;
    cc += speedChange ** 2;
    ms += meters * summedMeters;
    mc += meters * speedChange;
  }
  const determinant = ss * cc - sc ** 2;
  if (!(determinant > 1e-9 * ss * cc)) return ss > 0 ? { scale: ms / ss, delaySeconds: 0 } : null;
  const scale = (ms * cc - mc * sc) / determinant;
  return { scale, delaySeconds: (mc * ss - ms * sc) / determinant / scale };
}

function typicalResidual(pairs: Pair[], model: { scale: number; delaySeconds: number }): number {
  return median(pairs.map((pair) => residual(pair, model))) ?? 0;
}

function residual(pair: Pair, { scale, delaySeconds }: { scale: number; delaySeconds: number }): number {
  return Math.abs(pair.meters - scale * (pair.summedMeters + delaySeconds * pair.speedChange));
}
