import { at } from '../fix-columns.ts';
import { toPosition } from '../geo.ts';
import { estimateOffset } from './receiver-offset.ts';
import { gapVariances } from './gap-uncertainty.ts';
import { lapPath, planeOfLap } from './lap-path.ts';
import type { LapPath, TracedLap } from './lap-path.ts';
import { monotoneSlopes, interpolateTime } from './monotone-interpolation.ts';
import { projectOnto } from './projection.ts';
import type { Projection } from './projection.ts';
import { pointAt, referenceLine } from './reference-line.ts';
import type { ReferenceLine } from './reference-line.ts';

/** Two laps compared position by position: one entry per station along the track; all columns are equally long. */
export type LapComparison = {
  /** Along the track, as the first lap was driven: from 0 at the start/finish line up to the length of that lap. */
  meters: Float64Array;
  lats: Float64Array;
  lons: Float64Array;
  /**
   * How much later than the first lap the second comes by, each counted from its start: above zero it is behind. 0 at the first station, the
   * difference of the lap times at the last.
   */
  gapMs: Float64Array;
  /** Half width of the 95 % interval of the gap. */
  bandMs: Float64Array;
  speedsMetersPerSecond: [first: Float64Array, second: Float64Array];
  /** How far the positions of the second lap lie from those of the first, on the whole; taken out before comparing. Zero for laps of one recording. */
  offsetMeters: { east: number; north: number };
};

/** What is known of the two laps, and how finely they are compared. */
export type ComparisonOptions = {
  /** Whether both laps are of one recording: the same receiver, so that there is no offset to take out. */
  isSameRecording: boolean;
  /** Between two stations; 5 without it. */
  stepMeters?: number;
};

const STEP_METERS = 5;
/** With less of a lap than this on the line of the other, they were driven on different tracks. */
const FOUND_SHARE_MIN = 0.5;
/** Of a normal distribution, 95 % lie within this many standard deviations. */
const DEVIATIONS_OF_95_PERCENT = 1.96;

/**
 * Compares two laps of one track by where the cars were, not by how far they had gone: a wide line in one corner does not spoil the rest of the lap.
 * Across recordings the constant offset between the two receivers is estimated and taken out. Null where the second lap was not driven where
 * the first was, or where one has too few positions.
 */
export function compareLaps(
  first: TracedLap,
  second: TracedLap,
  { isSameRecording, stepMeters = STEP_METERS }: ComparisonOptions,
): LapComparison | null {
  const plane = planeOfLap(first);
  const [firstPath, secondPath] = [lapPath(first, plane), lapPath(second, plane)];
  if (firstPath === null || secondPath === null) return null;
  const line = referenceLine(firstPath, plane);
  const own = projectOnto(line, firstPath, NO_SHIFT, 0);
  const start = metersAt(own, first.lap.startTimeMs);
  const end = metersAt(own, first.lap.startTimeMs + first.lap.lapTimeMs);
  const firstMeters = Math.max(0, start - metersBeforeStart(secondPath, second));
  const other = isSameRecording
    ? { shift: NO_SHIFT, covariance: null, projection: projectOnto(line, secondPath, NO_SHIFT, firstMeters) }
    : estimateOffset(line, secondPath, firstMeters);
  if (Math.min(other.projection.foundShare, own.foundShare) < FOUND_SHARE_MIN) return null;
  const stations = stationsBetween(start, end, stepMeters);
  const firstDriven = drivenBy(own, stations, first);
  const secondDriven = drivenBy(other.projection, stations, second);
  const variances = gapVariances(
    line,
    stations,
    [
      { ...firstDriven, traced: first },
      { ...secondDriven, traced: second },
    ],
    other.covariance,
  );
  return {
    meters: stations.map((meters) => meters - start),
    ...positionsAt(line, stations),
    gapMs: secondDriven.elapsedMs.map((elapsedMs, station) => elapsedMs - at(firstDriven.elapsedMs, station)),
    bandMs: variances.map((variance) => DEVIATIONS_OF_95_PERCENT * Math.sqrt(variance)),
    speedsMetersPerSecond: [firstDriven.speedsMetersPerSecond, secondDriven.speedsMetersPerSecond],
    offsetMeters: { east: 0 - other.shift.x, north: 0 - other.shift.y },
  };
}

const NO_SHIFT = { x: 0, y: 0 };

function stationsBetween(start: number, end: number, stepMeters: number): Float64Array {
  const count = Math.max(1, Math.round((end - start) / stepMeters));
  return Float64Array.from({ length: count + 1 }, (_, station) => start + (station * (end - start)) / count);
}

/** How far a lap has driven from its first position to the start/finish line. */
function metersBeforeStart({ timesMs, xs, ys, length }: LapPath, { lap }: TracedLap): number {
  let meters = 0;
  for (let index = 1; index < length && at(timesMs, index) <= lap.startTimeMs; index += 1)
    meters += Math.hypot(at(xs, index) - at(xs, index - 1), at(ys, index) - at(ys, index - 1));
  return meters;
}

/** How far along the reference line a lap was at a moment. */
function metersAt({ meters, timesMs, length }: Projection, timeMs: number): number {
  let index = 0;
  while (index + 2 < length && at(timesMs, index + 1) <= timeMs) index += 1;
  const share = (timeMs - at(timesMs, index)) / (at(timesMs, index + 1) - at(timesMs, index));
  return at(meters, index) + share * (at(meters, index + 1) - at(meters, index));
}

/** One lap at every station. */
type DrivenLap = {
  /** Since the start of the lap: 0 at the first station, the lap time at the last. */
  elapsedMs: Float64Array;
  speedsMetersPerSecond: Float64Array;
};

/**
 * When a lap was at every station. It is timed at the line by its own positions, so after a shift it passes the first and the last station a little
 * earlier or later: by the same time at both, as far as it drives as fast at both. What is left at the last is spread over the lap.
 */
function drivenBy(projection: Projection, stations: Float64Array, { lap }: TracedLap): DrivenLap {
  const timesMs = timesAt(projection, stations);
  const last = stations.length - 1;
  const [startMs, endMs] = [at(timesMs, 0), at(timesMs, last)];
  const correction = lap.lapTimeMs / (endMs - startMs);
  return {
    elapsedMs: timesMs.map((timeMs) => (timeMs - startMs) * correction),
    speedsMetersPerSecond: valuesAt(projection, stations, projection.speedsMetersPerSecond),
  };
}

/** When the lap was at every station; before its first and after its last position as fast as there. */
function timesAt(projection: Projection, stations: Float64Array): Float64Array {
  const slopes = monotoneSlopes(projection);
  const last = projection.length - 1;
  let index = 0;
  return stations.map((station) => {
    const beyond =
      station < at(projection.meters, 0) ? 0 : station > at(projection.meters, last) ? last : null;
    if (beyond !== null)
      return at(projection.timesMs, beyond) + at(slopes, beyond) * (station - at(projection.meters, beyond));
    while (index + 2 < projection.length && at(projection.meters, index + 1) < station) index += 1;
    return interpolateTime(projection, slopes, index, station);
  });
}

/** The values at the positions of a lap, for every station. */
function valuesAt(
  { meters, length }: Projection,
  stations: Float64Array,
  values: Float64Array,
): Float64Array {
  let index = 0;
  return stations.map((station) => {
    while (index + 2 < length && at(meters, index + 1) < station) index += 1;
    const step = at(meters, index + 1) - at(meters, index);
    const share = Math.max(0, Math.min(1, (station - at(meters, index)) / step));
    return at(values, index) + share * (at(values, index + 1) - at(values, index));
  });
}

function positionsAt(line: ReferenceLine, stations: Float64Array) {
  const positions = Array.from(stations, (station) => toPosition(line.plane, pointAt(line, station)));
  return {
    lats: Float64Array.from(positions, ({ lat }) => lat),
    lons: Float64Array.from(positions, ({ lon }) => lon),
  };
}
