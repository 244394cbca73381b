import { upperBound } from '../binary-search.ts';
import { at } from '../fix-columns.ts';
import type { PlanePoint } from '../geo.ts';
import type { LapPath } from './lap-path.ts';
import type { ReferenceLine } from './reference-line.ts';

/** Describes the positions of a lap on the reference line, in driving order. All columns are equally long; `meters` and `timesMs` rise. */
export type Projection = {
  length: number;
  /** Distance along the reference line, from its first point. */
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
/** The lap may begin this far from where it is first looked for. */
const FIRST_SEARCH_METERS = 60;
/** A position is looked for from a little behind the one before it up to some way beyond what the car has driven since. */
const BEHIND_METERS = 12;
const AHEAD_METERS = 25;
const AHEAD_FACTOR = 1.6;
/** If the line passes by twice, as in a hairpin, the foot that agrees with the distance driven is preferred. */
const PREDICTION_METERS = 3;
const PREDICTION_SHARE = 0.3;
const TYPICAL_ASIDE_METERS = 4;
/** The car drives the way the line leads, within 75 degrees. */
const DIRECTION_COSINE_MIN = 0.25;
/** Points closer together than this say more about noise than about speed. */
const RISE_MIN_METERS = 0.2;

/**
 * Projects the positions of a lap, each moved by `shift`, onto the reference line: monotone, and each within a window around where the car can
 * be, so that it never jumps to another piece of track that passes nearby.
 */
export function projectOnto(line: ReferenceLine, path: LapPath, shift: PlanePoint): Projection {
  const column = () => new Float64Array(path.length);
  const [meters, timesMs, asideMeters, speeds] = [column(), column(), column(), column()];
  const follower = new LineFollower(line, line.startMeters - path.metersBeforeStart);
  const search = newSearch();
  let length = 0;
  for (let index = 0; index < path.length; index += 1) {
    takePosition(search, path, index, shift);
    if (!follower.follow(search, index > 0 ? stepBefore(path, index) : 0)) continue;
    meters[length] = search.meters;
    timesMs[length] = at(path.timesMs, index);
    asideMeters[length] = search.aside;
    speeds[length] = at(path.speedsMetersPerSecond, index);
    length += 1;
  }
  return {
    length,
    meters: meters.subarray(0, length),
    timesMs: timesMs.subarray(0, length),
    asideMeters: asideMeters.subarray(0, length),
    speedsMetersPerSecond: speeds.subarray(0, length),
    foundShare: length / path.length,
  };
}

/** Follows a car along a line, position by position. */
export class LineFollower {
  readonly #line: ReferenceLine;
  #here: number;
  #behind = FIRST_SEARCH_METERS;
  #ahead = FIRST_SEARCH_METERS;
  #driven = 0;
  #hasFound = false;

  /** The car is first looked for around `startMeters` of the line. */
  constructor(line: ReferenceLine, startMeters: number) {
    this.#line = line;
    this.#here = startMeters;
  }

  /** Metres that the car has driven since it was last found on the line. */
  get drivenMeters(): number {
    return this.#driven;
  }

  /** Takes the next position, so many metres after the one before; false where the car was not found farther along the line than before. */
  follow(search: Search, stepMeters: number): boolean {
    this.#driven += stepMeters;
    const [here, driven] = [this.#here, this.#driven];
    const to = here + this.#ahead + AHEAD_FACTOR * driven;
    const window = { from: here - this.#behind, to, predicted: here + driven, driven };
    const isFound = findFoot(this.#line, search, window);
    if (!isFound || (this.#hasFound && search.meters < here + RISE_MIN_METERS)) return false;
    this.#here = search.meters;
    [this.#behind, this.#ahead, this.#driven] = [BEHIND_METERS, AHEAD_METERS, 0];
    this.#hasFound = true;
    return true;
  }
}

function stepBefore({ xs, ys }: LapPath, index: number): number {
  const [x, y] = [at(xs, index) - at(xs, index - 1), at(ys, index) - at(ys, index - 1)];
  return Math.sqrt(x * x + y * y);
}

/** Describes a position, the direction of driving there, and where its foot on the line was found. One object serves a whole lap. */
export type Search = {
  x: number;
  y: number;
  directionX: number;
  directionY: number;
  meters: number;
  aside: number;
  /** One that may not be the best. */
  footMeters: number;
  footAside: number;
};

export function newSearch(): Search {
  const unknown = Number.NaN;
  return {
    x: unknown,
    y: unknown,
    directionX: unknown,
    directionY: unknown,
    meters: unknown,
    aside: unknown,
    footMeters: unknown,
    footAside: unknown,
  };
}

/** The direction is that from the position before to the one after. */
function takePosition(search: Search, { xs, ys, length }: LapPath, index: number, shift: PlanePoint): void {
  const [before, after] = [Math.max(0, index - 1), Math.min(length - 1, index + 1)];
  const [x, y] = [at(xs, after) - at(xs, before), at(ys, after) - at(ys, before)];
  const meters = Math.sqrt(x * x + y * y);
  search.x = at(xs, index) + shift.x;
  search.y = at(ys, index) + shift.y;
  search.directionX = meters > 0 ? x / meters : 0;
  search.directionY = meters > 0 ? y / meters : 0;
}

type Window = { from: number; to: number; predicted: number; driven: number };

/**
 * Finds the foot of the perpendicular from a position to the line, within the window. Of several, the one with the least distance, counting also
 * how far it is from where the car is expected. False where there is none.
 */
function findFoot(line: ReferenceLine, search: Search, window: Window): boolean {
  const { stepMeters } = line;
  const tolerance = PREDICTION_METERS + PREDICTION_SHARE * window.driven;
  const first = Math.max(0, Math.floor(window.from / stepMeters));
  const last = Math.min(line.length - 1, Math.ceil(window.to / stepMeters));
  let least = Number.POSITIVE_INFINITY;
  let after = metersPast(line, search, first);
  for (let index = first; index < last; index += STRIDE) {
    const before = after;
    after = metersPast(line, search, Math.min(last, index + STRIDE));
    // The position lies past this point of the line and not past the next: its perpendicular meets the line in between.
    if (before < 0 || after >= 0) continue;
    takeFoot(line, search, index);
    if (Math.abs(search.footAside) > ASIDE_MAX_METERS || !isAlong(line, search, index)) continue;
    const ahead = search.footMeters - window.predicted;
    const score = (search.footAside / TYPICAL_ASIDE_METERS) ** 2 + (ahead / tolerance) ** 2;
    if (score >= least) continue;
    least = score;
    search.meters = search.footMeters;
    search.aside = search.footAside;
  }
  return least < Number.POSITIVE_INFINITY;
}

/**
 * Points of the line are looked at in groups of this size: a position does not pass over the line's perpendicular and
 * back within so little.
 */
const STRIDE = 3;

/** Returns the foot on the line between the point `from`, which the position is past, and the next one that it is not past. */
function takeFoot(line: ReferenceLine, search: Search, from: number): void {
  let index = from;
  let [before, after] = [metersPast(line, search, index), metersPast(line, search, index + 1)];
  while (after >= 0) {
    index += 1;
    [before, after] = [after, metersPast(line, search, index + 1)];
  }
  const { xs, ys, directionXs, directionYs } = line;
  const share = before / (before - after);
  const offX = search.x - at(xs, index) - share * (at(xs, index + 1) - at(xs, index));
  const offY = search.y - at(ys, index) - share * (at(ys, index + 1) - at(ys, index));
  search.footMeters = (index + share) * line.stepMeters;
  search.footAside = offX * at(directionYs, index) - offY * at(directionXs, index);
}

/** Returns how far a position is past a point of the line, in the direction of the line there. */
function metersPast(
  { xs, ys, directionXs, directionYs }: ReferenceLine,
  { x, y }: Search,
  index: number,
): number {
  return (x - at(xs, index)) * at(directionXs, index) + (y - at(ys, index)) * at(directionYs, index);
}

function isAlong(line: ReferenceLine, { directionX, directionY }: Search, index: number): boolean {
  const cosine = directionX * at(line.directionXs, index) + directionY * at(line.directionYs, index);
  return cosine >= DIRECTION_COSINE_MIN || (directionX === 0 && directionY === 0);
}

/** A lap of which a smaller share lies on the line was driven on another track. */
const FOUND_SHARE_MIN = 0.5;

/** Returns whether a lap was driven along the line, from wherever to wherever. */
export function isOnLine({ foundShare, length }: Projection): boolean {
  return foundShare >= FOUND_SHARE_MIN && length >= 2;
}

/**
 * A lap that is first or last found farther from an end of the line, or than this share of a short one, has not been there: an out lap
 * comes from the pits, and an in lap leads into them. Laps that rank begin and end within a metre of the line or beyond it, on all
 * recordings that we have; a position or two may be missing or stray there.
 */
const END_MAX_METERS = 100;
const END_SHARE_MAX = 0.05;

/** Returns whether a lap on the line was driven all along it. */
export function reachesBothEnds({ startMeters, endMeters }: ReferenceLine, projection: Projection): boolean {
  const { meters, length } = projection;
  const most = Math.min(END_MAX_METERS, END_SHARE_MAX * (endMeters - startMeters));
  return at(meters, 0) <= startMeters + most && at(meters, length - 1) >= endMeters - most;
}

/** Returns how far along the reference line a lap was at a moment. */
export function metersAt({ meters, timesMs, length }: Projection, timeMs: number): number {
  const after = upperBound(timesMs, timeMs, 1, Math.max(1, length - 1));
  const before = after - 1;
  const share = (timeMs - at(timesMs, before)) / (at(timesMs, after) - at(timesMs, before));
  return at(meters, before) + share * (at(meters, after) - at(meters, before));
}
