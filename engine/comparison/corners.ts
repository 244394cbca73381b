import { at } from '../fix-columns.ts';
import { directionAt, pointAt, type ReferenceLine } from './reference-line.ts';

/** Describes a corner of a track. All metres count along the reference line from the start/finish line. */
export type Corner = {
  /** 1 for the first corner after the start/finish line. */
  number: number;
  direction: 'left' | 'right';
  /** Distance at which the line begins to turn, at which it turns most, and at which it is straight again. */
  startMeters: number;
  apexMeters: number;
  endMeters: number;
};

/*
 * The limits below are those with which the outlines of 46 circuits come nearest to the numbers of corners that are commonly given for them. Nothing can
 * come very near: some circuits number every kink, others none, and some have numbers for corners that are long gone.
 */

/** A line that turns less than this is a straight: a radius of 250 m. */
const CURVATURE_MIN = 1 / 250;
/** A bend that turns by less is no corner. */
const TURN_MIN_DEGREES = 15;
/** A bend that opens up this far between two apexes is two corners, if each of them turns by so much. */
const SPLIT_SHARE = 0.25;
const SPLIT_TURN_MIN_DEGREES = 30;
/** Two bends in the same direction with less between them are one. */
const JOIN_MAX_METERS = 60;
/** Curvature is a mean over about this length before and after: enough to hide the noise of positions and lines that wander. */
const SMOOTHING_METERS = 16;
/** The two lengths above are smaller on short tracks: in proportion to a lap of this length, down to such a share. */
const FULL_SCALE_METERS = 3000;
const SCALE_MIN = 0.4;
/** A line whose ends are nearer to each other leads around. */
const CLOSED_MAX_METERS = 50;

/** Finds the corners of a reference line by its curvature, in driving order. */
export function findCorners(line: ReferenceLine): Corner[] {
  const length = line.endMeters - line.startMeters;
  const scale = Math.max(SCALE_MIN, Math.min(1, length / FULL_SCALE_METERS));
  const curvatures = smoothedCurvatures(line, Math.round(scale * SMOOTHING_METERS));
  const first = isClosed(line) ? straightestMeter(curvatures) : 0;
  const turned = Float64Array.from(curvatures, (_, index) =>
    at(curvatures, (index + first) % curvatures.length),
  );
  return splitBends(turned, joinBends(findBends(turned), scale * JOIN_MAX_METERS))
    .filter((bend) => turnDegrees(turned, bend) >= TURN_MIN_DEGREES)
    .map((bend) => toCorner(turned, bend, first, curvatures.length))
    .toSorted((a, b) => a.apexMeters - b.apexMeters)
    .map((corner, index) => ({ number: index + 1, ...corner }));
}

type Bend = { from: number; to: number; sign: number };

function isClosed(line: ReferenceLine): boolean {
  const [start, end] = [pointAt(line, line.startMeters), pointAt(line, line.endMeters)];
  return Math.hypot(end.x - start.x, end.y - start.y) < CLOSED_MAX_METERS;
}

/**
 * Returns the curvature at every metre of the lap, in 1/m: positive where the line turns right. A weighted mean over so
 * many metres before and after.
 */
function smoothedCurvatures(line: ReferenceLine, reach: number): Float64Array {
  const count = Math.max(1, Math.floor(line.endMeters - line.startMeters));
  const raw = new Float64Array(count + 2 * reach);
  for (let index = 0; index < raw.length; index += 1)
    raw[index] = curvatureAt(line, line.startMeters + index - reach);
  const smoothed = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    let sum = 0;
    for (let offset = -reach; offset <= reach; offset += 1)
      sum += (reach + 1 - Math.abs(offset)) * at(raw, index + reach + offset);
    smoothed[index] = sum / ((reach + 1) * (reach + 1));
  }
  return smoothed;
}

const HALF_CHORD_METERS = 2;

function curvatureAt(line: ReferenceLine, meters: number): number {
  const before = directionAt(line, meters - HALF_CHORD_METERS);
  const after = directionAt(line, meters + HALF_CHORD_METERS);
  const sine = before.y * after.x - before.x * after.y;
  const cosine = before.x * after.x + before.y * after.y;
  return Math.atan2(sine, cosine) / (2 * HALF_CHORD_METERS);
}

function straightestMeter(curvatures: Float64Array): number {
  let straightest = 0;
  curvatures.forEach((curvature, index) => {
    if (Math.abs(curvature) < Math.abs(at(curvatures, straightest))) straightest = index;
  });
  return straightest;
}

/** Finds every stretch that turns, in one direction each. */
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

function joinBends(bends: readonly Bend[], gapMaxMeters: number): Bend[] {
  const joined: Bend[] = [];
  for (const bend of bends) {
    const last = joined.at(-1);
    if (last !== undefined && last.sign === bend.sign && bend.from - last.to <= gapMaxMeters)
      last.to = bend.to;
    else joined.push({ ...bend });
  }
  return joined;
}

/** Returns two corners for every bend that opens up between two apexes. */
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

/** Returns where a bend opens up most in comparison with both of its sides; null where it does not. */
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
): Omit<Corner, 'number'> {
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
