import { at } from '../fix-columns.ts';
import { directionAt, pointAt } from './reference-line.ts';
import type { ReferenceLine } from './reference-line.ts';

/** A corner of a track. All metres count along the reference line from the start/finish line. */
export type Corner = {
  /** 1 for the first corner after the start/finish line. */
  number: number;
  direction: 'left' | 'right';
  /** Where the line begins to turn, where it turns most, and where it is straight again. */
  startMeters: number;
  apexMeters: number;
  endMeters: number;
  /**
   * What belongs to the corner: the way to it from where cars may begin to brake, and the way out of it up to where the next corner's begins. The stretches of all
   * corners follow each other without a gap, from the start/finish line to the end of the lap.
   */
  stretchStartMeters: number;
  stretchEndMeters: number;
};

/** A line that turns less than this is a straight: a radius of 300 m. */
const CURVATURE_MIN = 1 / 300;
/** A bend that turns by less is no corner. */
const TURN_MIN_DEGREES = 14;
/** Two bends in the same direction with less between them are one. */
const JOIN_MAX_METERS = 15;
/** A bend that opens up this far between two apexes is two corners, if each of them turns by so much. */
const SPLIT_SHARE = 0.5;
const SPLIT_TURN_MIN_DEGREES = 30;
/** No car brakes longer than this for a corner. */
const BRAKING_MAX_METERS = 200;
/** Curvature is a mean over about twice this length: enough to hide the noise of positions, and less than a hairpin. */
const SMOOTHING_METERS = 9;
/** A line whose ends are nearer to each other leads around. */
const CLOSED_MAX_METERS = 50;

/** Finds the corners of a reference line by its curvature, in driving order. */
export function findCorners(line: ReferenceLine): Corner[] {
  const curvatures = smoothedCurvatures(line);
  const length = line.endMeters - line.startMeters;
  const first = isClosed(line) ? straightestMeter(curvatures) : 0;
  const turned = Float64Array.from(curvatures, (_, index) =>
    at(curvatures, (index + first) % curvatures.length),
  );
  const bends = splitBends(turned, joinBends(findBends(turned)))
    .filter((bend) => turnDegrees(turned, bend) >= TURN_MIN_DEGREES)
    .map((bend) => toCorner(turned, bend, first, curvatures.length))
    .toSorted((a, b) => a.apexMeters - b.apexMeters);
  return bends.map((corner, index): Corner => {
    const [before, after] = [bends[index - 1], bends[index + 1]];
    return {
      number: index + 1,
      ...corner,
      stretchStartMeters: before === undefined ? 0 : boundary(before, corner),
      stretchEndMeters: after === undefined ? length : boundary(corner, after),
    };
  });
}

type Bend = { from: number; to: number; sign: number };
type BareCorner = Pick<Corner, 'direction' | 'startMeters' | 'apexMeters' | 'endMeters'>;

/** The end of one corner's stretch and the start of the next one's. */
function boundary(before: BareCorner, after: BareCorner): number {
  const straight = after.startMeters - before.endMeters;
  return after.startMeters - Math.min(BRAKING_MAX_METERS, straight / 2);
}

function isClosed(line: ReferenceLine): boolean {
  const [start, end] = [pointAt(line, line.startMeters), pointAt(line, line.endMeters)];
  return Math.hypot(end.x - start.x, end.y - start.y) < CLOSED_MAX_METERS;
}

/** The curvature at every metre of the lap, in 1/m: positive where the line turns right. */
function smoothedCurvatures(line: ReferenceLine): Float64Array {
  const count = Math.max(1, Math.floor(line.endMeters - line.startMeters));
  const raw = Float64Array.from({ length: count + 2 * SMOOTHING_METERS }, (_, index) => {
    const meters = line.startMeters + index - SMOOTHING_METERS;
    const [before, after] = [directionAt(line, meters - 2), directionAt(line, meters + 2)];
    const sine = before.y * after.x - before.x * after.y;
    return Math.asin(Math.max(-1, Math.min(1, sine))) / 4;
  });
  return Float64Array.from({ length: count }, (_, index) => {
    let [sum, weights] = [0, 0];
    for (let offset = -SMOOTHING_METERS; offset <= SMOOTHING_METERS; offset += 1) {
      const weight = SMOOTHING_METERS + 1 - Math.abs(offset);
      sum += weight * at(raw, index + SMOOTHING_METERS + offset);
      weights += weight;
    }
    return sum / weights;
  });
}

function straightestMeter(curvatures: Float64Array): number {
  let straightest = 0;
  curvatures.forEach((curvature, index) => {
    if (Math.abs(curvature) < Math.abs(at(curvatures, straightest))) straightest = index;
  });
  return straightest;
}

/** Every stretch that turns, in one direction each. */
function findBends(curvatures: Float64Array): Bend[] {
  const bends: Bend[] = [];
  curvatures.forEach((curvature, index) => {
    if (Math.abs(curvature) < CURVATURE_MIN) return;
    const last = bends.at(-1);
    if (last !== undefined && last.to === index - 1 && last.sign === Math.sign(curvature)) last.to = index;
    else bends.push({ from: index, to: index, sign: Math.sign(curvature) });
  });
  return bends;
}

function joinBends(bends: readonly Bend[]): Bend[] {
  const joined: Bend[] = [];
  for (const bend of bends) {
    const last = joined.at(-1);
    if (last !== undefined && last.sign === bend.sign && bend.from - last.to <= JOIN_MAX_METERS)
      last.to = bend.to;
    else joined.push({ ...bend });
  }
  return joined;
}

/** Two corners for every bend that opens up between two apexes. */
function splitBends(curvatures: Float64Array, bends: readonly Bend[]): Bend[] {
  return bends.flatMap((bend) => {
    const split = splitMeter(curvatures, bend);
    if (split === null) return [bend];
    return splitBends(curvatures, [
      { ...bend, to: split },
      { ...bend, from: split + 1 },
    ]);
  });
}

/** Where a bend opens up most in comparison with both of its sides; null where it does not. */
function splitMeter(curvatures: Float64Array, bend: Bend): number | null {
  const most = new Float64Array(bend.to - bend.from + 1);
  for (let index = bend.to, highest = 0; index >= bend.from; index -= 1) {
    highest = Math.max(highest, Math.abs(at(curvatures, index)));
    most[index - bend.from] = highest;
  }
  let [best, split, before] = [SPLIT_SHARE, -1, 0];
  for (let index = bend.from; index < bend.to; index += 1) {
    const here = Math.abs(at(curvatures, index));
    before = Math.max(before, here);
    const share = here / Math.min(before, at(most, index - bend.from));
    if (share >= best) continue;
    const parts = [
      { ...bend, to: index },
      { ...bend, from: index + 1 },
    ];
    if (parts.some((part) => turnDegrees(curvatures, part) < SPLIT_TURN_MIN_DEGREES)) continue;
    [best, split] = [share, index];
  }
  return split < 0 ? null : split;
}

function turnDegrees(curvatures: Float64Array, { from, to, sign }: Bend): number {
  let turned = 0;
  for (let index = from; index <= to; index += 1) turned += at(curvatures, index);
  return (sign * turned * 180) / Math.PI;
}

/** The apex is the middle of the turning, weighted so that the tightest part counts most. */
function toCorner(
  curvatures: Float64Array,
  { from, to, sign }: Bend,
  first: number,
  length: number,
): BareCorner {
  let [sum, weights] = [0, 0];
  for (let index = from; index <= to; index += 1) {
    const weight = at(curvatures, index) ** 4;
    sum += weight * index;
    weights += weight;
  }
  const middle = sum / weights;
  const apexMeters = (middle + first) % length;
  // A corner around the start/finish line is cut off there, since laps end there.
  return {
    direction: sign > 0 ? 'right' : 'left',
    startMeters: Math.max(0, apexMeters - (middle - from)),
    apexMeters,
    endMeters: Math.min(length, apexMeters + (to - middle)),
  };
}
