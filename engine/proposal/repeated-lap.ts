import { upperBound } from '../binary-search.ts';
import { at } from '../fix-columns.ts';
import {
  cellsAround,
  buildPathGrid,
  isSameDirection,
  pointDistance,
  type DrivenPath,
} from './driven-path.ts';

/** Describes what repeats in a drive: a lap of so many points, driven again so many times, and one clean example of it. */
export type RepeatedLap = {
  /** Number of points of the path in one lap. */
  points: number;
  /** Number of times that a lap was driven again; 1 for two laps. */
  repeats: number;
  /** The first point of a lap that is like the one before it all the way; it ends `points` later. */
  firstPoint: number;
};

/** Two passes of one track are nearer to each other than this, and so are receivers of phones. */
const SAME_PATH_METERS = 20;
/** No circuit is shorter. */
const LAP_MIN_METERS = 200;
/** Two laps may differ by a driving line and a receiver. */
const LAP_TOLERANCE = 0.03;
const LAP_TOLERANCE_METERS = 15;
/** A lap must be like the one before over the first share; at least the second share must have been driven again. */
const REPEATED_SHARE_MIN = 0.85;
const REPEATS_MIN = 0.85;

/** Finds the lap that most of a drive is made of; null where nothing repeats. */
export function findRepeatedLap(path: DrivenPath): RepeatedLap | null {
  const lags = findLags(path);
  const points = usualLag(lags, path.spacingMeters);
  if (points === null) return null;
  const tolerance = lagTolerance(points, path.spacingMeters);
  const isLikeBefore = Uint8Array.from(lags, (lag) => (Math.abs(lag - points) <= tolerance ? 1 : 0));
  const repeats = isLikeBefore.reduce((sum, is) => sum + is, 0) / points;
  if (repeats < REPEATS_MIN) return null;
  const firstPoint = cleanestLap(path, isLikeBefore, points);
  return firstPoint === null ? null : { points, repeats, firstPoint };
}

function lagTolerance(points: number, spacingMeters: number): number {
  return Math.max(LAP_TOLERANCE * points, LAP_TOLERANCE_METERS / spacingMeters);
}

/** Finds for every point how many points ago the car was there the last time, in the same direction; 0 where it never was. */
function findLags(path: DrivenPath): Int32Array {
  const grid = buildPathGrid(path, SAME_PATH_METERS);
  const leastLag = Math.ceil(LAP_MIN_METERS / path.spacingMeters);
  const lags = new Int32Array(path.length);
  for (let point = leastLag; point < path.length; point += 1) {
    let latest = -1;
    for (const cell of cellsAround(grid, at(path.xs, point), at(path.ys, point))) {
      latest = Math.max(latest, latestPass(path, cell, point, point - leastLag));
    }
    if (latest >= 0) lags[point] = point - nearestAround(path, point, latest);
  }
  return lags;
}

/** Returns the last point of a cell up to `until` that lies on the path of `point`; -1 where none does. */
function latestPass(path: DrivenPath, cell: readonly number[], point: number, until: number): number {
  const end = upperBound(cell, until);
  for (let index = end - 1; index >= Math.max(0, end - LOOKS_MAX); index -= 1) {
    const earlier = cell[index] ?? 0;
    if (isSameDirection(path, point, earlier) && pointDistance(path, point, earlier) <= SAME_PATH_METERS)
      return earlier;
  }
  return -1;
}

/** Other paths may cross a cell again and again; older passes are not looked for. */
const LOOKS_MAX = 200;

/** Returns the nearest of the points just before the latest one of a pass: the car comes near, passes by and leaves. */
function nearestAround(path: DrivenPath, point: number, latest: number): number {
  let [nearest, least] = [latest, pointDistance(path, point, latest)];
  const reach = Math.ceil((2 * SAME_PATH_METERS) / path.spacingMeters);
  for (let earlier = latest - 1; earlier >= Math.max(0, latest - reach); earlier -= 1) {
    const distance = pointDistance(path, point, earlier);
    if (distance >= least) continue;
    [nearest, least] = [earlier, distance];
  }
  return nearest;
}

/** The lag that most points have, give or take a tolerance; null where no point has one. */
function usualLag(lags: Int32Array, spacingMeters: number): number | null {
  const sorted = lags.filter((lag) => lag > 0).toSorted();
  let [from, best, bestCount] = [0, 0, 0];
  for (let to = 0; to < sorted.length; to += 1) {
    const lag = sorted[to] ?? 0;
    while (lag - (sorted[from] ?? 0) > lagTolerance(lag, spacingMeters)) from += 1;
    if (to - from + 1 <= bestCount) continue;
    [best, bestCount] = [sorted[(from + to) >> 1] ?? 0, to - from + 1];
  }
  return best > 0 ? best : null;
}

/** Returns the first point of the quickest lap that is nearly all like the one before, without a break; or null. */
function cleanestLap(path: DrivenPath, isLikeBefore: Uint8Array, points: number): number | null {
  const liked = new Int32Array(path.length + 1);
  isLikeBefore.forEach((is, point) => (liked[point + 1] = (liked[point] ?? 0) + is));
  const breaks = path.partStarts.slice(1);
  let [best, bestShare, bestMs] = [-1, 0, Number.POSITIVE_INFINITY];
  for (let first = 0; first + points < path.length; first += 1) {
    if (breaks.some((start) => start > first && start <= first + points)) continue;
    // The steps are coarse, so that a quick lap wins over one that is a point more alike.
    const share = Math.floor((20 * ((liked[first + points] ?? 0) - (liked[first] ?? 0))) / points);
    const durationMs = at(path.timesMs, first + points) - at(path.timesMs, first);
    if (share < bestShare || (share === bestShare && durationMs >= bestMs)) continue;
    [best, bestShare, bestMs] = [first, share, durationMs];
  }
  return bestShare >= 20 * REPEATED_SHARE_MIN ? best : null;
}
