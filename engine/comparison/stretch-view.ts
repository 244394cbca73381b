import { at } from '../fix-columns.ts';
import { DEVIATIONS_OF_95_PERCENT } from '../timing/uncertainty.ts';
import type { Braking } from './braking.ts';
import type { LapAtStations } from './lap-at-stations.ts';
import { speedDeviationAt, speedSlopeAt, type LapMotion } from './lap-motion.ts';
import type { Stretch } from './stretches.ts';

/** Holds what the figures of one lap in one stretch follow from. */
export type StretchView = {
  meters: Float64Array;
  stretch: Stretch;
  motion: LapMotion;
  slowestStation: number;
  braking: Braking | null;
};

/** Returns how much later than the reference lap a lap is at a station. */
export function gapAt(reference: StretchView, own: StretchView, station: number): number {
  return at(own.motion.lap.elapsedMs, station) - at(reference.motion.lap.elapsedMs, station);
}

/** The distance between the two points may differ by so much from that where both are firmly on the brakes. */
const FIRM_RATIO_MAX = 2;
/** The speeds have to show this share of what the earlier braking takes off until the other lap brakes. */
const SHOWN_SHARE_MIN = 0.5;

/**
 * Returns the distance by which a lap brakes earlier than the reference lap, below zero later; null where one of them
 * does not brake, where it is not clear where one begins, where the difference is no larger than its doubt, or where
 * the speeds that follow do not show it.
 */
export function compareBraking(reference: StretchView, own: StretchView): number | null {
  const [first, second] = [reference.braking, own.braking];
  if (first === null || second === null || !first.isClear || !second.isClear) return null;
  const meters = first.startMeters - second.startMeters;
  const doubt = DEVIATIONS_OF_95_PERCENT * Math.hypot(first.deviationMeters, second.deviationMeters);
  if (Math.abs(meters) <= doubt) return null;
  const firmly = (first.firmMeters - second.firmMeters) / meters;
  if (firmly < 1 / FIRM_RATIO_MAX || firmly > FIRM_RATIO_MAX) return null;
  const [early, late] = meters > 0 ? [own, reference] : [reference, own];
  const from = Math.min(first.startStation, second.startStation);
  const to = Math.max(first.startStation, second.startStation) + 1;
  const shown = speedDifference(early, late, to) - speedDifference(early, late, from);
  const { startStation, deceleration } = early === own ? second : first;
  const expected =
    (deceleration * Math.abs(meters)) / at(early.motion.lap.speedsMetersPerSecond, startStation);
  return shown > SHOWN_SHARE_MIN * expected && shown > speedDoubt(early, late, [to, to]) ? meters : null;
}

/** Returns how much slower a lap is than another one at a station. */
export function speedDifference(slower: StretchView, faster: StretchView, station: number): number {
  return (
    at(faster.motion.lap.speedsMetersPerSecond, station) -
    at(slower.motion.lap.speedsMetersPerSecond, station)
  );
}

/** A speed of one lap that sticks out of those around it, and not in the other lap, is less certain by this share of how far. */
const REST_SHARE = 0.5;

/** Returns the half width of the 95 % interval of the difference of two speeds, each at a station of its own. */
export function speedDoubt(
  first: StretchView,
  second: StretchView,
  [firstStation, secondStation]: readonly [number, number],
): number {
  const deviations = [speedDeviation(first, firstStation), speedDeviation(second, secondStation)];
  const rests = at(first.motion.rests, firstStation) - at(second.motion.rests, secondStation);
  return DEVIATIONS_OF_95_PERCENT * Math.hypot(...deviations, REST_SHARE * rests);
}

function speedDeviation({ motion, meters }: StretchView, station: number): number {
  const { noise, speeds } = motion.lap.traced;
  const placeMeters = Math.hypot(
    noise.driftMeters,
    noise.whiteMeters,
    strayMeters(motion.lap, meters, station),
  );
  const along = speedSlopeAt(motion, station) * placeMeters;
  // Speeds that follow from positions have spikes where these jump.
  const spike = speeds === null ? at(motion.rests, station) : 0;
  return Math.hypot(speedDeviationAt(motion, station), along, spike);
}

/**
 * Returns how far a lap goes between two fixes beyond what its speed allows, in metres: where positions jump, the place
 * of a speed is uncertain by so much.
 */
function strayMeters(
  { elapsedMs, speedsMetersPerSecond, intervalsMs }: LapAtStations,
  meters: Float64Array,
  station: number,
): number {
  const [before, after] = [Math.max(0, station - 1), Math.min(meters.length - 1, station + 1)];
  const alongMeters = at(meters, after) - at(meters, before);
  const seconds = (at(elapsedMs, after) - at(elapsedMs, before)) / 1000;
  const pace = alongMeters / Math.max(1e-3, seconds);
  return (Math.abs(pace - at(speedsMetersPerSecond, station)) * at(intervalsMs, station)) / 1000;
}

/** The slowest point lies anywhere between two stations, so half of what both slopes allow is a fair share. */
const DIP_SHARE = 0.5;

/**
 * Returns how much slower than at its slowest station a lap may be next to it: in hairpins speeds fall and rise by metres
 * a second from one station to the next. Both slopes are continued until they meet, as of even accelerations.
 */
export function unseenDip({
  motion,
  slowestStation,
}: Pick<StretchView, 'motion' | 'slowestStation'>): number {
  const speeds = motion.lap.speedsMetersPerSecond;
  const dips = [slowestStation - 1, slowestStation].map((before) => {
    const [first, from, to, last] = [-1, 0, 1, 2].map((step) => at(speeds, before + step) ** 2);
    if (first === undefined || from === undefined || to === undefined || last === undefined) return 0;
    const [fall, rise] = [first - from, last - to];
    if (!(fall > 0 && rise > 0)) return 0;
    const share = Math.max(0, Math.min(1, (from - to + rise) / (fall + rise)));
    return at(speeds, slowestStation) - Math.sqrt(Math.max(0, from - share * fall));
  });
  return DIP_SHARE * Math.max(0, ...dips);
}

/** Returns the half width of the 95 % interval of the difference between the lowest speeds of two laps. */
export function slowestDoubt(reference: StretchView, own: StretchView): number {
  const doubt = speedDoubt(reference, own, [reference.slowestStation, own.slowestStation]);
  return Math.hypot(doubt, unseenDip(reference), unseenDip(own));
}
