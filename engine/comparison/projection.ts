import { at } from '../fix-columns.ts';
import type { PlanePoint } from '../geo.ts';
import type { LapPath } from './lap-path.ts';
import type { ReferenceLine } from './reference-line.ts';

/** The positions of a lap on the reference line, in driving order. All columns are equally long; `meters` and `timesMs` rise. */
export type Projection = {
  length: number;
  /** Which positions of the path these are. */
  indices: Int32Array;
  /** Along the reference line, from its first point. */
  meters: Float64Array;
  timesMs: Float64Array;
  /** To the right of the reference line, negative to the left, in metres. */
  asideMeters: Float64Array;
  speedsMetersPerSecond: Float64Array;
  /** Share of the positions that were found on the reference line, 0 to 1. */
  foundShare: number;
};

/** A car farther from the reference line than this is somewhere else. */
const ASIDE_MAX_METERS = 50;
/** A position is looked for from a little behind the one before it up to some way beyond what the car has driven since. */
const BEHIND_METERS = 12;
const AHEAD_METERS = 25;
const AHEAD_FACTOR = 1.6;
/** Where the line passes by twice, as in a hairpin, the place that agrees with the distance driven is preferred. */
const PREDICTION_METERS = 3;
const PREDICTION_SHARE = 0.3;
const TYPICAL_ASIDE_METERS = 4;
/** The car drives the way the line leads, within 75 degrees. */
const DIRECTION_COSINE_MIN = 0.25;
/** Points closer together than this say more about noise than about speed. */
const RISE_MIN_METERS = 0.2;

/**
 * Projects the positions of a lap, each moved by `offset`, onto the reference line: monotone, and each within a window around
 * where the car can be, so that it never jumps to another piece of track that passes nearby. `firstMeters` is where the first is looked for.
 */
export function projectOnto(
  line: ReferenceLine,
  path: LapPath,
  offset: PlanePoint,
  firstMeters: number,
): Projection {
  const found: Foot[] = [];
  let here = firstMeters;
  let behind = FIRST_SEARCH_METERS;
  let ahead = FIRST_SEARCH_METERS;
  let driven = 0;
  for (let index = 0; index < path.length; index += 1) {
    if (index > 0) driven += stepBefore(path, index);
    const foot = footOf(line, pointOf(path, index, offset), {
      from: here - behind,
      to: here + ahead + AHEAD_FACTOR * driven,
      predicted: here + driven,
      tolerance: PREDICTION_METERS + PREDICTION_SHARE * driven,
    });
    if (foot === null || (found.length > 0 && foot.meters < here + RISE_MIN_METERS)) continue;
    found.push({ ...foot, index });
    here = foot.meters;
    [behind, ahead, driven] = [BEHIND_METERS, AHEAD_METERS, 0];
  }
  return toProjection(path, found);
}

/** Projects the same positions once more after a small change of the offset: each is looked for only near where it was before. */
export function projectAgain(
  line: ReferenceLine,
  path: LapPath,
  offset: PlanePoint,
  before: Projection,
): Projection {
  const found: Foot[] = [];
  before.indices.forEach((index, entry) => {
    const predicted = at(before.meters, entry);
    const window = {
      from: predicted - NEAR_METERS,
      to: predicted + NEAR_METERS,
      predicted,
      tolerance: NEAR_METERS,
    };
    const foot = footOf(line, pointOf(path, index, offset), window);
    if (foot === null || foot.meters < (found.at(-1)?.meters ?? -1) + RISE_MIN_METERS) return;
    found.push({ ...foot, index });
  });
  return toProjection(path, found);
}

/** A position on the reference line: where, how far to the right of it, and which of the path it is. */
type Foot = { meters: number; aside: number; index: number };

function toProjection(path: LapPath, found: readonly Foot[]): Projection {
  return {
    length: found.length,
    indices: Int32Array.from(found, ({ index }) => index),
    meters: Float64Array.from(found, ({ meters }) => meters),
    timesMs: Float64Array.from(found, ({ index }) => at(path.timesMs, index)),
    asideMeters: Float64Array.from(found, ({ aside }) => aside),
    speedsMetersPerSecond: Float64Array.from(found, ({ index }) => at(path.speedsMetersPerSecond, index)),
    foundShare: found.length / path.length,
  };
}

function stepBefore({ xs, ys }: LapPath, index: number): number {
  const [x, y] = [at(xs, index) - at(xs, index - 1), at(ys, index) - at(ys, index - 1)];
  return Math.sqrt(x * x + y * y);
}

/** The lap may begin this far from where it is first looked for. */
const FIRST_SEARCH_METERS = 60;
/** From one round of the offset's estimate to the next, hardly any position moves farther than this. */
const NEAR_METERS = 5;

type Point = PlanePoint & { directionX: number; directionY: number };

/** A position and the direction of driving there, from the positions before and after. */
function pointOf({ xs, ys, length }: LapPath, index: number, offset: PlanePoint): Point {
  const [before, after] = [Math.max(0, index - 1), Math.min(length - 1, index + 1)];
  const [x, y] = [at(xs, after) - at(xs, before), at(ys, after) - at(ys, before)];
  const meters = Math.hypot(x, y);
  return {
    x: at(xs, index) + offset.x,
    y: at(ys, index) + offset.y,
    directionX: meters > 0 ? x / meters : 0,
    directionY: meters > 0 ? y / meters : 0,
  };
}

type Window = { from: number; to: number; predicted: number; tolerance: number };

/**
 * The foot of the perpendicular from a point to the line, within the window. Of several, the one with the least distance, counting also how far
 * it is from where the car is expected. Null where there is none.
 */
function footOf(line: ReferenceLine, point: Point, window: Window): { meters: number; aside: number } | null {
  const { stepMeters } = line;
  const first = Math.max(0, Math.floor(window.from / stepMeters));
  const last = Math.min(line.length - 1, Math.ceil(window.to / stepMeters));
  let best: { meters: number; aside: number } | null = null;
  let least = Number.POSITIVE_INFINITY;
  let ahead = first <= last ? aheadOf(line, point, first) : 0;
  for (let index = first; index < last; index += 1) {
    const [before, after] = [ahead, aheadOf(line, point, index + 1)];
    ahead = after;
    // The point lies ahead of this point of the line and behind the next: its perpendicular meets the line in between.
    if (before < 0 || after >= 0) continue;
    const share = before / (before - after);
    const [offX, offY] = [
      point.x - at(line.xs, index) - share * (at(line.xs, index + 1) - at(line.xs, index)),
      point.y - at(line.ys, index) - share * (at(line.ys, index + 1) - at(line.ys, index)),
    ];
    const aside = offX * at(line.directionYs, index) - offY * at(line.directionXs, index);
    if (Math.abs(aside) > ASIDE_MAX_METERS || !isAlong(line, point, index)) continue;
    const meters = (index + share) * stepMeters;
    const score = (aside / TYPICAL_ASIDE_METERS) ** 2 + ((meters - window.predicted) / window.tolerance) ** 2;
    if (score < least) [least, best] = [score, { meters, aside }];
  }
  return best;
}

/** How far a point is ahead of a point of the line, in the direction of the line there. */
function aheadOf(line: ReferenceLine, point: Point, index: number): number {
  return (
    (point.x - at(line.xs, index)) * at(line.directionXs, index) +
    (point.y - at(line.ys, index)) * at(line.directionYs, index)
  );
}

function isAlong(line: ReferenceLine, { directionX, directionY }: Point, index: number): boolean {
  const cosine = directionX * at(line.directionXs, index) + directionY * at(line.directionYs, index);
  return cosine >= DIRECTION_COSINE_MIN || (directionX === 0 && directionY === 0);
}
