import { seededRandom } from './random.ts';
import type { Random } from './random.ts';

/** What a driver does the same way every lap, and differently from other drivers: at every point of a road. */
export type DrivingStyle = {
  /** How far to the right of the middle of the road, in metres. */
  asideMeters: Float64Array;
  /** By what the grip in corners is multiplied: how much of it the driver dares to use there. */
  corneringFactors: Float64Array;
  /** By what braking is multiplied: less brakes earlier. */
  brakingFactors: Float64Array;
};

/** A driver is this far from the middle of the road at most. */
const ASIDE_METERS = 2.4;
const CORNERING_SHARE = 0.07;
const BRAKING_SHARE = 0.16;
/** From one corner to another. */
const WAVES = { shortestMeters: 110, longestMeters: 420, count: 6 };

/** The style of one driver on a closed road of so many metres; the same for the same seed. */
export function drivingStyle(seed: number, roadMeters: number): DrivingStyle {
  const random = seededRandom(seed);
  const [aside, cornering, braking] = [
    waveAround(random, roadMeters),
    waveAround(random, roadMeters),
    waveAround(random, roadMeters),
  ];
  return {
    asideMeters: aside.map((value) => ASIDE_METERS * value),
    corneringFactors: cornering.map((value) => 1 + CORNERING_SHARE * value),
    brakingFactors: braking.map((value) => 1 + BRAKING_SHARE * value),
  };
}

/** A smooth value between -1 and 1 at every metre, which meets itself at the end of the lap. */
function waveAround(random: Random, roadMeters: number): Float64Array {
  const { shortestMeters, longestMeters, count } = WAVES;
  const waves = Array.from({ length: count }, () => ({
    timesAround: Math.max(
      1,
      Math.round(roadMeters / (shortestMeters + (longestMeters - shortestMeters) * random.uniform())),
    ),
    phase: 2 * Math.PI * random.uniform(),
  }));
  const values = Float64Array.from({ length: roadMeters }, (_, meter) =>
    waves.reduce(
      (sum, { timesAround, phase }) =>
        sum + Math.sin((2 * Math.PI * timesAround * meter) / roadMeters + phase),
      0,
    ),
  );
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  return values.map((value) => value / largest);
}
