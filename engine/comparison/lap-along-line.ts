import type { Channels } from '../channels.ts';
import { at } from '../fix-columns.ts';
import { toPosition } from '../geo.ts';
import { channelsAtTimes } from './channels-at-times.ts';
import { lapPath, type LapPath } from './lap-path.ts';
import type { TracedLap } from './lap-trace.ts';
import { isOnLine, metersAt, reachesBothEnds, type Projection } from './projection.ts';
import { estimateOffset } from './receiver-offset.ts';
import type { ReferenceLine } from './reference-line.ts';

/**
 * Describes a lap from line to line, fix by fix: the first entry lies on the start/finish line, the last where the lap
 * ends. All columns are equally long.
 */
export type LapAlongLine = {
  /** Time since the start of the lap. */
  timesMs: Float64Array;
  /** Distance along the reference line, never falling: from 0 to its length, or where the lap is found on it where it does not reach both ends. */
  meters: Float64Array;
  /** Degrees, WGS 84, as recorded. */
  lats: Float64Array;
  lons: Float64Array;
  speedsMetersPerSecond: Float64Array;
  channels: Channels;
};

/**
 * Returns a lap as others may see it: between its two crossings and nothing before or after, with the distance along
 * the line of the track at every fix, so that it can be shown with other laps. Null where it was not driven along the
 * line, or has too few positions.
 */
export function lapAlongLine(line: ReferenceLine, traced: TracedLap): LapAlongLine | null {
  const path = lapPath(traced, line.plane);
  if (path === null) return null;
  const { projection } = estimateOffset(line, path, null);
  if (!isOnLine(projection)) return null;
  const { startTimeMs, lapTimeMs } = traced.lap;
  const endTimeMs = startTimeMs + lapTimeMs;
  const within = path.timesMs.filter((timeMs) => timeMs > startTimeMs && timeMs < endTimeMs);
  const timesMs = Float64Array.from([startTimeMs, ...within, endTimeMs]);
  const xs = valuesAtTimes(path, path.xs, timesMs);
  const ys = valuesAtTimes(path, path.ys, timesMs);
  const positions = Array.from(xs, (x, index) => toPosition(line.plane, { x, y: at(ys, index) }));
  return {
    timesMs: timesMs.map((timeMs) => timeMs - startTimeMs),
    meters: metersFromStart(line, projection, timesMs),
    lats: Float64Array.from(positions, ({ lat }) => lat),
    lons: Float64Array.from(positions, ({ lon }) => lon),
    speedsMetersPerSecond: valuesAtTimes(path, path.speedsMetersPerSecond, timesMs),
    channels: channelsAtTimes(traced.trace.fixes, timesMs),
  };
}

/** A lap crosses the start/finish line where it is timed, which is where the reference line begins, give or take the noise of positions. */
function metersFromStart(line: ReferenceLine, projection: Projection, timesMs: Float64Array): Float64Array {
  const meters = timesMs.map((timeMs) => metersAt(projection, timeMs));
  if (!reachesBothEnds(line, projection)) {
    const from = Math.max(line.startMeters, at(projection.meters, 0));
    const to = Math.min(line.endMeters, at(projection.meters, projection.length - 1));
    return meters.map((along) => Math.max(from, Math.min(to, along)) - line.startMeters);
  }
  const [first, last] = [at(meters, 0), at(meters, meters.length - 1)];
  const scale = (line.endMeters - line.startMeters) / (last - first);
  return meters.map((along) => (along - first) * scale);
}

/** Returns the values between the positions of a path, at times in rising order. */
function valuesAtTimes(path: LapPath, values: Float64Array, timesMs: Float64Array): Float64Array {
  let index = 0;
  return timesMs.map((timeMs) => {
    while (index + 2 < path.length && at(path.timesMs, index + 1) <= timeMs) index += 1;
    const share =
      (timeMs - at(path.timesMs, index)) / (at(path.timesMs, index + 1) - at(path.timesMs, index));
    return at(values, index) + share * (at(values, index + 1) - at(values, index));
  });
}
