import { at } from '../fix-columns.ts';
import { MAD_PER_DEVIATION, median } from '../statistics.ts';
import { fitLocalLines, STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED } from './accelerations.ts';
import type { Corner } from './corners.ts';
import { gapVariance, type GapSources } from './gap-uncertainty.ts';
import type { LapAtStations } from './lap-at-stations.ts';

/** Describes how a lap drove through a corner. Doubts are half widths of 95 % intervals. */
export type CornerFigures = {
  /** Speed where the line begins to turn. */
  entrySpeedMetersPerSecond: number;
  /** Where braking for the corner begins, in metres from the start/finish line; null where the lap does not brake for it. */
  brakingMeters: number | null;
  brakingDoubtMeters: number;
  /** The lowest speed between where the line begins to turn and where it is straight again. */
  minSpeedMetersPerSecond: number;
  /** Speed where the line is straight again. */
  exitSpeedMetersPerSecond: number;
  /** Half width of the 95 % interval of each of the three speeds. */
  speedDoubtMetersPerSecond: number;
  /** Through the corner's stretch. */
  timeMs: number;
  /** Time lost on the reference lap, with the half width of its 95 % interval; both 0 for the reference lap itself. */
  lostMs: number;
  bandMs: number;
};

/** Describes a corner and how every lap drove through it, the reference lap first. */
export type ComparedCorner = Corner & { laps: CornerFigures[] };

/** Deceleration from which a car brakes, and does not only roll: 0.2 g, as usual among racers. */
const BRAKING_METERS_PER_SECOND_SQUARED = 0.2 * STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED;
/** Less lost is no braking for a corner, but a lift of the throttle. */
const BRAKING_DROP_MIN_METERS_PER_SECOND = 2;
/** Speeds are smoothed over so long. */
const SMOOTHING_MS = 500;
const DEVIATIONS_OF_95_PERCENT = 1.96;
/** Smoothed speeds of good receivers are wrong by about this at the slowest point of a corner, in simulated drives. */
const SPEED_DEVIATION_MIN_METERS_PER_SECOND = 0.13;
/**
 * Speeds of fixes a second apart are wrong by this much more, since a car is slower between two fixes than at both; it
 * grows with the square of the interval.
 */
const SPEED_DEVIATION_OF_ONE_HERTZ = 0.55;

/**
 * Compares the figures of all laps for all corners. `meters` are the stations from the start/finish line on, the
 * sources those of the gaps of the other laps.
 */
export function compareCorners(
  corners: readonly Corner[],
  meters: Float64Array,
  reference: LapAtStations,
  sources: readonly GapSources[],
): ComparedCorner[] {
  const motions = [reference, ...sources.map((source) => source.laps[1])].map(smoothMotion);
  return corners.map((corner, index) => {
    const searchFrom = corners[index - 1]?.apexMeters ?? 0;
    return {
      ...corner,
      laps: motions.map((motion, lap) => {
        const view = { meters, motion, corner };
        return {
          ...findBraking(view, searchFrom),
          ...speedsThrough(view),
          ...timeThrough(view, reference, sources[lap - 1]),
        };
      }),
    };
  });
}

/** Describes speeds and accelerations of a lap at every station, smoothed, and the standard deviation of a single speed. */
type Motion = { lap: LapAtStations; speeds: Float64Array; accelerations: Float64Array; deviation: number };

/** Describes a lap and a corner. */
type View = { meters: Float64Array; motion: Motion; corner: Corner };

function smoothMotion(lap: LapAtStations): Motion {
  const { values, slopesPerSecond } = fitLocalLines(lap.elapsedMs, lap.speedsMetersPerSecond, SMOOTHING_MS);
  const rest = values.map((speed, station) => Math.abs(speed - at(lap.speedsMetersPerSecond, station)));
  const scatter = (median(rest) ?? 0) / MAD_PER_DEVIATION;
  return {
    lap,
    speeds: values,
    accelerations: slopesPerSecond,
    deviation: Math.hypot(
      Math.max(scatter, SPEED_DEVIATION_MIN_METERS_PER_SECOND),
      SPEED_DEVIATION_OF_ONE_HERTZ * (intervalMs(lap) / 1000) ** 2,
    ),
  };
}

/**
 * Finds where braking begins: of all stretches before the slowest point in which the car brakes, the one that takes
 * most of the speed away. It may begin before the corner's own stretch, but not before the corner before.
 */
function findBraking(
  { meters, motion, corner }: View,
  searchFrom: number,
): Pick<CornerFigures, 'brakingMeters' | 'brakingDoubtMeters'> {
  const { speeds, accelerations } = motion;
  const last = slowestStation({ meters, motion, corner });
  let best = { drop: BRAKING_DROP_MIN_METERS_PER_SECOND, onset: -1 };
  let onset = -1;
  for (let station = stationAt(meters, searchFrom); station <= last; station += 1) {
    const isBraking = at(accelerations, station) <= -BRAKING_METERS_PER_SECOND_SQUARED;
    if (isBraking && onset < 0) onset = station;
    if (onset < 0 || (isBraking && station < last)) continue;
    const drop = at(speeds, onset) - at(speeds, station);
    if (drop > best.drop) best = { drop, onset };
    onset = -1;
  }
  if (best.onset < 0) return { brakingMeters: null, brakingDoubtMeters: 0 };
  return {
    brakingMeters: crossingMeters(meters, accelerations, best.onset),
    brakingDoubtMeters: brakingDoubt(motion, best.onset),
  };
}

/** Returns where the acceleration falls below that of braking, between a station and the one before it. */
function crossingMeters(meters: Float64Array, accelerations: Float64Array, station: number): number {
  if (station === 0) return at(meters, 0);
  const [before, after] = [at(accelerations, station - 1), at(accelerations, station)];
  const share = Math.min(1, Math.max(0, (before + BRAKING_METERS_PER_SECOND_SQUARED) / (before - after)));
  return at(meters, station - 1) + share * (at(meters, station) - at(meters, station - 1));
}

/** The moment of an onset is wrong by a share of the time between two fixes, and by so much with any receiver. */
const ONSET_DEVIATION_INTERVALS = 0.25;
const ONSET_DEVIATION_MS = 15;

function brakingDoubt({ lap }: Motion, station: number): number {
  const { noise } = lap.traced;
  const metersPerMs = at(lap.speedsMetersPerSecond, station) / 1000;
  const onsetMeters =
    metersPerMs * Math.hypot(ONSET_DEVIATION_INTERVALS * intervalMs(lap), ONSET_DEVIATION_MS);
  return DEVIATIONS_OF_95_PERCENT * Math.hypot(onsetMeters, noise.driftMeters, noise.whiteMeters);
}

function intervalMs({ traced: { trace } }: LapAtStations): number {
  return trace.receiverIntervalMs ?? trace.intervalMs ?? 0;
}

function slowestStation({ meters, motion, corner }: View): number {
  const [first, last] = [stationAt(meters, corner.startMeters), stationAt(meters, corner.endMeters)];
  let slowest = first;
  for (let station = first; station <= last; station += 1)
    if (at(motion.speeds, station) < at(motion.speeds, slowest)) slowest = station;
  return slowest;
}

function speedsThrough(
  view: View,
): Pick<
  CornerFigures,
  | 'entrySpeedMetersPerSecond'
  | 'minSpeedMetersPerSecond'
  | 'exitSpeedMetersPerSecond'
  | 'speedDoubtMetersPerSecond'
> {
  const { meters, motion, corner } = view;
  return {
    entrySpeedMetersPerSecond: valueAt(meters, motion.speeds, corner.startMeters),
    minSpeedMetersPerSecond: at(motion.speeds, slowestStation(view)),
    exitSpeedMetersPerSecond: valueAt(meters, motion.speeds, corner.endMeters),
    speedDoubtMetersPerSecond: DEVIATIONS_OF_95_PERCENT * motion.deviation,
  };
}

function timeThrough(
  { meters, motion, corner }: View,
  reference: LapAtStations,
  source: GapSources | undefined,
): Pick<CornerFigures, 'timeMs' | 'lostMs' | 'bandMs'> {
  const [from, to] = [corner.stretchStartMeters, corner.stretchEndMeters];
  const timeMs = timeBetween(meters, motion.lap, from, to);
  if (source === undefined) return { timeMs, lostMs: 0, bandMs: 0 };
  const variance = gapVariance(source, stationAt(meters, from), stationAt(meters, to));
  return {
    timeMs,
    lostMs: timeMs - timeBetween(meters, reference, from, to),
    bandMs: DEVIATIONS_OF_95_PERCENT * Math.sqrt(variance),
  };
}

function timeBetween(meters: Float64Array, { elapsedMs }: LapAtStations, from: number, to: number): number {
  return valueAt(meters, elapsedMs, to) - valueAt(meters, elapsedMs, from);
}

/** The last station at or before so many metres. Stations are at equal distances. */
function stationAt(meters: Float64Array, place: number): number {
  const last = meters.length - 1;
  return Math.max(0, Math.min(last, Math.floor((place / at(meters, last)) * last)));
}

function valueAt(meters: Float64Array, values: Float64Array, place: number): number {
  const station = Math.min(stationAt(meters, place), Math.max(0, meters.length - 2));
  const step = at(meters, station + 1) - at(meters, station);
  const share = Math.max(0, Math.min(1, (place - at(meters, station)) / step));
  return at(values, station) + share * (at(values, station + 1) - at(values, station));
}
