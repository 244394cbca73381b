import { at } from '../fix-columns.ts';
import { DEVIATIONS_OF_95_PERCENT } from '../timing/uncertainty.ts';
import { STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED } from './accelerations.ts';
import type { Corner } from './corners.ts';
import type { LapMotion } from './lap-motion.ts';

/** Describes where one lap brakes for a corner. */
export type Braking = {
  /** Distance from the start/finish line. */
  startMeters: number;
  /** Standard deviation of `startMeters` against that of another lap. */
  deviationMeters: number;
  /** The station before it. */
  startStation: number;
  /** The point where the brakes are on firmly: there the lap loses speed with a good share of the most that it reaches. */
  firmMeters: number;
  /** Mean deceleration from the start to the end, in m/s². */
  deceleration: number;
  /** False where the lap loses speed shortly before as well, or brakes as hard elsewhere for the same corner. */
  isClear: boolean;
};

/** Describes where laps brake for one corner: stations from the first to the last braking of any lap. */
export type BrakingZone = {
  startStation: number;
  endStation: number;
  /** One entry per lap; null where a lap does not brake there, or brakes already at the start of the lap. */
  laps: (Braking | null)[];
};

/** Deceleration from which a car brakes, and does not only roll: 0.2 g, as usual among racers. */
export const BRAKING_METERS_PER_SECOND_SQUARED = 0.2 * STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED;
/** Less lost is no braking, but a lift of the throttle. */
const DROP_MIN_METERS_PER_SECOND = 2;
/** A driver who comes off the brake for so long, without gaining more than so much speed, brakes once. */
const LIFT_MAX_MS = 700;
const LIFT_GAIN_MAX_METERS_PER_SECOND = 1;
/** After a lift of up to so long, with so much gain, it is not clear whether it is the same braking. */
const UNCLEAR_LIFT_MS = 2 * LIFT_MAX_MS;
const UNCLEAR_GAIN_METERS_PER_SECOND = 2 * LIFT_GAIN_MAX_METERS_PER_SECOND;
/** Braking that begins before the apex of a corner and ends this soon after the corner is braking for that corner. */
const END_AFTER_CORNER_MAX_METERS = 20;

/**
 * Finds where laps brake for each corner; null where none does. Brakings of different laps that overlap are one zone,
 * so that only brakings for the same corner at the same place are compared, whatever number of pedal strokes each lap took.
 */
export function findBrakingZones(
  corners: readonly Corner[],
  meters: Float64Array,
  motions: readonly LapMotion[],
): (BrakingZone | null)[] {
  const all = motions.flatMap((motion, lap) => findStrokes(motion, lap));
  const found = corners.map((): Stroke[][] => []);
  const brakings = all.filter(({ drop }) => drop >= DROP_MIN_METERS_PER_SECOND);
  for (const strokes of joinStrokes(brakings))
    found[cornerOf(corners, at(meters, startOf(strokes)), at(meters, endOf(strokes)))]?.push(strokes);
  return found.map((ofCorner, index) => {
    const [best] = ofCorner.toSorted((a, b) => dropOf(b) - dropOf(a));
    if (best === undefined) return null;
    const [from, to] = [corners[index - 1]?.endMeters ?? 0, corners[index]?.endMeters ?? 0];
    const others = all.filter(
      (stroke) => !best.includes(stroke) && at(meters, stroke.last) > from && at(meters, stroke.first) < to,
    );
    return toZone([best, others], meters, motions);
  });
}

/** Describes one braking of one lap, by stations: the first and the last at which it brakes, and the speed that it takes off. */
type Stroke = { lap: number; first: number; last: number; drop: number; hasLift: boolean };

/** Finds where a lap loses speed as by braking, in driving order. A short lift in between does not part two strokes. */
function findStrokes({ lap, accelerations }: LapMotion, lapIndex: number): Stroke[] {
  const { elapsedMs, speedsMetersPerSecond: speeds } = lap;
  const strokes: Stroke[] = [];
  for (let station = 0; station < accelerations.length; station += 1) {
    if (at(accelerations, station) > -BRAKING_METERS_PER_SECOND_SQUARED) continue;
    const before = strokes.at(-1);
    const isSame =
      before !== undefined &&
      (before.last === station - 1 ||
        (at(elapsedMs, station) - at(elapsedMs, before.last) <= LIFT_MAX_MS &&
          at(speeds, station) - at(speeds, before.last) <= LIFT_GAIN_MAX_METERS_PER_SECOND));
    if (isSame) {
      before.hasLift ||= before.last !== station - 1;
      before.last = station;
    } else strokes.push({ lap: lapIndex, first: station, last: station, drop: 0, hasLift: false });
  }
  for (const stroke of strokes) stroke.drop = at(speeds, stroke.first) - at(speeds, stroke.last);
  return strokes;
}

/** Groups the strokes of all laps that overlap. */
function joinStrokes(strokes: readonly Stroke[]): Stroke[][] {
  const zones: Stroke[][] = [];
  for (const stroke of strokes.toSorted((a, b) => a.first - b.first)) {
    const zone = zones.at(-1);
    if (zone !== undefined && stroke.first <= endOf(zone)) zone.push(stroke);
    else zones.push([stroke]);
  }
  return zones;
}

function startOf(strokes: readonly Stroke[]): number {
  return Math.min(...strokes.map(({ first }) => first));
}

function endOf(strokes: readonly Stroke[]): number {
  return Math.max(...strokes.map(({ last }) => last));
}

function dropOf(strokes: readonly Stroke[]): number {
  return Math.max(0, ...strokes.map(({ drop }) => drop));
}

/** Returns the index of the corner for which a braking is; -1 after the last corner. */
function cornerOf(corners: readonly Corner[], startMeters: number, endMeters: number): number {
  return corners.findIndex(
    (corner) =>
      endMeters <= corner.endMeters ||
      (endMeters <= corner.endMeters + END_AFTER_CORNER_MAX_METERS && startMeters <= corner.apexMeters),
  );
}

/** No braking point is shown or compared if it is less certain. */
const DOUBT_MAX_METERS = 20;
/** A corner has one braking point only where no other braking for it takes off a similar amount of speed. */
const CLEARLY_MORE = 1.5;

function toZone(
  [strokes, others]: readonly [strokes: Stroke[], others: Stroke[]],
  meters: Float64Array,
  motions: readonly LapMotion[],
): BrakingZone {
  return {
    startStation: Math.max(0, startOf(strokes) - 1),
    endStation: endOf(strokes),
    laps: motions.map((motion, lap) => {
      const [own, elsewhere] = [strokes, others].map((all) => all.filter((stroke) => stroke.lap === lap));
      const [first] = own ?? [];
      if (own === undefined || first === undefined || first.first === 0) return null;
      const isOnlyOne = own.length === 1 && dropOf(own) > CLEARLY_MORE * dropOf(elsewhere ?? []);
      const braking = toBraking(motion, meters, first.first, endOf(own));
      const isCertain = DEVIATIONS_OF_95_PERCENT * braking.deviationMeters <= DOUBT_MAX_METERS;
      const isClear =
        isOnlyOne && isCertain && beginsClearly(motion, first.first) && isFirm(motion, meters, own);
      return { ...braking, isClear };
    }),
  };
}

/** A braking that comes on over more, from 0.15 to 0.3 g, begins elsewhere for other ways to measure. */
const RAMP_MAX_METERS = 20;
/** Speeds that follow from positions show a braking where these jump: there they leave the line through those around them. */
const JUMP_MIN_METERS_PER_SECOND = 1.2;

/** Returns whether a lap brakes firmly soon after it begins to; speeds that follow from positions have to show it without a break and without a jump. */
function isFirm(motion: LapMotion, meters: Float64Array, strokes: readonly Stroke[]): boolean {
  const [first, last] = [strokes[0]?.first ?? 0, endOf(strokes)];
  if (rampMeters(motion, meters, first, last) > RAMP_MAX_METERS) return false;
  if (strokes.some(({ hasLift }) => hasLift)) return false;
  if (motion.lap.traced.speeds !== null) return true;
  const rests = motion.rests.subarray(first - 1, last + 1).map(Math.abs);
  return Math.max(...rests) < JUMP_MIN_METERS_PER_SECOND;
}

/** Returns whether a lap loses no speed shortly before a braking, so that the braking cannot have begun there. */
function beginsClearly({ lap, accelerations }: LapMotion, first: number): boolean {
  const { elapsedMs, speedsMetersPerSecond: speeds } = lap;
  let station = first - 1;
  while (station >= 0 && at(accelerations, station) <= -SOFT_METERS_PER_SECOND_SQUARED) station -= 1;
  for (; station >= 0 && at(elapsedMs, first) - at(elapsedMs, station) <= UNCLEAR_LIFT_MS; station -= 1) {
    if (at(speeds, first) - at(speeds, station) > UNCLEAR_GAIN_METERS_PER_SECOND) return true;
    if (at(accelerations, station) <= -SOFT_METERS_PER_SECOND_SQUARED) return false;
  }
  return true;
}

function toBraking(
  motion: LapMotion,
  meters: Float64Array,
  first: number,
  last: number,
): Omit<Braking, 'isClear'> {
  const { elapsedMs, speedsMetersPerSecond: speeds } = motion.lap;
  const seconds = (at(elapsedMs, last) - at(elapsedMs, first - 1)) / 1000;
  return {
    startMeters: crossingMeters(motion, meters, first, BRAKING_METERS_PER_SECOND_SQUARED),
    firmMeters: firmMeters(motion, meters, first, last),
    deviationMeters: Math.hypot(
      startDeviationMeters(motion, first),
      RAMP_SHARE * rampMeters(motion, meters, first, last),
    ),
    startStation: first - 1,
    deceleration: (at(speeds, first - 1) - at(speeds, last)) / seconds,
  };
}

/** Returns where the deceleration rises above a limit, between a station and the one before it. */
function crossingMeters(
  { accelerations }: LapMotion,
  meters: Float64Array,
  station: number,
  limit: number,
): number {
  const [before, after] = [at(accelerations, station - 1), at(accelerations, station)];
  const share = Math.min(1, Math.max(0, (before + limit) / (before - after)));
  return at(meters, station - 1) + share * (at(meters, station) - at(meters, station - 1));
}

const FIRM_SHARE = 0.5;

/** A driver who lifts early reaches 0.2 g by drag alone, long before the brakes. */
function firmMeters(motion: LapMotion, meters: Float64Array, first: number, last: number): number {
  const most = motion.accelerations.subarray(first, last + 1).reduce((a, b) => Math.min(a, b), 0);
  const limit = Math.max(BRAKING_METERS_PER_SECOND_SQUARED, -FIRM_SHARE * most);
  let station = first;
  while (station < last && at(motion.accelerations, station) > -limit) station += 1;
  return crossingMeters(motion, meters, station, limit);
}

/** A start is less certain by this share of the distance over which the deceleration passes 0.2 g, from 0.15 to 0.3 g. */
const RAMP_SHARE = 0.25;
const SOFT_METERS_PER_SECOND_SQUARED = 0.75 * BRAKING_METERS_PER_SECOND_SQUARED;
const HARD_METERS_PER_SECOND_SQUARED = 1.5 * BRAKING_METERS_PER_SECOND_SQUARED;

function rampMeters(motion: LapMotion, meters: Float64Array, first: number, last: number): number {
  let [from, to] = [first, first];
  while (from > 1 && at(motion.accelerations, from - 1) <= -SOFT_METERS_PER_SECOND_SQUARED) from -= 1;
  while (to < last && at(motion.accelerations, to) > -HARD_METERS_PER_SECOND_SQUARED) to += 1;
  return (
    crossingMeters(motion, meters, to, HARD_METERS_PER_SECOND_SQUARED) -
    crossingMeters(motion, meters, from, SOFT_METERS_PER_SECOND_SQUARED)
  );
}

/** The moment of a start is wrong by a share of the time between two fixes, and by so much with any receiver. */
const START_DEVIATION_INTERVALS = 0.35;
const START_DEVIATION_MS = 15;
/** Between two fixes a second apart a braking may begin and reach its most; this part grows with the square of the interval. */
const START_DEVIATION_OF_ONE_HERTZ_MS = 400;
/** Speeds that follow from positions show it less well. */
const START_DEVIATION_OF_POSITIONS_MS = 150;

/** The slower the brakes come on, the farther the noise of the speeds moves the place where 0.2 g is reached. */
function startDeviationMeters(
  { lap, accelerations, accelerationDeviation }: LapMotion,
  station: number,
): number {
  const { elapsedMs, intervalsMs, speedsMetersPerSecond, traced } = lap;
  const fall = at(accelerations, station - 1) - at(accelerations, station);
  const stepMs = at(elapsedMs, station) - at(elapsedMs, station - 1);
  const noiseMs = (accelerationDeviation * stepMs) / Math.max(fall, 1e-3);
  const startMs = Math.hypot(
    START_DEVIATION_INTERVALS * at(intervalsMs, station),
    START_DEVIATION_OF_ONE_HERTZ_MS * (at(intervalsMs, station) / 1000) ** 2,
    traced.speeds === null ? START_DEVIATION_OF_POSITIONS_MS : START_DEVIATION_MS,
    noiseMs,
  );
  const { driftMeters, whiteMeters } = traced.noise;
  return Math.hypot((at(speedsMetersPerSecond, station) * startMs) / 1000, driftMeters, whiteMeters);
}
