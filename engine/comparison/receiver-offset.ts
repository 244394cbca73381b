import { at } from '../fix-columns.ts';
import type { PlanePoint } from '../geo.ts';
import { MAD_PER_DEVIATION, median } from '../statistics.ts';
import type { LapPath } from './lap-path.ts';
import { projectAgain, projectOnto } from './projection.ts';
import type { Projection } from './projection.ts';
import { directionAt } from './reference-line.ts';
import type { ReferenceLine } from './reference-line.ts';

/** What must be added to the positions of a lap so that it lies on the reference line as well as one shift can make it. */
export type ReceiverOffset = {
  /** Metres to the east and to the north. */
  shift: PlanePoint;
  /** How sure the shift is: variances and covariance, in square metres. */
  covariance: { xx: number; xy: number; yy: number };
};

/** Two lines through a corner differ for about so long before they differ otherwise: one look at the offset each. */
const LINE_CHOICE_METERS = 100;
/** The positions of two receivers without corrections differ by about this much; it decides only along a track that never turns. */
const EXPECTED_METERS = 4;
/** Between lines that two drivers choose, at least. */
const LINE_CHOICE_MIN_METERS = 0.1;
/** Differences larger than this many standard deviations count less and less (Huber's weights). */
const HUBER_DEVIATIONS = 1.345;
const ROUNDS_MAX = 30;
const SEARCHES_MAX = 4;
const SETTLED_METERS = 0.0005;

/**
 * Estimates the constant offset between the receivers of the reference and of a lap: the shift that brings its positions nearest to the line,
 * measured across the line, by robust least squares. Lines chosen otherwise in some corners count little.
 */
export function estimateOffset(
  line: ReferenceLine,
  path: LapPath,
  firstMeters: number,
): ReceiverOffset & { projection: Projection } {
  let shift: PlanePoint = { x: 0, y: 0 };
  let projection = projectOnto(line, path, shift, firstMeters);
  let fit = fitShift(line, projection);
  for (let search = 0; search < SEARCHES_MAX && !isSettled(fit.step); search += 1) {
    for (let round = 0; round < ROUNDS_MAX && !isSettled(fit.step); round += 1) {
      shift = { x: shift.x + fit.step.x, y: shift.y + fit.step.y };
      projection = projectAgain(line, path, shift, projection);
      fit = fitShift(line, projection);
    }
    projection = projectOnto(line, path, shift, firstMeters);
    fit = fitShift(line, projection);
  }
  return { shift, covariance: fit.covariance, projection };
}

function isSettled(step: PlanePoint): boolean {
  return Math.hypot(step.x, step.y) < SETTLED_METERS;
}

/** The shift that is still missing, and its covariance. */
function fitShift(
  line: ReferenceLine,
  projection: Projection,
): { step: PlanePoint; covariance: ReceiverOffset['covariance'] } {
  const { asideMeters, length } = projection;
  const middle = median(asideMeters) ?? 0;
  const deviations = Float64Array.from(asideMeters, (aside) => Math.abs(aside - middle));
  const spread = Math.max(LINE_CHOICE_MIN_METERS, (median(deviations) ?? 0) / MAD_PER_DEVIATION);
  let [xx, xy, yy, x, y] = [0, 0, 0, 0, 0];
  for (let index = 0; index < length; index += 1) {
    const aside = at(asideMeters, index);
    const direction = directionAt(line, at(projection.meters, index));
    const [rightX, rightY] = [direction.y, -direction.x];
    const weight = metersAround(projection, index) * huberWeight(aside / spread);
    xx += weight * rightX * rightX;
    xy += weight * rightX * rightY;
    yy += weight * rightY * rightY;
    x -= weight * aside * rightX;
    y -= weight * aside * rightY;
  }
  // One look for every stretch of line choice, and what is expected before any look.
  const perLook = 1 / (LINE_CHOICE_METERS * spread ** 2);
  const prior = 1 / EXPECTED_METERS ** 2;
  const [pxx, pxy, pyy] = [xx * perLook + prior, xy * perLook, yy * perLook + prior];
  const determinant = pxx * pyy - pxy * pxy;
  const covariance = { xx: pyy / determinant, xy: -pxy / determinant, yy: pxx / determinant };
  const ridge = (1e-4 * (xx + yy)) / 2 + 1e-9;
  const [nxx, nyy] = [xx + ridge, yy + ridge];
  const normal = nxx * nyy - xy * xy;
  return { step: { x: (x * nyy - y * xy) / normal, y: (y * nxx - x * xy) / normal }, covariance };
}

function metersAround({ meters, length }: Projection, index: number): number {
  return (at(meters, Math.min(length - 1, index + 1)) - at(meters, Math.max(0, index - 1))) / 2;
}

function huberWeight(deviations: number): number {
  return Math.abs(deviations) <= HUBER_DEVIATIONS ? 1 : HUBER_DEVIATIONS / Math.abs(deviations);
}
