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
  /** Holds the standard deviations of the speeds between two fixes where the acceleration changes at once, in m/s. */
  kinkDeviations: Float64Array;
  /** Gives the standard deviation of a usual single speed, in m/s. */
  speedDeviation: number;
  /** Standard deviation of a single acceleration, in m/s². */
  accelerationDeviation: number;
};

/** Accelerations are averaged over so long. */
const WINDOW_MS = 500;
/** Speeds of good receivers are wrong by about this in simulated drives. */
const SPEED_DEVIATION_MIN_METERS_PER_SECOND = 0.13;
/** A car between two fixes a second apart is slower or faster than their mean by about this; it grows with the cube of the interval: at half of it, strokes of the pedals show in the fixes. */
const SPEED_DEVIATION_OF_ONE_HERTZ = 2;
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
    kinkDeviations: deriveKinkDeviations(lap, slopesPerSecond),
    speedDeviation: Math.max(
      scatter,
      lap.traced.speeds === null ? SPEED_DEVIATION_OF_POSITIONS : SPEED_DEVIATION_MIN_METERS_PER_SECOND,
    ),
    // The slope of a line of least squares through evenly spaced values.
    accelerationDeviation: (scatter * Math.sqrt(12 / stationsInWindow)) / (WINDOW_MS / 1000),
  };
}

/** Returns the standard deviation of the speed at a station, in m/s: it is large in holes and at low rates. */
export function speedDeviationAt(
  { lap, speedDeviation, kinkDeviations }: LapMotion,
  station: number,
): number {
  const seconds = at(lap.intervalsMs, station) / 1000;
  return Math.hypot(speedDeviation, SPEED_DEVIATION_OF_ONE_HERTZ * seconds ** 3, at(kinkDeviations, station));
}

/**
 * A speed between two fixes is read from the straight line between theirs. Where a car begins to brake, and at its slowest point, its
 * acceleration changes at once: the line is off there by up to a quarter of the change times the interval, halfway between the fixes, and
 * always to the same side. Accelerations are means over half a second or an interval, and show two thirds of the change or more. So 95 %,
 * which are two deviations, have to reach as far as 0.38 times what they show.
 */
const KINK_SHARE = 0.2;

/** The change of the acceleration is that within one interval before and after a station. */
function deriveKinkDeviations(
  { elapsedMs, intervalsMs }: LapAtStations,
  accelerations: Float64Array,
): Float64Array {
  return intervalsMs.map((intervalMs, station) => {
    const hereMs = at(elapsedMs, station);
    let [first, end] = [station, station + 1];
    while (first > 0 && hereMs - at(elapsedMs, first - 1) <= intervalMs) first -= 1;
    while (end < elapsedMs.length && at(elapsedMs, end) - hereMs <= intervalMs) end += 1;
    const around = accelerations.subarray(first, end);
    const change = Math.max(...around) - Math.min(...around);
    return (KINK_SHARE * change * intervalMs) / 1000;
  });
}

/** Returns the change of speed with distance at a station, in m/s per metre. */
export function speedSlopeAt({ lap, accelerations }: LapMotion, station: number): number {
  return at(accelerations, station) / Math.max(1, at(lap.speedsMetersPerSecond, station));
}
