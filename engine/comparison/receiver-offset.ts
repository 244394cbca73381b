import { at } from '../fix-columns.ts';
import type { PlanePoint } from '../geo.ts';
import { MAD_PER_DEVIATION, median } from '../statistics.ts';
import { thinOut, type LapPath } from './lap-path.ts';
import { projectOnto, type Projection } from './projection.ts';
import { directionAt, type ReferenceLine } from './reference-line.ts';

/** Describes what must be added to the positions of a lap so that it lies as near to another as one shift can bring it. */
export type ReceiverOffset = {
  /** Metres to the east and to the north. */
  shift: PlanePoint;
  /** Variances and covariance of the shift, in square metres. */
  covariance: { xx: number; xy: number; yy: number };
};

/** Two lines through a corner differ for about so long before they differ otherwise: one observation of the offset each. */
const LINE_CHOICE_METERS = 80;
/** The positions of two receivers without corrections differ by about this much; it decides only along a track that never turns. */
const EXPECTED_METERS = 4;
/** A driver keeps this far to one side of another one all round; it decides only along a track that never turns. */
const EXPECTED_SIDE_METERS = 1;
/** Lines that two drivers choose differ by at least this much. */
const LINE_CHOICE_MIN_METERS = 0.1;
/** Differences larger than this many standard deviations count less and less (Huber's weights). */
const HUBER_DEVIATIONS = 1.345;
const PROJECTIONS_MAX = 8;
const ROUNDS_MAX = 50;
const SETTLED_METERS = 0.001;
/** Distances to the line are compared once every so many metres. */
const STEP_METERS = 4;

/**
 * Estimates the constant offset between the receivers of two laps: the shift that brings the positions of one nearest to the other, measured across the
 * reference line, by robust least squares. Lines chosen otherwise in some corners count little. `other` is null where the lap is compared with
 * the reference line itself.
 */
export function estimateOffset(
  line: ReferenceLine,
  path: LapPath,
  other: Projection | null,
): ReceiverOffset & { projection: Projection } {
  const thinned = thinOut(path, STEP_METERS);
  const fitAfter = (moved: PlanePoint, sideMeters: number) =>
    fitShift(lateralDistances(line, projectOnto(line, thinned, moved), other), sideMeters);
  let shift: PlanePoint = { x: 0, y: 0 };
  let fit = fitAfter(shift, 0);
  for (let round = 0; round < PROJECTIONS_MAX && !isSettled(fit.shift); round += 1) {
    shift = { x: shift.x + fit.shift.x, y: shift.y + fit.shift.y };
    fit = fitAfter(shift, fit.sideMeters);
  }
  return { shift, covariance: fit.covariance, projection: projectOnto(line, path, shift) };
}

function isSettled(step: PlanePoint): boolean {
  return Math.hypot(step.x, step.y) < SETTLED_METERS;
}

/**
 * Describes how far to the right of the other lap a lap is, and the unit vector to the right of the line there, at
 * every few metres that both have driven.
 */
type LateralDistances = {
  length: number;
  asideMeters: Float64Array;
  rightXs: Float64Array;
  rightYs: Float64Array;
};

function lateralDistances(line: ReferenceLine, lap: Projection, other: Projection | null): LateralDistances {
  const first = Math.max(at(lap.meters, 0), other === null ? 0 : at(other.meters, 0));
  const last = Math.min(lastMeters(lap), other === null ? Number.POSITIVE_INFINITY : lastMeters(other));
  const length = Math.max(0, Math.floor((last - first) / STEP_METERS));
  const column = () => new Float64Array(length);
  const distances = { length, asideMeters: column(), rightXs: column(), rightYs: column() };
  let [index, otherIndex] = [0, 0];
  for (let entry = 0; entry < length; entry += 1) {
    const meters = first + entry * STEP_METERS;
    while (index + 2 < lap.length && at(lap.meters, index + 1) < meters) index += 1;
    let aside = asideAt(lap, index, meters);
    if (other !== null) {
      while (otherIndex + 2 < other.length && at(other.meters, otherIndex + 1) < meters) otherIndex += 1;
      aside -= asideAt(other, otherIndex, meters);
    }
    const direction = directionAt(line, meters);
    distances.asideMeters[entry] = aside;
    distances.rightXs[entry] = direction.y;
    distances.rightYs[entry] = -direction.x;
  }
  return distances;
}

function lastMeters({ meters, length }: Projection): number {
  return at(meters, length - 1);
}

function asideAt({ meters, asideMeters }: Projection, index: number, place: number): number {
  const share = (place - at(meters, index)) / (at(meters, index + 1) - at(meters, index));
  return at(asideMeters, index) + share * (at(asideMeters, index + 1) - at(asideMeters, index));
}

/**
 * Fits the shift that is still missing, and its covariance. A driver who keeps to one side all round is no offset: the
 * mean distance to that side is fitted beside the shift, since weights that differ along the lap would mix the two.
 */
function fitShift(
  distances: LateralDistances,
  startSideMeters: number,
): ReceiverOffset & { sideMeters: number } {
  const spread = lineChoiceSpread(distances.asideMeters);
  const moved = { x: 0, y: 0, side: startSideMeters };
  let sums = weightedSums(distances, spread, moved);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { xx, xy, yy } = sums;
    // Along a track that never turns, the shift along it cannot be seen: then it is as small as possible.
    const ridge = (1e-4 * (xx + yy)) / 2 + 1e-9;
    const determinant = (xx + ridge) * (yy + ridge) - xy * xy;
    const x = (sums.x * (yy + ridge) - sums.y * xy) / determinant;
    const y = (sums.y * (xx + ridge) - sums.x * xy) / determinant;
    const side = sums.side + sums.sidePerX * x + sums.sidePerY * y;
    moved.x += x;
    moved.y += y;
    moved.side += side;
    sums = weightedSums(distances, spread, moved);
    if (Math.hypot(x, y, side) < SETTLED_METERS / 5) break;
  }
  const { x, y, side } = moved;
  return { shift: { x, y }, covariance: estimateCovariance(sums, spread), sideMeters: side };
}

/** Returns the standard deviation of the distances between two laps, as far as they are not exceptions. */
function lineChoiceSpread(asideMeters: Float64Array): number {
  const middle = median(asideMeters) ?? 0;
  const deviations = asideMeters.map((aside) => Math.abs(aside - middle));
  return Math.max(LINE_CHOICE_MIN_METERS, (median(deviations) ?? 0) / MAD_PER_DEVIATION);
}

/**
 * Holds the normal equations of the shift, after the distance to one side was eliminated from them: its own step is
 * `side` and so much more for every metre of the shift.
 */
type Sums = {
  xx: number;
  xy: number;
  yy: number;
  x: number;
  y: number;
  side: number;
  sidePerX: number;
  sidePerY: number;
};

function weightedSums(
  { length, asideMeters, rightXs, rightYs }: LateralDistances,
  spread: number,
  moved: { x: number; y: number; side: number },
): Sums {
  const limit = HUBER_DEVIATIONS * spread;
  let [xx, xy, yy, x, y] = [0, 0, 0, 0, 0];
  let [weights, sumX, sumY, sumRest] = [0, 0, 0, 0];
  for (let entry = 0; entry < length; entry += 1) {
    const rightX = at(rightXs, entry);
    const rightY = at(rightYs, entry);
    const rest = at(asideMeters, entry) + moved.x * rightX + moved.y * rightY - moved.side;
    const weight = Math.min(STEP_METERS, (STEP_METERS * limit) / Math.abs(rest));
    const weightX = weight * rightX;
    const weightY = weight * rightY;
    xx += weightX * rightX;
    xy += weightX * rightY;
    yy += weightY * rightY;
    x -= weightX * rest;
    y -= weightY * rest;
    weights += weight;
    sumX += weightX;
    sumY += weightY;
    sumRest += weight * rest;
  }
  const prior = (LINE_CHOICE_METERS * spread ** 2) / EXPECTED_SIDE_METERS ** 2;
  const [sidePerX, sidePerY] = [sumX / (weights + prior), sumY / (weights + prior)];
  const side = (sumRest - prior * moved.side) / (weights + prior);
  return {
    xx: xx - sumX * sidePerX,
    xy: xy - sumX * sidePerY,
    yy: yy - sumY * sidePerY,
    x: x + sumX * side,
    y: y + sumY * side,
    side,
    sidePerX,
    sidePerY,
  };
}

/** Returns one observation for every stretch of line choice, and what is expected before any. */
function estimateCovariance({ xx, xy, yy }: Sums, spread: number): ReceiverOffset['covariance'] {
  const perObservation = 1 / (LINE_CHOICE_METERS * spread ** 2);
  const prior = 1 / EXPECTED_METERS ** 2;
  const [pxx, pxy, pyy] = [xx * perObservation + prior, xy * perObservation, yy * perObservation + prior];
  const determinant = pxx * pyy - pxy * pxy;
  return { xx: pyy / determinant, xy: -pxy / determinant, yy: pxx / determinant };
}
