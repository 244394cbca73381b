import { at } from '../fix-columns.ts';
import type { PlanePoint } from '../geo.ts';
import { straightLineErrorMeters } from '../timing/hermite-interpolation.ts';
import { driftAfter } from '../timing/uncertainty.ts';
import type { TracedLap } from './lap-path.ts';
import type { ReceiverOffset } from './receiver-offset.ts';
import { directionAt } from './reference-line.ts';
import type { ReferenceLine } from './reference-line.ts';

/** One of the two laps, at every station. */
export type LapAtStations = {
  traced: TracedLap;
  elapsedMs: Float64Array;
  speedsMetersPerSecond: Float64Array;
};

type Laps = readonly [first: LapAtStations, second: LapAtStations];

/** Variances and covariance of the slow errors at the start and at a station, per axis, in square metres. */
type SlowErrors = { start: number; station: number; both: number };

/** Slower than this the car all but stands, and the formula would divide by nothing. */
const STANDING_METERS_PER_SECOND = 2;

/**
 * The variance of the gap at every station, in square milliseconds. An error of a position along the track is an error in time by the speed there. Four
 * parts: noise of single positions; the interpolation between them; slow errors of both receivers; and, across recordings, how well the offset between them is known.
 * What is the same at the start and at a station cancels where a lap drives there in the same direction and as fast.
 */
export function gapVariances(
  line: ReferenceLine,
  stations: Float64Array,
  laps: Laps,
  offset: ReceiverOffset['covariance'] | null,
): Float64Array {
  const start = leverAt(line, at(stations, 0), speedAt(laps[1], 0));
  return stations.map((meters, station) => {
    const lever = leverAt(line, meters, speedAt(laps[1], station));
    const slow = offset === null ? slowErrorsOfOneRecording(laps, station) : slowErrorsOfTwo(laps, station);
    const dot = lever.x * start.x + lever.y * start.y;
    const slowVariance =
      slow.station * (lever.x ** 2 + lever.y ** 2) +
      slow.start * (start.x ** 2 + start.y ** 2) -
      2 * slow.both * dot;
    const [x, y] = [lever.x - start.x, lever.y - start.y];
    const offsetVariance =
      offset === null ? 0 : x * x * offset.xx + 2 * x * y * offset.xy + y * y * offset.yy;
    return (
      slowVariance + offsetVariance + singleVariance(laps[0], station) + singleVariance(laps[1], station)
    );
  });
}

/** Milliseconds for every metre to the east and to the north. */
function leverAt(line: ReferenceLine, meters: number, speed: number): PlanePoint {
  const direction = directionAt(line, meters);
  return { x: (1000 * direction.x) / speed, y: (1000 * direction.y) / speed };
}

/** Within one recording both laps have the same slow errors, but for what these have changed from one lap to the other. */
function slowErrorsOfOneRecording([first, second]: Laps, station: number): SlowErrors {
  const { driftMeters } = first.traced.noise;
  const betweenSeconds = Math.abs(second.traced.lap.startTimeMs - first.traced.lap.startTimeMs) / 1000;
  const variance = driftAfter(driftMeters, betweenSeconds) ** 2;
  const change = driftAfter(driftMeters, at(second.elapsedMs, station) / 1000) ** 2;
  return { start: variance, station: variance, both: Math.max(0, variance - change) };
}

/**
 * Across recordings the estimated offset takes the mean of the slow errors over the lap away. What is left is that of a random walk around its mean: with
 * `variance` from start to end, 1/3 of it at both ends and 1/12 in the middle. The estimate sees errors only across the line, so more is left.
 */
/** By how much, in simulated pairs of recordings whose slow errors are known. */
const LEFT_BY_ESTIMATE = 1.5;

function slowErrorsOfTwo(laps: Laps, station: number): SlowErrors {
  const errors = { start: 0, station: 0, both: 0 };
  for (const { traced, elapsedMs } of laps) {
    const variance =
      LEFT_BY_ESTIMATE * driftAfter(traced.noise.driftMeters, traced.lap.lapTimeMs / 1000) ** 2;
    const share = at(elapsedMs, station) / traced.lap.lapTimeMs;
    const distance = (share ** 2 + (1 - share) ** 2) / 2;
    errors.start += variance / 3;
    errors.station += variance * (distance - 1 / 6);
    errors.both += (variance / 2) * (distance + 1 / 2 - share - 1 / 3);
  }
  return errors;
}

/** Noise of the positions around a station and around the start, interpolation and time stamps. */
function singleVariance(lap: LapAtStations, station: number): number {
  const { noise, trace } = lap.traced;
  const [speed, startSpeed] = [speedAt(lap, station), speedAt(lap, 0)];
  const intervalMs = trace.receiverIntervalMs ?? trace.intervalMs ?? 0;
  const squareMeters = noise.whiteMeters ** 2 / 2 + (straightLineErrorMeters(intervalMs) / 2) ** 2;
  return 1e6 * squareMeters * (1 / speed ** 2 + 1 / startSpeed ** 2) + trace.timestampStepMs ** 2 / 12;
}

function speedAt({ speedsMetersPerSecond }: LapAtStations, station: number): number {
  const speed = at(speedsMetersPerSecond, station);
  return speed > STANDING_METERS_PER_SECOND ? speed : STANDING_METERS_PER_SECOND;
}
