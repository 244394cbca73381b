import { at } from '../fix-columns.ts';
import { MAD_PER_DEVIATION, median } from '../statistics.ts';
import { fitLocalLines } from './accelerations.ts';
import type { LapAtStations } from './lap-at-stations.ts';

/** Describes how fast a lap is at every station, and how far single speeds may be wrong. */
export type LapMotion = {
  lap: LapAtStations;
  /** Holds the slope of the speeds over half a second, in m/s². */
  accelerations: Float64Array;
  /** Holds the residual of each speed from the line through those around it, in m/s. */
  rests: Float64Array;
  /** Gives the standard deviation of a usual single speed, in m/s. */
  speedDeviation: number;
  /** Standard deviation of a single acceleration, in m/s². */
  accelerationDeviation: number;
};

/** Accelerations are averaged over so long. */
const WINDOW_MS = 500;
/** Speeds of good receivers are wrong by about this in simulated drives. */
const SPEED_DEVIATION_MIN_METERS_PER_SECOND = 0.13;
/** A car between two fixes a second apart is slower or faster than their mean by about this; it grows with the square of the interval. */
const SPEED_DEVIATION_OF_ONE_HERTZ = 1;
/** Speeds that follow from positions jump by so much now and then. */
const SPEED_DEVIATION_OF_POSITIONS = 0.8;

/** Derives the motion of a lap from its speeds. */
export function measureMotion(lap: LapAtStations): LapMotion {
  const { elapsedMs, speedsMetersPerSecond: speeds } = lap;
  const { values, slopesPerSecond } = fitLocalLines(elapsedMs, speeds, WINDOW_MS);
  const rests = speeds.map((speed, station) => speed - at(values, station));
  const scatter = (median(rests.map(Math.abs)) ?? 0) / MAD_PER_DEVIATION;
  const stationsInWindow = Math.max(3, (WINDOW_MS * speeds.length) / at(elapsedMs, elapsedMs.length - 1));
  return {
    lap,
    accelerations: slopesPerSecond,
    rests,
    speedDeviation: Math.max(
      scatter,
      lap.traced.speeds === null ? SPEED_DEVIATION_OF_POSITIONS : SPEED_DEVIATION_MIN_METERS_PER_SECOND,
    ),
    // The slope of a line of least squares through evenly spaced values.
    accelerationDeviation: (scatter * Math.sqrt(12 / stationsInWindow)) / (WINDOW_MS / 1000),
  };
}

/** Returns the standard deviation of the speed at a station, in m/s: it is large in holes and at low rates. */
export function speedDeviationAt({ lap, speedDeviation }: LapMotion, station: number): number {
  const seconds = at(lap.intervalsMs, station) / 1000;
  return Math.hypot(speedDeviation, SPEED_DEVIATION_OF_ONE_HERTZ * seconds ** 2);
}

/** Returns the change of speed with distance at a station, in m/s per metre. */
export function speedSlopeAt({ lap, accelerations }: LapMotion, station: number): number {
  return at(accelerations, station) / Math.max(1, at(lap.speedsMetersPerSecond, station));
}
