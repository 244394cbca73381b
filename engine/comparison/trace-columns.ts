import { at } from '../fix-columns.ts';
import { lineOfLap } from './build-reference-line.ts';
import { lapPath } from './lap-path.ts';
import { firstFixAfter } from './lap-trace.ts';
import type { TracedLap } from './lap-trace.ts';
import { metersAt, projectOnto } from './projection.ts';
import type { ReferenceLine } from './reference-line.ts';

/** A lap as it was driven, from one crossing of the line to the next. All columns are equally long; the first and the last entry are on the line. */
export type TraceColumns = {
  /** Since the start of the lap: 0 first, the lap time last. */
  timesMs: Float64Array;
  /** Along the reference line, from the start/finish line. */
  meters: Float64Array;
  lats: Float64Array;
  lons: Float64Array;
  speedsMetersPerSecond: Float64Array;
};

/**
 * The columns of a lap between its two crossings of the line, and nothing before or after. Without a line they count along the lap itself. Null
 * where the lap has too few positions, or was not driven along the line.
 */
export function traceColumns(traced: TracedLap, givenLine?: ReferenceLine): TraceColumns | null {
  const line = givenLine ?? lineOfLap(traced);
  const path = line && lapPath(traced, line.plane);
  if (line === null || path === null) return null;
  const projection = projectOnto(line, path, { x: 0, y: 0 });
  if (projection.length < 2) return null;
  const { fixes } = traced.trace;
  const { startTimeMs, lapTimeMs } = traced.lap;
  const endTimeMs = startTimeMs + lapTimeMs;
  const times = [startTimeMs];
  for (let fix = firstFixAfter(fixes, startTimeMs); fix < fixes.length; fix += 1) {
    const timeMs = at(fixes.timesMs, fix);
    if (timeMs > startTimeMs && timeMs < endTimeMs) times.push(timeMs);
  }
  const moments = Float64Array.from([...times, endTimeMs]);
  return {
    timesMs: moments.map((timeMs) => timeMs - startTimeMs),
    meters: rising(moments.map((timeMs) => metersAt(projection, timeMs) - line.startMeters)),
    lats: valuesAt(fixes.timesMs, fixes.lats, moments),
    lons: valuesAt(fixes.timesMs, fixes.lons, moments),
    speedsMetersPerSecond: valuesAt(path.timesMs, path.speedsMetersPerSecond, moments),
  };
}

/** Never less than the entry before: a car that stands or rolls back goes no way. */
function rising(values: Float64Array): Float64Array {
  let most = Number.NEGATIVE_INFINITY;
  return values.map((value) => (most = Math.max(most, value)));
}

/** Values at moments in order, with a straight line between two of them. */
function valuesAt(timesMs: Float64Array, values: Float64Array, moments: Float64Array): Float64Array {
  let index = 0;
  return moments.map((moment) => {
    while (index + 2 < timesMs.length && at(timesMs, index + 1) <= moment) index += 1;
    const share = (moment - at(timesMs, index)) / (at(timesMs, index + 1) - at(timesMs, index));
    const between = Math.max(0, Math.min(1, share));
    return at(values, index) + between * (at(values, index + 1) - at(values, index));
  });
}
