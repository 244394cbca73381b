import { at } from '../fix-columns.ts';
import { planeAround, wrapDegrees } from '../geo.ts';
import { projectOntoPath, buildLapPath } from './lap-path.ts';
import type { LapPath, TracedLap } from './lap-path.ts';
import { monotoneSlopes, interpolateTime } from './monotone-interpolation.ts';
import type { Progress } from './monotone-interpolation.ts';
import type { Trace } from '../trace/trace.ts';

/** Two laps compared, one entry per position along the track; all columns are equally long. */
export type LapComparison = {
  /** Along the track, as the first lap was driven: from 0 at the start/finish line up to the length of that lap. */
  meters: Float64Array;
  lats: Float64Array;
  lons: Float64Array;
  /** How much later than the first lap the second comes by, counted from the start of each: negative where it leads. */
  gapMs: Float64Array;
  /** NaN where a lap has neither speeds nor neighbouring positions to tell. */
  speedsMetersPerSecond: [first: Float64Array, second: Float64Array];
};

const STEP_METERS = 5;
/** With less of a lap than this on the path of the other, they were driven on different tracks. */
const MATCHED_SHARE_MIN = 0.5;

/**
 * Compares two laps of one track position by position: by where the cars were and not by how far they had gone, so that a
 * wide line in one corner does not distort the rest of the lap. The gap is 0 at the start, and at the end the difference of
 * the two lap times. Null where the second lap was not driven where the first was.
 */
export function compareLaps(
  first: TracedLap,
  second: TracedLap,
  stepMeters = STEP_METERS,
): LapComparison | null {
  const path = buildLapPath(first);
  if (path === null) return null;
  const { progress, matchedShare } = projectOntoPath(path, second);
  if (matchedShare < MATCHED_SHARE_MIN) return null;
  const meters = stationDistances(path, stepMeters);
  const times = [timesAt(path.progress, meters), timesAt(progress, meters)] as const;
  const positions = positionsAt(path, meters);
  return {
    meters,
    ...positions,
    gapMs: meters.map(
      (_, station) =>
        at(times[1], station) - second.lap.startTimeMs - (at(times[0], station) - first.lap.startTimeMs),
    ),
    speedsMetersPerSecond: [speedsAt(first.trace, times[0]), speedsAt(second.trace, times[1])],
  };
}

function stationDistances({ lengthMeters }: LapPath, stepMeters: number): Float64Array {
  const count = Math.max(1, Math.round(lengthMeters / stepMeters));
  return Float64Array.from({ length: count + 1 }, (_, station) => (station * lengthMeters) / count);
}

function timesAt(progress: Progress, meters: Float64Array): Float64Array {
  const slopes = monotoneSlopes(progress);
  let index = 0;
  return meters.map((station) => {
    while (index + 2 < progress.meters.length && at(progress.meters, index + 1) < station) index += 1;
    return interpolateTime(progress, slopes, index, station);
  });
}

function positionsAt({ xs, ys, meters: along, plane }: LapPath, meters: Float64Array) {
  const lats = new Float64Array(meters.length);
  const lons = new Float64Array(meters.length);
  let index = 0;
  meters.forEach((target, station) => {
    while (index + 2 < along.length && at(along, index + 1) < target) index += 1;
    const length = at(along, index + 1) - at(along, index);
    const share = length > 0 ? Math.min(1, (target - at(along, index)) / length) : 0;
    const x = at(xs, index) + share * (at(xs, index + 1) - at(xs, index));
    const y = at(ys, index) + share * (at(ys, index + 1) - at(ys, index));
    lats[station] = plane.origin.lat + y / plane.metersPerDegreeLat;
    lons[station] = wrapDegrees(plane.origin.lon + x / plane.metersPerDegreeLon);
  });
  return { lats, lons };
}

/** The receiver's speeds at these moments, and where it gave none, those of its positions. */
function speedsAt({ fixes }: Trace, timesMs: Float64Array): Float64Array {
  const plane = planeAround({ lat: at(fixes.lats, 0), lon: at(fixes.lons, 0) });
  let fix = 0;
  return timesMs.map((timeMs) => {
    while (fix + 2 < fixes.length && at(fixes.timesMs, fix + 1) <= timeMs) fix += 1;
    const stepMs = at(fixes.timesMs, fix + 1) - at(fixes.timesMs, fix);
    const share = Math.max(0, Math.min(1, (timeMs - at(fixes.timesMs, fix)) / stepMs));
    const speeds = fixes.speedsMetersPerSecond;
    const measured = at(speeds, fix) + share * (at(speeds, fix + 1) - at(speeds, fix));
    if (Number.isFinite(measured)) return measured;
    const x = wrapDegrees(at(fixes.lons, fix + 1) - at(fixes.lons, fix)) * plane.metersPerDegreeLon;
    const y = (at(fixes.lats, fix + 1) - at(fixes.lats, fix)) * plane.metersPerDegreeLat;
    return (1000 * Math.hypot(x, y)) / stepMs;
  });
}
