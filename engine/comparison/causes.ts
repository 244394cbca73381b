import { at } from '../fix-columns.ts';
import { DEVIATIONS_OF_95_PERCENT } from '../timing/uncertainty.ts';
import { gapAt, slowestDoubt, speedDifference, speedDoubt, type StretchView } from './stretch-view.ts';

/**
 * Describes one measured difference from the reference lap: it brakes earlier, or is slower where the stretch begins,
 * at its slowest point, on the way, or where the stretch ends. Below zero later or faster, where a lap gains time.
 */
export type Cause =
  | { kind: 'braking'; earlierMeters: number }
  | {
      kind: 'start-speed' | 'slowest-speed' | 'middle-speed' | 'end-speed';
      slowerMetersPerSecond: number;
      /** The place of that, from the start/finish line; that of this lap where each has its own slowest point. */
      atMeters: number;
    };

/** A difference that explains less than this share of the time is no cause. */
const EXPLAINED_SHARE_MIN = 0.35;

type Candidate = { cause: Cause; explainedMs: number };

/**
 * Returns the one certain difference that explains most of the time lost or gained in a stretch; null where none does.
 * A lack of speed costs time for as long as the car carries it, which is taken as its kinetic energy: two cars that
 * accelerate or brake alike keep their difference of energies, not that of their speeds.
 */
export function explainLoss(
  reference: StretchView,
  own: StretchView,
  lostMs: number,
  brakingEarlierMeters: number | null,
): Cause | null {
  const candidates =
    own.stretch.kind === 'corner' && isSlowestWithin(reference) && isSlowestWithin(own)
      ? inCorner(reference, own, brakingEarlierMeters)
      : onStraight(reference, own);
  const sign = Math.sign(lostMs);
  let best: Candidate | null = null;
  for (const candidate of candidates) {
    const explainedMs = sign * candidate.explainedMs;
    if (explainedMs < EXPLAINED_SHARE_MIN * Math.abs(lostMs)) continue;
    if (sign * amountOf(candidate.cause) <= 0) continue;
    if (best === null || explainedMs > sign * best.explainedMs) best = candidate;
  }
  return best?.cause ?? null;
}

/** Speeds that differ by less are the same to a driver. */
const ALIKE_METERS_PER_SECOND = 0.5;

/** Returns whether a lap is slower on the way than at both ends: a corner may be taken while gaining or losing speed all through. */
function isSlowestWithin(view: StretchView): boolean {
  const speeds = view.motion.lap.speedsMetersPerSecond;
  const { startStation, endStation } = view.stretch;
  const ends = Math.min(at(speeds, startStation), at(speeds, endStation));
  return slowestSpeed(view) < ends - ALIKE_METERS_PER_SECOND;
}

function amountOf(cause: Cause): number {
  return cause.kind === 'braking' ? cause.earlierMeters : cause.slowerMetersPerSecond;
}

/** A lack of energy that grows by so many times on a straight arises there. */
const GROWN_RATIO = 2;
/** A lack of energy on the way has to be this many times that at the end, to be named instead of it. */
const MIDDLE_RATIO = 1.5;

function onStraight(reference: StretchView, own: StretchView): Candidate[] {
  const { startStation, endStation } = own.stretch;
  const lackAtStart = lackOfEnergy(reference, own, startStation);
  const carriedMs = msLostBy(lackAtStart, reference, [startStation, endStation]);
  const lostMs = gapAt(reference, own, endStation) - gapAt(reference, own, startStation);
  const sign = Math.sign(lostMs);
  const lackAt = (station: number): number => sign * lackOfEnergy(reference, own, station);
  let far = endStation;
  for (let station = startStation + 1; station < endStation; station += 1)
    if (lackAt(station) > lackAt(far)) far = station;
  if (lackAt(far) <= MIDDLE_RATIO * lackAt(endStation)) far = endStation;
  const hasGrown = lackAt(far) > GROWN_RATIO * sign * lackAtStart;
  const farMs = hasGrown ? lostMs : lostMs - carriedMs;
  return [
    ...(hasGrown ? [] : speedAt('start-speed', [reference, own], startStation, carriedMs)),
    ...speedAt(far === endStation ? 'end-speed' : 'middle-speed', [reference, own], far, farMs),
  ];
}

function inCorner(
  reference: StretchView,
  own: StretchView,
  brakingEarlierMeters: number | null,
): Candidate[] {
  const { startStation, endStation } = own.stretch;
  const slowest = Math.round((reference.slowestStation + own.slowestStation) / 2);
  const brakingStation = Math.max(
    startStation,
    Math.min(slowest, reference.braking?.startStation ?? slowest, own.braking?.startStation ?? slowest),
  );
  const lackAtStart = lackOfEnergy(reference, own, startStation);
  const lackAtSlowest = slowestLack(reference, own);
  const throughMs = msLostBy(lackAtSlowest, reference, [brakingStation, endStation]);
  const afterMs = msLostBy(lackAtSlowest, reference, [slowest, endStation]);
  const leftOnBrakes = lackUntilSlowest(lackAtStart, lackAtSlowest, brakingEarlierMeters);
  const startMs =
    msLostBy(lackAtStart, reference, [startStation, brakingStation]) +
    msLostBy(leftOnBrakes, reference, [brakingStation, slowest], true);
  const exitMs = gapAt(reference, own, endStation) - gapAt(reference, own, slowest) - afterMs;
  return [
    ...brakingCause(reference, own, brakingEarlierMeters, lackAtSlowest - lackAtStart),
    ...speedAt('start-speed', [reference, own], startStation, startMs),
    ...slowestCause(reference, own, throughMs),
    ...speedAt('end-speed', [reference, own], endStation, exitMs),
  ];
}

/**
 * Returns the lack of energy of a lap that arrives slower and makes up for it on the brakes, bit by bit: nothing where
 * it brakes earlier, or is as slow at the slowest point.
 */
function lackUntilSlowest(
  lackAtStart: number,
  lackAtSlowest: number,
  brakingEarlierMeters: number | null,
): number {
  const sign = Math.sign(lackAtStart);
  if (sign * (brakingEarlierMeters ?? 0) > 0) return 0;
  return sign * Math.max(0, Math.abs(lackAtStart) - Math.max(0, sign * lackAtSlowest));
}

/**
 * A lap that is slower at the slowest point, or arrives faster, has to brake earlier: only what goes beyond that is
 * braking too early.
 */
function brakingCause(
  reference: StretchView,
  own: StretchView,
  earlierMeters: number | null,
  lackGained: number,
): Candidate[] {
  const [first, second] = [reference.braking, own.braking];
  if (earlierMeters === null || first === null || second === null) return [];
  const owedMeters = lackGained / ((first.deceleration + second.deceleration) / 2);
  const unforcedMeters = earlierMeters - owedMeters;
  const doubt = DEVIATIONS_OF_95_PERCENT * Math.hypot(first.deviationMeters, second.deviationMeters);
  if (Math.abs(unforcedMeters) <= doubt || Math.sign(unforcedMeters) !== Math.sign(earlierMeters)) return [];
  const speeds = reference.motion.lap.speedsMetersPerSecond;
  const slownessGained = 1 / at(speeds, reference.slowestStation) - 1 / at(speeds, first.startStation);
  return [{ cause: { kind: 'braking', earlierMeters }, explainedMs: 1000 * unforcedMeters * slownessGained }];
}

function slowestCause(reference: StretchView, own: StretchView, explainedMs: number): Candidate[] {
  const slower = slowestSpeed(reference) - slowestSpeed(own);
  if (Math.abs(slower) <= slowestDoubt(reference, own)) return [];
  const atMeters = at(own.meters, own.slowestStation);
  return [{ cause: { kind: 'slowest-speed', slowerMetersPerSecond: slower, atMeters }, explainedMs }];
}

/** The speed on the way is the one of several that differs most, so its error is larger than that of one at a given place: 99 % instead of 95 %. */
const MIDDLE_DOUBT_RATIO = 1.3;

function speedAt(
  kind: 'start-speed' | 'middle-speed' | 'end-speed',
  [reference, own]: readonly [StretchView, StretchView],
  station: number,
  explainedMs: number,
): Candidate[] {
  const slower = speedDifference(own, reference, station);
  const doubt = speedDoubt(reference, own, [station, station]);
  if (Math.abs(slower) <= (kind === 'middle-speed' ? MIDDLE_DOUBT_RATIO * doubt : doubt)) return [];
  return [{ cause: { kind, slowerMetersPerSecond: slower, atMeters: at(own.meters, station) }, explainedMs }];
}

function slowestSpeed({ motion, slowestStation }: StretchView): number {
  return at(motion.lap.speedsMetersPerSecond, slowestStation);
}

/** Returns how much less kinetic energy per mass a lap has than the reference lap, in m²/s². */
function lackOfEnergy(reference: StretchView, own: StretchView, station: number): number {
  return energyOf(reference, station) - energyOf(own, station);
}

function slowestLack(reference: StretchView, own: StretchView): number {
  return energyOf(reference, reference.slowestStation) - energyOf(own, own.slowestStation);
}

function energyOf({ motion }: StretchView, station: number): number {
  return at(motion.lap.speedsMetersPerSecond, station) ** 2 / 2;
}

/** Slower than this, a car is as good as stationary. */
const STATIONARY_METERS_PER_SECOND = 1;

/** Returns the milliseconds that a lack of kinetic energy costs between two stations; it is steady, or falls evenly to nothing. */
function msLostBy(
  lack: number,
  { meters, motion }: StretchView,
  [from, to]: readonly [number, number],
  isFalling = false,
): number {
  const speeds = motion.lap.speedsMetersPerSecond;
  const least = STATIONARY_METERS_PER_SECOND ** 2;
  let seconds = 0;
  for (let station = from; station < to; station += 1) {
    const squared = Math.max(least, ((at(speeds, station) + at(speeds, station + 1)) / 2) ** 2);
    const left = isFalling ? (to - station - 0.5) / (to - from) : 1;
    const slower = Math.sqrt(Math.max(least, squared - 2 * lack * left));
    seconds += (at(meters, station + 1) - at(meters, station)) * (1 / slower - 1 / Math.sqrt(squared));
  }
  return 1000 * seconds;
}
