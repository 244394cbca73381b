import { at } from '../fix-columns.ts';
import type { LapPath } from './lap-path.ts';
import type { TracedLap } from './lap-trace.ts';
import { interpolateTime, monotoneSlopes } from './monotone-interpolation.ts';
import type { Projection } from './projection.ts';
import { stampVariances } from './stamp-variances.ts';

/** Describes one lap at every station of a reference line. All columns are equally long. */
export type LapAtStations = {
  traced: TracedLap;
  /** Time since the start of the lap: 0 at the first station, the lap time at the last. */
  elapsedMs: Float64Array;
  speedsMetersPerSecond: Float64Array;
  /** Time between the fixes before and after: that of the receiver's rate, and more in a hole. */
  intervalsMs: Float64Array;
  /** Variance of the time stamps around, as far as speeds show it, in square milliseconds. */
  stampVariances: Float64Array;
};

/**
 * Returns when a lap was at every station. It is timed at the line by its own positions, so after a shift it passes the
 * first and the last station a little earlier or later: by the same time at both, as far as it drives as fast at both.
 * The rest is that of the last station.
 */
export function driveAlong(
  stations: Float64Array,
  { path, projection }: { path: LapPath; projection: Projection },
  traced: TracedLap,
): LapAtStations {
  const { meters, timesMs, length, speedsMetersPerSecond } = projection;
  const slopes = monotoneSlopes(projection);
  const variances = stampVariances(path, traced);
  const column = () => new Float64Array(stations.length);
  const lap = {
    traced,
    elapsedMs: column(),
    speedsMetersPerSecond: column(),
    intervalsMs: column(),
    stampVariances: column(),
  };
  const last = length - 1;
  // Some loggers add a row at the line, which tells no more than those around it.
  const rateMs = traced.trace.receiverIntervalMs ?? traced.trace.intervalMs ?? 0;
  let [index, position] = [0, 0];
  for (let station = 0; station < stations.length; station += 1) {
    const here = at(stations, station);
    while (index + 2 < length && at(meters, index + 1) < here) index += 1;
    const end = here < at(meters, 0) ? 0 : last;
    const isBeyond = here < at(meters, 0) || here > at(meters, last);
    const timeMs = isBeyond
      ? timeBeyond(projection, slopes, end, here)
      : interpolateTime(projection, slopes, index, here);
    lap.elapsedMs[station] = timeMs;
    while (position + 1 < path.length && at(path.timesMs, position + 1) <= timeMs) position += 1;
    lap.stampVariances[station] = at(variances, position);
    lap.intervalsMs[station] = Math.max(
      rateMs,
      isBeyond ? 2 * Math.abs(timeMs - at(timesMs, end)) : at(timesMs, index + 1) - at(timesMs, index),
    );
    const share = (here - at(meters, index)) / (at(meters, index + 1) - at(meters, index));
    const between = Math.max(0, Math.min(1, share));
    lap.speedsMetersPerSecond[station] = interpolate(speedsMetersPerSecond, index, between);
  }
  fitToLapTime(lap.elapsedMs, traced.lap.lapTimeMs);
  return lap;
}

/** Returns the time before the first or after the last position, where the lap goes on as fast as at that position. */
function timeBeyond(
  { meters, timesMs }: Projection,
  slopes: Float64Array,
  index: number,
  place: number,
): number {
  return at(timesMs, index) + at(slopes, index) * (place - at(meters, index));
}

function interpolate(values: Float64Array, index: number, share: number): number {
  return at(values, index) + share * (at(values, index + 1) - at(values, index));
}

/** The rest comes in over this share of the lap before its end, so that it moves the gap nowhere else. */
const REST_SHARE = 0.15;

function fitToLapTime(elapsedMs: Float64Array, lapTimeMs: number): void {
  const last = elapsedMs.length - 1;
  const startMs = at(elapsedMs, 0);
  const drivenMs = at(elapsedMs, last) - startMs;
  const restMs = lapTimeMs - drivenMs;
  const fromMs = (1 - REST_SHARE) * drivenMs;
  for (let station = 0; station < last; station += 1) {
    const sinceMs = at(elapsedMs, station) - startMs;
    elapsedMs[station] = sinceMs + restMs * Math.max(0, (sinceMs - fromMs) / (drivenMs - fromMs));
  }
  // To the last digit, whatever was rounded.
  elapsedMs[last] = lapTimeMs;
}
