import { at } from '../fix-columns.ts';
import type { PlanePoint } from '../geo.ts';
import { straightLineErrorMeters } from '../timing/hermite-interpolation.ts';
import { driftAfter } from '../timing/position-drift.ts';
import { DEVIATIONS_OF_95_PERCENT } from '../timing/uncertainty.ts';
import type { LapAtStations } from './lap-at-stations.ts';
import type { ReceiverOffset } from './receiver-offset.ts';
import { directionAt, type ReferenceLine } from './reference-line.ts';

type Laps = readonly [first: LapAtStations, second: LapAtStations];

/** Holds the variances and the covariance of the slow errors at two stations, per axis, in square metres. */
type SlowErrors = { start: number; station: number; both: number };

/** Slower than this the car is as good as stationary, and the formula would divide by nothing. */
const STATIONARY_METERS_PER_SECOND = 2;

/** Describes what the uncertainty of a gap follows from. */
export type GapSources = {
  line: ReferenceLine;
  /** Distance along the line, in metres. */
  stations: Float64Array;
  laps: Laps;
  /** Covariance of the offset between two receivers; null for laps of one recording. */
  offset: ReceiverOffset['covariance'] | null;
};

/**
 * Returns the half width of the 95 % interval of the gap at every station. It ends with what both lap times leave open by
 * their own ±, where that is more: it knows how well the receivers saw the line. The difference comes in evenly over the lap.
 */
export function gapBands(sources: GapSources): Float64Array {
  const last = sources.stations.length - 1;
  const [first, second] = sources.laps.map(({ traced }) => traced.lap.uncertaintyMs);
  const share = Math.max(0, Math.hypot(first ?? 0, second ?? 0) / bandBetween(sources, 0, last) - 1);
  return sources.stations.map(
    (_, station) => bandBetween(sources, 0, station) * (1 + (share * station) / last),
  );
}

/** Returns the half width of the 95 % interval of what the gap changes by from one station to another. */
export function bandBetween(sources: GapSources, from: number, to: number): number {
  return DEVIATIONS_OF_95_PERCENT * Math.sqrt(gapVariance(sources, from, to));
}

/**
 * Returns the variance of what the gap changes by from one station to another, in square milliseconds. An error of a
 * position along the track is an error in time by the speed there. Four parts: noise of single positions; the
 * interpolation between them; slow errors of both receivers; and, across recordings, how well the offset between them
 * is known. What is the same at both stations cancels where a lap drives there in the same direction and as fast.
 */
function gapVariance({ line, stations, laps, offset }: GapSources, from: number, to: number): number {
  const start = leverAt(line, at(stations, from), speedAt(laps[1], from));
  const lever = leverAt(line, at(stations, to), speedAt(laps[1], to));
  const slow = offset === null ? slowErrorsOfOneRecording(laps, from, to) : slowErrorsOfTwo(laps, from, to);
  const dot = lever.x * start.x + lever.y * start.y;
  const slowVariance =
    slow.station * (lever.x ** 2 + lever.y ** 2) +
    slow.start * (start.x ** 2 + start.y ** 2) -
    2 * slow.both * dot;
  const [x, y] = [lever.x - start.x, lever.y - start.y];
  const offsetVariance = offset === null ? 0 : x * x * offset.xx + 2 * x * y * offset.xy + y * y * offset.yy;
  return (
    slowVariance + offsetVariance + singleVariance(laps[0], from, to) + singleVariance(laps[1], from, to)
  );
}

/** Returns milliseconds for every metre to the east and to the north. */
function leverAt(line: ReferenceLine, meters: number, speed: number): PlanePoint {
  const direction = directionAt(line, meters);
  return { x: (1000 * direction.x) / speed, y: (1000 * direction.y) / speed };
}

/**
 * Within one recording both laps have the same slow errors, but for what these have changed from one lap to the other. Where the second lap comes by a
 * station as late as the first one did the start of the next lap, that change is another one altogether.
 */
function slowErrorsOfOneRecording([first, second]: Laps, from: number, to: number): SlowErrors {
  const { driftMeters } = first.traced.noise;
  const changeAfter = (seconds: number) => driftAfter(driftMeters, Math.abs(seconds)) ** 2;
  const betweenSeconds = Math.abs(second.traced.lap.startTimeMs - first.traced.lap.startTimeMs) / 1000;
  const onTheWaySeconds = (at(second.elapsedMs, to) - at(second.elapsedMs, from)) / 1000;
  const variance = changeAfter(betweenSeconds);
  const both =
    (changeAfter(betweenSeconds + onTheWaySeconds) + changeAfter(betweenSeconds - onTheWaySeconds)) / 2 -
    changeAfter(onTheWaySeconds);
  return { start: variance, station: variance, both };
}

/**
 * Across recordings the estimated offset takes the mean of the slow errors over the lap away. What is left is that of a random walk around its mean: with
 * `variance` from start to end, 1/3 of it at both ends and 1/12 in the middle. The estimate sees errors only across the line, so more is left: this
 * much in simulated pairs of recordings.
 */
const LEFT_BY_ESTIMATE = 1.35;

function slowErrorsOfTwo(laps: Laps, from: number, to: number): SlowErrors {
  const errors = { start: 0, station: 0, both: 0 };
  for (const { traced, elapsedMs } of laps) {
    const variance =
      LEFT_BY_ESTIMATE * driftAfter(traced.noise.driftMeters, traced.lap.lapTimeMs / 1000) ** 2;
    const [u, v] = [at(elapsedMs, from) / traced.lap.lapTimeMs, at(elapsedMs, to) / traced.lap.lapTimeMs];
    errors.start += variance * (1 / 3 - u + u ** 2);
    errors.station += variance * (1 / 3 - v + v ** 2);
    errors.both += variance * (1 / 3 - Math.max(u, v) + (u ** 2 + v ** 2) / 2);
  }
  return errors;
}

/** Returns the variance from the noise of the positions around both stations, interpolation and time stamps that are cut or wrong. */
function singleVariance(lap: LapAtStations, from: number, to: number): number {
  return stationVariance(lap, from) + stationVariance(lap, to) + lap.traced.trace.timestampStepMs ** 2 / 12;
}

/** A straight line between two fixes is wrong by up to twice this share; with the speeds before and after, less. */
const INTERPOLATION_SHARE = 0.5;

/** A time between two fixes has this share of the variance of their stamps: 2/3 in the mean, and some that the fit to them hides. */
const STAMP_SHARE = 0.75;

function stationVariance(lap: LapAtStations, station: number): number {
  const interpolationMeters = INTERPOLATION_SHARE * straightLineErrorMeters(at(lap.intervalsMs, station));
  const squareMeters = lap.traced.noise.whiteMeters ** 2 / 2 + interpolationMeters ** 2;
  return (1e6 * squareMeters) / speedAt(lap, station) ** 2 + STAMP_SHARE * at(lap.stampVariances, station);
}

function speedAt({ speedsMetersPerSecond }: LapAtStations, station: number): number {
  const speed = at(speedsMetersPerSecond, station);
  return speed > STATIONARY_METERS_PER_SECOND ? speed : STATIONARY_METERS_PER_SECOND;
}
