import { at, columnOf } from '../fix-columns.ts';
import { seededRandom, type Random } from './random.ts';

/** Describes what a driver does the same way every lap, and differently from other drivers, at one point of a road. */
export type DrivingStyle = {
  /** Distance to the right of the middle of the road. */
  asideMeters: number;
  /** Factor for the grip in corners: how much of it the driver dares to use there. */
  corneringFactor: number;
  /** Factor for braking: a lower one brakes earlier. */
  brakingFactor: number;
  /** Sets the distance from the slowest point of a corner to full throttle; it counts on a racing line alone. */
  throttleMeters: number;
  /** Factor for the acceleration: 0 rolls, less than 1 is another gear or less power. */
  pushFactor: number;
  /** The driver goes no faster there, for whatever reason. */
  topSpeedMetersPerSecond: number;
};

const THROTTLE_METERS = 30;

const NEUTRAL: DrivingStyle = {
  asideMeters: 0,
  corneringFactor: 1,
  brakingFactor: 1,
  throttleMeters: THROTTLE_METERS,
  pushFactor: 1,
  topSpeedMetersPerSecond: Number.POSITIVE_INFINITY,
};

/** A driver is this far from the middle of the road at most. */
const ASIDE_METERS = 2.4;
const CORNERING_SHARE = 0.07;
const BRAKING_SHARE = 0.16;
const THROTTLE_SHARE = 0.7;
/** The waves reach from one corner to another. */
const WAVES = { shortestMeters: 110, longestMeters: 420, count: 6 };

/**
 * Returns the style of one driver at every metre of a closed road; the same for the same seed. Without one, the middle of
 * the road and all of the grip.
 */
export function drivingStyles(seed: number | undefined, roadMeters: number): DrivingStyle[] {
  if (seed === undefined) return Array.from({ length: roadMeters }, () => NEUTRAL);
  const random = seededRandom(seed);
  const [aside, cornering, braking, throttle] = [
    waveAround(random, roadMeters),
    waveAround(random, roadMeters),
    waveAround(random, roadMeters),
    waveAround(random, roadMeters),
  ];
  const { pushFactor, topSpeedMetersPerSecond } = NEUTRAL;
  return Array.from({ length: roadMeters }, (_, meter) => ({
    asideMeters: ASIDE_METERS * at(aside, meter),
    corneringFactor: 1 + CORNERING_SHARE * at(cornering, meter),
    brakingFactor: 1 + BRAKING_SHARE * at(braking, meter),
    throttleMeters: THROTTLE_METERS * (1 + THROTTLE_SHARE * at(throttle, meter)),
    pushFactor,
    topSpeedMetersPerSecond,
  }));
}

/** Returns a smooth value between -1 and 1 at every metre, which meets itself at the end of the lap. */
function waveAround(random: Random, roadMeters: number): Float64Array {
  const { shortestMeters, longestMeters, count } = WAVES;
  const waves = Array.from({ length: count }, () => ({
    timesAround: Math.max(
      1,
      Math.round(roadMeters / (shortestMeters + (longestMeters - shortestMeters) * random.uniform())),
    ),
    phase: 2 * Math.PI * random.uniform(),
  }));
  const values = columnOf(roadMeters, (meter) =>
    waves.reduce(
      (sum, { timesAround, phase }) =>
        sum + Math.sin((2 * Math.PI * timesAround * meter) / roadMeters + phase),
      0,
    ),
  );
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  return values.map((value) => value / largest);
}
