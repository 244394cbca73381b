import { lowerBound } from '../binary-search.ts';
import { BIN_METERS, type CenterLine } from '../center-line.ts';
import { at } from '../fix-columns.ts';
import { lonDifference, METERS_PER_DEGREE, planeX, planeY, toPosition, type PlanePoint } from '../geo.ts';
import { median } from '../statistics.ts';
import type { LineFrame } from '../timing-line.ts';
import { cumulativeDistances } from '../trace/cumulative-distance.ts';
import type { Trace } from '../trace/trace.ts';
import type { Crossing } from './crossings.ts';

// A line that is too long reaches another part of the track, such as a parallel straight. Its crossings there are no laps.

/** Describes where an outline crosses a line: how far to the right of its middle, in which direction, and at which of its bins. */
export type OutlineCrossing = { lateralMeters: number; isForward: boolean; bin: number };

/** Outlines are drawn with errors; corners of one and the same part are not several parts. */
const SAME_PART_METERS = 50;

/** Every part of a closed outline that crosses a line, in driving order from its beginning. */
export function findOutlineCrossings(centerLine: CenterLine, frame: LineFrame): OutlineCrossing[] {
  const { xs, ys } = centerLine;
  const points = Array.from(xs, (x, bin) => onLine(centerLine, frame, { x, y: at(ys, bin) }));
  const crossings = points.flatMap((to, bin): OutlineCrossing[] => {
    const from = points.at(bin - 1) ?? to;
    if (from.forward >= 0 === to.forward >= 0) return [];
    const share = from.forward / (from.forward - to.forward);
    const lateralMeters = from.lateral + share * (to.lateral - from.lateral);
    if (Math.abs(lateralMeters) > frame.halfWidthMeters) return [];
    return [{ lateralMeters, isForward: to.forward >= 0, bin }];
  });
  return crossings.filter((crossing, index) => {
    const before = crossings.at(index - 1);
    return (
      index === 0 ||
      before === undefined ||
      binsBetween(centerLine, before, crossing) > SAME_PART_METERS / BIN_METERS
    );
  });
}

function onLine(
  { plane }: CenterLine,
  frame: LineFrame,
  point: PlanePoint,
): { forward: number; lateral: number } {
  const { lat, lon } = toPosition(plane, point);
  const [x, y] = [planeX(frame.plane, lon), planeY(frame.plane, lat)];
  return {
    forward: x * frame.forward.x + y * frame.forward.y,
    lateral: x * frame.right.x + y * frame.right.y,
  };
}

function binsBetween({ xs }: CenterLine, a: { bin: number }, b: { bin: number }): number {
  const bins = Math.abs(a.bin - b.bin);
  return Math.min(bins, xs.length - bins);
}

/** Leaves out the crossings where the outline says that the line reaches another part of the track than the one where laps begin. */
export function keepPartOfOutline(
  crossings: readonly Crossing[],
  centerLine: CenterLine,
  frame: LineFrame,
): readonly Crossing[] {
  const parts = findOutlineCrossings(centerLine, frame);
  const [start] = parts.toSorted(
    (a, b) => binsBetween(centerLine, a, { bin: 0 }) - binsBetween(centerLine, b, { bin: 0 }),
  );
  if (start === undefined || parts.length < 2 || crossings.length === 0) return crossings;
  const assign = (isReversed: boolean): { crossing: Crossing; part: OutlineCrossing; cost: number }[] =>
    crossings.map((crossing) => {
      const costs = parts.map((part) => ({ part, cost: mismatchMeters(crossing, part, isReversed) }));
      return { crossing, ...costs.reduce((best, other) => (other.cost < best.cost ? other : best)) };
    });
  const [along, against] = [assign(false), assign(true)];
  const sum = (assigned: typeof along): number => assigned.reduce((total, { cost }) => total + cost, 0);
  const better = sum(along) <= sum(against) ? along : against;
  return better.filter(({ part }) => part === start).map(({ crossing }) => crossing);
}

/** A crossing the other way round than the outline's is another part, unless that is far away. */
const OTHER_DIRECTION_METERS = 30;

function mismatchMeters(crossing: Crossing, part: OutlineCrossing, isReversed: boolean): number {
  const isSameDirection = crossing.isForward === (part.isForward !== isReversed);
  return (
    Math.abs(crossing.lateralMeters - part.lateralMeters) + (isSameDirection ? 0 : OTHER_DIRECTION_METERS)
  );
}

/**
 * Returns whether the crossings in the line's forward direction are those of the part that the line was drawn for: the
 * part nearest to its middle. Null where the directions do not alternate lap after lap, so that the line does not seem
 * to reach two parts.
 */
export function isMiddlePartForward(crossings: readonly Crossing[]): boolean | null {
  const offsets = (isForward: boolean): number[] =>
    crossings
      .filter((crossing) => crossing.isForward === isForward)
      .map(({ lateralMeters }) => Math.abs(lateralMeters));
  const [forward, backward] = [offsets(true), offsets(false)];
  if (Math.min(forward.length, backward.length) < ALTERNATIONS_MIN) return null;
  const changes = crossings.filter(({ isForward }, index) => isForward !== crossings[index + 1]?.isForward);
  if (changes.length < ALTERNATING_SHARE_MIN * crossings.length) return null;
  const difference = (median(backward) ?? 0) - (median(forward) ?? 0);
  return Math.abs(difference) < DIFFERENCE_MIN_METERS ? null : difference > 0;
}

const ALTERNATIONS_MIN = 2;
const ALTERNATING_SHARE_MIN = 0.8;
/** Driving lines differ by as much from lap to lap. */
const DIFFERENCE_MIN_METERS = 3;

/**
 * Leaves out the crossings against the direction of the laps at places where other laps pass in the same direction, at
 * the same share of their length: these lie on another part of the track. A car that turned round goes against the
 * other laps there.
 */
export function dropOtherParts(
  trace: Trace,
  crossings: readonly Crossing[],
  isForward: boolean,
): readonly Crossing[] {
  const starts = crossings.filter((crossing) => crossing.isForward === isForward);
  if (starts.length === crossings.length || starts.length < LAPS_MIN + 1) return crossings;
  const meters = cumulativeDistances(trace);
  const laps = starts.slice(1).map((end, index) => ({
    first: starts[index]?.fixIndex ?? 0,
    last: end.fixIndex,
  }));
  const others = new Set<Crossing>();
  let lap = 0;
  for (const crossing of crossings) {
    if (crossing.isForward === isForward) continue;
    while (lap + 1 < laps.length && crossing.fixIndex >= (laps[lap]?.last ?? 0)) lap += 1;
    const isUsual = nearLaps(laps, lap, crossing.fixIndex).some((other) =>
      passesThere({ trace, meters }, crossing, other),
    );
    if (isUsual) others.add(crossing);
  }
  const known = [...others].slice(0, LOOKED_AT_MAX);
  const isNearOther = ({ fixIndex }: Crossing): boolean =>
    known.some((other) => isSamePlace(trace, fixIndex, other.fixIndex));
  return crossings.filter(
    (crossing) => crossing.isForward === isForward || !(others.has(crossing) || isNearOther(crossing)),
  );
}

const LAPS_MIN = 2;
/** Bounds the work for files that cross a line all the time. */
const LOOKED_AT_MAX = 6;

type Lap = { first: number; last: number };

/** Returns some laps before and after the one with this number; none where the fix lies in no lap. */
function nearLaps(laps: readonly Lap[], lap: number, fixIndex: number): { own: Lap; other: Lap }[] {
  const own = laps[lap];
  if (own === undefined || fixIndex < own.first || fixIndex >= own.last) return [];
  const from = Math.max(0, lap - LOOKED_AT_MAX / 2);
  return laps
    .slice(from, from + LOOKED_AT_MAX + 1)
    .filter((other) => other !== own)
    .map((other) => ({ own, other }));
}

/** Laps differ in their length by so much. */
const SHARE_TOLERANCE = 0.03;

/** Returns whether another lap passes the place of a crossing in the same direction, at about the same share of its length. */
function passesThere(
  { trace, meters }: { trace: Trace; meters: Float64Array },
  crossing: Crossing,
  { own, other }: { own: Lap; other: Lap },
): boolean {
  const ownMeters = at(meters, own.last) - at(meters, own.first);
  const otherMeters = at(meters, other.last) - at(meters, other.first);
  const share = (at(meters, crossing.fixIndex) - at(meters, own.first)) / ownMeters;
  const from = at(meters, other.first) + (share - SHARE_TOLERANCE) * otherMeters;
  const to = at(meters, other.first) + (share + SHARE_TOLERANCE) * otherMeters;
  for (let fix = lowerBound(meters, from); fix < other.last && at(meters, fix) <= to; fix += 1) {
    if (isSamePlace(trace, crossing.fixIndex, fix)) return true;
  }
  return false;
}

/** Most tracks are this wide. */
const PLACE_METERS = 10;
/** The cosine of the angle between two paths along the same road is at least this. */
const SAME_WAY_MIN = 0.7;

/** Returns whether the steps from two fixes lead along the same place in the same direction. */
function isSamePlace({ fixes }: Trace, a: number, b: number): boolean {
  const [stepA, stepB] = [stepFrom(fixes, a), stepFrom(fixes, b)];
  const lengths = Math.hypot(stepA.x, stepA.y) * Math.hypot(stepB.x, stepB.y);
  if (!(stepA.x * stepB.x + stepA.y * stepB.y > SAME_WAY_MIN * lengths)) return false;
  const between = vectorBetween(fixes, a, b);
  const reach = Math.hypot(stepB.x, stepB.y);
  const aside =
    reach > 0 ? Math.abs(between.x * stepB.y - between.y * stepB.x) / reach : Number.POSITIVE_INFINITY;
  return aside <= PLACE_METERS && Math.hypot(between.x, between.y) <= PLACE_METERS + reach;
}

function stepFrom(fixes: Trace['fixes'], index: number): PlanePoint {
  return vectorBetween(fixes, index, Math.min(index + 1, fixes.length - 1));
}

/** Returns the vector from one fix to another in metres, good enough for short distances. */
function vectorBetween({ lats, lons }: Trace['fixes'], from: number, to: number): PlanePoint {
  return {
    x:
      lonDifference(at(lons, from), at(lons, to)) *
      METERS_PER_DEGREE *
      Math.cos((at(lats, from) * Math.PI) / 180),
    y: (at(lats, to) - at(lats, from)) * METERS_PER_DEGREE,
  };
}
