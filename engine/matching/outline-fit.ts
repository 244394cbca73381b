import {
  BIN_METERS,
  CORRIDOR_METERS,
  corridorMeters,
  distanceToBin,
  nearestBin,
  NO_BIN,
  type CenterLine,
} from '../center-line.ts';
import { at, type FixColumns } from '../fix-columns.ts';
import { planeX, planeY, type PlanePoint } from '../geo.ts';
import { median } from '../statistics.ts';

export type OutlineFit = {
  /** Share of the outline that was driven and nothing else, as far as a wide corridor shows: 0 to 1. */
  coverageShare: number;
  /**
   * Mean square of the distance between the path and the outline, both ways, in m²; each distance at most that corridor's. What
   * moving the outline as a whole by some metres would mend does not count: maps and receivers are off by as much.
   */
  deviation: number;
  /** Way where the two clearly part, along either of them. */
  divergingMeters: number;
  /** False where the outline was driven against its order. */
  isInOrder: boolean;
};

/** At one fix a second a race car goes 100 m; a longer step is a gap, which is not filled in. */
const STEPS_MAX = 12;
/** A car that seems to get on faster than this has changed to another section of the track. */
const LEAP_MIN_BINS = 6;
const LEAP_MAX_BINS = 12;
/** Beyond half a road and a poor receiver's error, two paths part; beyond three times the usual, where an outline is poor. */
const DIVERGING_MIN_METERS = 12;
const DIVERGING_MEDIANS = 3;

/** Lays stretches of a trace on an outline, from one fix to another each. */
export function fitToOutline(
  fixes: Pick<FixColumns, 'lats' | 'lons'>,
  line: CenterLine,
  stretches: readonly { first: number; last: number }[],
): OutlineFit[] {
  const steps = allocateSteps(2 * Math.max(0, ...stretches.map(({ first, last }) => last - first)));
  return stretches.map(({ first, last }) => {
    const walk = newWalk(line, steps);
    follow(walk, fixes, first, last);
    return summarizeWalk(walk);
  });
}

function follow(
  walk: Walk,
  { lats, lons }: Pick<FixColumns, 'lats' | 'lons'>,
  first: number,
  last: number,
): void {
  const { plane } = walk.line;
  let [x, y] = [planeX(plane, at(lons, first)), planeY(plane, at(lats, first))];
  for (let fix = first + 1; fix <= last; fix += 1) {
    const [toX, toY] = [planeX(plane, at(lons, fix)), planeY(plane, at(lats, fix))];
    const meters = Math.sqrt((toX - x) ** 2 + (toY - y) ** 2);
    const steps = Math.min(Math.max(1, Math.round(meters / BIN_METERS)), STEPS_MAX);
    for (let step = 1; step <= steps; step += 1) {
      const share = step / steps;
      stepTo(walk, x + share * (toX - x), y + share * (toY - y), meters / steps);
    }
    [x, y] = [toX, toY];
  }
}

type Walk = {
  line: CenterLine;
  seen: Uint8Array;
  bin: number;
  netBins: number;
  leapMeters: number;
  outsideMeters: number;
  steps: StepColumns;
  shift: ShiftSums;
};

/** Holds for every step its length, its distance from the outline, its slack, and the direction of that distance, of length 1 or 0. */
type StepColumns = {
  length: number;
  meters: Float64Array;
  besideMeters: Float64Array;
  slackMeters: Float64Array;
  directionXs: Float64Array;
  directionYs: Float64Array;
};

/** Describes sums over steps, weighted by their lengths, for the shift that brings the outline closest: normal equations. */
type ShiftSums = { xx: number; xy: number; yy: number; x: number; y: number };

/** Begins a walk that records its steps in the place of others. */
function newWalk(line: CenterLine, steps: StepColumns): Walk {
  steps.length = 0;
  return {
    line,
    seen: new Uint8Array(line.xs.length),
    bin: NO_BIN,
    netBins: 0,
    leapMeters: 0,
    outsideMeters: 0,
    steps,
    shift: { xx: 0, xy: 0, yy: 0, x: 0, y: 0 },
  };
}

function allocateSteps(capacity: number): StepColumns {
  return {
    length: 0,
    meters: new Float64Array(capacity),
    besideMeters: new Float64Array(capacity),
    slackMeters: new Float64Array(capacity),
    directionXs: new Float64Array(capacity),
    directionYs: new Float64Array(capacity),
  };
}

function lengthen(steps: StepColumns): void {
  const length = 2 * steps.length + 64;
  const longer = (column: Float64Array): Float64Array => {
    const copy = new Float64Array(length);
    copy.set(column);
    return copy;
  };
  steps.meters = longer(steps.meters);
  steps.besideMeters = longer(steps.besideMeters);
  steps.slackMeters = longer(steps.slackMeters);
  steps.directionXs = longer(steps.directionXs);
  steps.directionYs = longer(steps.directionYs);
}

function stepTo(walk: Walk, x: number, y: number, meters: number): void {
  const { line, bin, seen } = walk;
  const nearest = nearestBin(line, x, y, bin);
  if (nearest === NO_BIN || distanceToBin(line, nearest, x, y) > corridorMeters(line, nearest)) {
    walk.outsideMeters += meters;
    walk.bin = NO_BIN;
    return;
  }
  recordOffset(walk, nearest, { x, y }, meters);
  const moved = bin === NO_BIN ? 0 : signedBinDistance(nearest - bin, seen.length);
  if (Math.abs(moved) > LEAP_MIN_BINS) {
    walk.leapMeters += BIN_METERS * Math.min(Math.abs(moved), LEAP_MAX_BINS);
  } else {
    walk.netBins += moved;
  }
  walk.bin = nearest;
  // Steps and bins are not aligned: a car that passes one bin has passed its neighbours.
  for (let offset = -1; offset <= 1; offset += 1) {
    seen[(nearest + offset + seen.length) % seen.length] = 1;
  }
}

function summarizeWalk(walk: Walk): OutlineFit {
  const { line, seen, netBins, leapMeters, outsideMeters, steps } = walk;
  const besideMeters = shiftedOffsets(walk);
  const partingFrom = divergenceThreshold(besideMeters);
  let [insideMeters, squares, parting] = [0, 0, 0];
  for (let step = 0; step < steps.length; step += 1) {
    const [meters, beside] = [at(steps.meters, step), at(besideMeters, step)];
    insideMeters += meters;
    squares += meters * beside ** 2;
    if (beside > partingFrom + at(steps.slackMeters, step)) parting += meters;
  }
  const unseen = seen.reduce((sum, flag) => sum + 1 - flag, 0);
  const strayMeters = outsideMeters + leapMeters + (unseen * line.lengthMeters) / seen.length;
  const wayMeters = insideMeters + outsideMeters;
  const coverage = 1 - unseen / seen.length;
  const inside = wayMeters > 0 ? insideMeters / wayMeters : 0;
  return {
    coverageShare: (coverage * inside) ** 2,
    deviation: (squares + strayMeters * CORRIDOR_METERS ** 2) / Math.max(wayMeters + strayMeters, 1),
    divergingMeters: parting + strayMeters,
    isInOrder: netBins >= 0,
  };
}

/** Returns the distance from the outline beyond which the path has left it. Sorts only where half of the steps are not well on the outline. */
function divergenceThreshold(besideMeters: Float64Array): number {
  const least = DIVERGING_MIN_METERS / DIVERGING_MEDIANS;
  let near = 0;
  for (const meters of besideMeters) if (meters <= least) near += 1;
  if (2 * near > besideMeters.length) return DIVERGING_MIN_METERS;
  return Math.max(DIVERGING_MIN_METERS, DIVERGING_MEDIANS * (median(besideMeters) ?? 0));
}

/** Records the distance and direction of a point from the outline through a bin and its neighbours. */
function recordOffset(walk: Walk, bin: number, point: PlanePoint, meters: number): void {
  const { line, shift, steps } = walk;
  const count = line.xs.length;
  const before = offsetFromSegment(line, (bin + count - 1) % count, bin, point);
  const after = offsetFromSegment(line, bin, (bin + 1) % count, point);
  const [beforeMeters, afterMeters] = [vectorLength(before), vectorLength(after)];
  const [away, beside] = beforeMeters < afterMeters ? [before, beforeMeters] : [after, afterMeters];
  const [x, y] = beside > 0 ? [away.x / beside, away.y / beside] : [0, 0];
  if (steps.length === steps.meters.length) lengthen(steps);
  steps.meters[steps.length] = meters;
  steps.besideMeters[steps.length] = beside;
  steps.slackMeters[steps.length] = at(line.slackMeters, bin);
  steps.directionXs[steps.length] = x;
  steps.directionYs[steps.length] = y;
  steps.length += 1;
  shift.xx += meters * x * x;
  shift.xy += meters * x * y;
  shift.yy += meters * y * y;
  shift.x += meters * away.x;
  shift.y += meters * away.y;
}

/** Returns the offset from the nearest point of the straight line between two bins. */
function offsetFromSegment(
  { xs, ys }: CenterLine,
  from: number,
  to: number,
  { x, y }: PlanePoint,
): PlanePoint {
  const [fromX, fromY] = [at(xs, from), at(ys, from)];
  const [alongX, alongY] = [at(xs, to) - fromX, at(ys, to) - fromY];
  const squared = alongX ** 2 + alongY ** 2;
  const share = squared > 0 ? ((x - fromX) * alongX + (y - fromY) * alongY) / squared : 0;
  const clamped = Math.min(Math.max(share, 0), 1);
  return { x: x - fromX - clamped * alongX, y: y - fromY - clamped * alongY };
}

/** Returns the distance of every step from the outline after the whole outline was moved to fit best, within a limit. */
function shiftedOffsets({ steps, shift }: Walk): Float64Array {
  const besideMeters = steps.besideMeters.subarray(0, steps.length);
  const { xx, xy, yy, x, y } = shift;
  const determinant = xx * yy - xy * xy;
  if (!(determinant > 0)) return besideMeters;
  const best = { x: (yy * x - xy * y) / determinant, y: (xx * y - xy * x) / determinant };
  const share = Math.min(1, SHIFT_MAX_METERS / Math.max(vectorLength(best), 1e-9));
  const [east, north] = [share * best.x, share * best.y];
  for (let step = 0; step < steps.length; step += 1) {
    const eastward = east * at(steps.directionXs, step);
    const northward = north * at(steps.directionYs, step);
    besideMeters[step] = Math.abs(at(besideMeters, step) - eastward - northward);
  }
  return besideMeters;
}

const SHIFT_MAX_METERS = 8;

function vectorLength({ x, y }: PlanePoint): number {
  return Math.sqrt(x * x + y * y);
}

/** Returns bins from one to another along the shorter path. */
function signedBinDistance(bins: number, count: number): number {
  return (((bins % count) + count + count / 2) % count) - count / 2;
}
