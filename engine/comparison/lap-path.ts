import { at } from '../fix-columns.ts';
import { planeAround, planeX, planeY } from '../geo.ts';
import type { Plane } from '../geo.ts';
import type { PositionNoise } from '../timing/position-noise.ts';
import type { Lap } from '../timing/laps.ts';
import type { Trace } from '../trace/trace.ts';

/** A lap, the trace that it was timed on, and how wrong the positions of that trace are (`OpenedLapFile.noise`). */
export type TracedLap = {
  trace: Trace;
  lap: Pick<Lap, 'startTimeMs' | 'lapTimeMs' | 'uncertaintyMs'>;
  noise: PositionNoise;
};

/**
 * The positions of a lap on a plane, in time order, with a few before its start and after its end. All columns are equally long.
 * Positions closer together than the car moves by noise are left out.
 */
export type LapPath = {
  length: number;
  timesMs: Float64Array;
  xs: Float64Array;
  ys: Float64Array;
  /** As the receiver measured it; where it did not, from the positions before and after. */
  speedsMetersPerSecond: Float64Array;
};

/** Enough to follow a lap across the line at both ends, when the positions of two receivers differ by a few metres. */
const MARGIN_MS = 3000;
/** A car that moves less than this between two positions stands, as far as its direction goes. */
const STEP_MIN_METERS = 0.5;

/** The plane on which the positions of a lap and of any other lap of the same track are compared. */
export function planeOfLap({ trace, lap }: TracedLap): Plane {
  const first = firstFixAfter(trace, lap.startTimeMs);
  return planeAround({ lat: at(trace.fixes.lats, first), lon: at(trace.fixes.lons, first) });
}

/** The positions of a lap; null where it has too few to be compared. */
export function lapPath({ trace, lap }: TracedLap, plane: Plane): LapPath | null {
  const { fixes } = trace;
  const first = firstFixAfter(trace, lap.startTimeMs - MARGIN_MS);
  const endTimeMs = lap.startTimeMs + lap.lapTimeMs + MARGIN_MS;
  const kept: number[] = [];
  let [x, y] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let fix = first; fix < fixes.length && at(fixes.timesMs, fix) <= endTimeMs; fix += 1) {
    const [nextX, nextY] = [planeX(plane, at(fixes.lons, fix)), planeY(plane, at(fixes.lats, fix))];
    if (Math.hypot(nextX - x, nextY - y) < STEP_MIN_METERS) continue;
    kept.push(fix);
    [x, y] = [nextX, nextY];
  }
  if (kept.length < 4) return null;
  const path = {
    length: kept.length,
    timesMs: Float64Array.from(kept, (fix) => at(fixes.timesMs, fix)),
    xs: Float64Array.from(kept, (fix) => planeX(plane, at(fixes.lons, fix))),
    ys: Float64Array.from(kept, (fix) => planeY(plane, at(fixes.lats, fix))),
    speedsMetersPerSecond: Float64Array.from(kept, (fix) => at(fixes.speedsMetersPerSecond, fix)),
  };
  path.speedsMetersPerSecond.forEach((speed, index) => {
    if (!Number.isFinite(speed)) path.speedsMetersPerSecond[index] = speedOfPositions(path, index);
  });
  return path;
}

function firstFixAfter({ fixes }: Trace, timeMs: number): number {
  let [low, high] = [0, fixes.length - 1];
  while (low < high) {
    const half = (low + high) >> 1;
    if (at(fixes.timesMs, half) < timeMs) low = half + 1;
    else high = half;
  }
  return low;
}

function speedOfPositions({ timesMs, xs, ys, length }: LapPath, index: number): number {
  const [before, after] = [Math.max(0, index - 1), Math.min(length - 1, index + 1)];
  let meters = 0;
  for (let step = before; step < after; step += 1)
    meters += Math.hypot(at(xs, step + 1) - at(xs, step), at(ys, step + 1) - at(ys, step));
  return (1000 * meters) / (at(timesMs, after) - at(timesMs, before));
}
