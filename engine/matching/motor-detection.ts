import { at } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';
import { quantile } from '../statistics.ts';
import type { Trace } from '../trace/trace.ts';

/** Describes how fast a stretch was driven: on average while moving, and in the quickest tenth of its time. */
export type Pace = {
  metersPerSecond: number;
  quickMetersPerSecond: number;
  /** The gain of kinetic energy in a second, for each kilogram: what motors do, and legs do not. */
  wattsPerKilogram: number;
};

/** The window is long enough for the errors of two positions not to look like a sprint. */
const WINDOW_MS = 3000;
/** A longer window is a gap. */
const WINDOW_MAX_MS = 15_000;
const STANDING_METERS_PER_SECOND = 2;
const QUICK_SHARE = 0.9;

export function measurePace({ fixes }: Trace, first: number, last: number): Pace {
  const speeds: number[] = [];
  let [anchor, meters, distance, seconds, gained, before] = [first, 0, 0, 0, 0, Number.NaN];
  for (let fix = first + 1; fix <= last; fix += 1) {
    meters += roughDistanceMeters(fixes.lats, fixes.lons, fix - 1, fix);
    const windowMs = at(fixes.timesMs, fix) - at(fixes.timesMs, anchor);
    if (windowMs < WINDOW_MS) continue;
    const speed = (1000 * meters) / windowMs;
    if (windowMs <= WINDOW_MAX_MS && speed >= STANDING_METERS_PER_SECOND) {
      speeds.push(speed);
      distance += meters;
      seconds += windowMs / 1000;
      // NaN, after a gap or a stop, is not greater than anything.
      if (speed > before) gained += (speed ** 2 - before ** 2) / 2;
      before = speed;
    } else {
      before = Number.NaN;
    }
    [anchor, meters] = [fix, 0];
  }
  return {
    metersPerSecond: seconds > 0 ? distance / seconds : 0,
    quickMetersPerSecond: quantile(speeds, QUICK_SHARE) ?? 0,
    wattsPerKilogram: seconds > 0 ? gained / seconds : 0,
  };
}

/** The slowest hire karts go 35 km/h around tracks of up to a kilometre; nothing with a motor is as slow around a long circuit. */
const SHORT_LAP_METERS = 1000;
const SHORT_LAP_METERS_PER_SECOND = 9.5;
const LONG_LAP_METERS = 2500;
const LONG_LAP_METERS_PER_SECOND = 14;
/** Real karts gain 2 to 16 W/kg and cars more; cyclists on the same tracks 0.2 to 2. */
const MOTOR_WATTS_PER_KILOGRAM = 5;
const MOTOR_METERS_PER_SECOND = 7.5;
/** A cyclists' race may be as quick as slow karts, but it does not accelerate like them. */
const RACING_CYCLIST_METERS_PER_SECOND = 12.5;
const RACING_CYCLIST_WATTS_PER_KILOGRAM = 2.5;
const DOUBTFUL = 0.8;

/** Returns whether a lap of this length at this pace was driven by a motor: 1, 0, or between where a racing cyclist could be as quick. */
export function motorProbability(pace: Pace, lapMeters: number): number {
  const { metersPerSecond, wattsPerKilogram } = pace;
  if (wattsPerKilogram >= MOTOR_WATTS_PER_KILOGRAM) return metersPerSecond >= MOTOR_METERS_PER_SECOND ? 1 : 0;
  const along = (lapMeters - SHORT_LAP_METERS) / (LONG_LAP_METERS - SHORT_LAP_METERS);
  const share = Math.min(Math.max(along, 0), 1);
  const needed =
    SHORT_LAP_METERS_PER_SECOND + share * (LONG_LAP_METERS_PER_SECOND - SHORT_LAP_METERS_PER_SECOND);
  if (metersPerSecond < needed) return 0;
  const isDoubtful =
    metersPerSecond < RACING_CYCLIST_METERS_PER_SECOND &&
    wattsPerKilogram < RACING_CYCLIST_WATTS_PER_KILOGRAM;
  return isDoubtful ? DOUBTFUL : 1;
}

/** Returns the same of a stretch without a whole lap, which may lead through the pits. */
export function isMotorStretch({ metersPerSecond, quickMetersPerSecond }: Pace): boolean {
  return quickMetersPerSecond >= LONG_LAP_METERS_PER_SECOND && metersPerSecond >= SHORT_LAP_METERS_PER_SECOND;
}
