import { at } from '../fix-columns.ts';
import { planeAround, planeX, planeY, wrapDegrees } from '../geo.ts';
import type { Plane } from '../geo.ts';
import type { Lap } from '../timing/laps.ts';
import type { Progress } from './monotone-interpolation.ts';
import type { Trace } from '../trace/trace.ts';

/** A lap and the trace that it was timed on. */
export type TracedLap = { trace: Trace; lap: Pick<Lap, 'startTimeMs' | 'lapTimeMs'> };

/** The path of a lap as a polyline of many short pieces, from start to end. */
export type LapPath = {
  plane: Plane;
  xs: Float64Array;
  ys: Float64Array;
  /** Arc length up to every point, in metres. */
  meters: Float64Array;
  lengthMeters: number;
  /** When the lap itself was where. */
  progress: Progress;
};

/** Pieces of about this length follow any bend; shorter steps than this are noise. */
const PIECE_METERS = 4;
const STEP_MIN_METERS = 3;
const PIECES_MAX = 40;
/** Farther from the path than this, a car is elsewhere. */
const OFFSET_MAX_METERS = 50;
/** A car is looked for from a little behind where it was to some way beyond where it can be. */
const BEHIND_METERS = 20;
const AHEAD_METERS = 40;
const AHEAD_SHARE = 1.5;

/** One point of a lap on a plane, in metres. */
type PathPoint = { x: number; y: number; timeMs: number };

/** Builds the path of a lap; null where it holds hardly any fixes. */
export function buildLapPath(traced: TracedLap): LapPath | null {
  const [first] = lapFixes(traced);
  const { lats, lons } = traced.trace.fixes;
  const plane = planeAround({ lat: at(lats, first), lon: at(lons, first) });
  const corners = pathPoints(traced, plane);
  if (corners.length < 4) return null;
  const xs: number[] = [];
  const ys: number[] = [];
  const meters: number[] = [];
  const cornerMeters: number[] = [];
  let along = 0;
  corners.forEach((corner, index) => {
    const next = corners[index + 1];
    const pieces = next === undefined ? 1 : piecesBetween(corner, next);
    for (let piece = 0; piece < pieces; piece += 1) {
      const point = next === undefined ? corner : interpolatePoint(corners, index, piece / pieces);
      along += xs.length === 0 ? 0 : Math.hypot(point.x - (xs.at(-1) ?? 0), point.y - (ys.at(-1) ?? 0));
      if (piece === 0) cornerMeters.push(along);
      xs.push(point.x);
      ys.push(point.y);
      meters.push(along);
    }
  });
  const path = {
    plane,
    xs: Float64Array.from(xs),
    ys: Float64Array.from(ys),
    meters: Float64Array.from(meters),
    lengthMeters: along,
  };
  const timesMs = Float64Array.from(corners, ({ timeMs }) => timeMs);
  return { ...path, progress: { meters: Float64Array.from(cornerMeters), timesMs } };
}

/** Projects another lap onto this path: when it was how far along, and the share of it that was on this path at all. */
export function projectOntoPath(
  path: LapPath,
  traced: TracedLap,
): { progress: Progress; matchedShare: number } {
  const { startTimeMs, lapTimeMs } = traced.lap;
  const meters = [0];
  const timesMs = [startTimeMs];
  let [matched, furthest, looked] = [0, 0, 0];
  let since = 0;
  const points = pathPoints(traced, path.plane);
  points.slice(1, -1).forEach((point, index) => {
    const before = points[index] ?? point;
    since += Math.hypot(point.x - before.x, point.y - before.y);
    const found = nearestOnPath(path, point, {
      from: furthest - BEHIND_METERS,
      to: furthest + AHEAD_METERS + AHEAD_SHARE * since,
      start: looked,
    });
    if (found === null) return;
    matched += 1;
    since = 0;
    looked = found.piece;
    // A car that goes back, or seems to, is where it was before until it gets on.
    if (
      found.meters <= furthest + PROGRESS_MIN_METERS ||
      found.meters >= path.lengthMeters - PROGRESS_MIN_METERS
    )
      return;
    furthest = found.meters;
    meters.push(found.meters);
    timesMs.push(point.timeMs);
  });
  meters.push(path.lengthMeters);
  timesMs.push(startTimeMs + lapTimeMs);
  return {
    progress: { meters: Float64Array.from(meters), timesMs: Float64Array.from(timesMs) },
    matchedShare: points.length > 2 ? matched / (points.length - 2) : 0,
  };
}

const PROGRESS_MIN_METERS = 0.5;

/** The first and the last fix of a lap. */
function lapFixes({ trace, lap }: TracedLap): [first: number, last: number] {
  const { timesMs, length } = trace.fixes;
  let first = 0;
  while (first < length && at(timesMs, first) <= lap.startTimeMs) first += 1;
  let last = first;
  while (last + 1 < length && at(timesMs, last + 1) < lap.startTimeMs + lap.lapTimeMs) last += 1;
  return [first, last];
}

/** The fixes of a lap that are some metres apart, with interpolated points on the line at both ends. */
function pathPoints(traced: TracedLap, plane: Plane): PathPoint[] {
  const { trace, lap } = traced;
  const { timesMs, lats, lons, length } = trace.fixes;
  const [first, last] = lapFixes(traced);
  const pointAt = (timeMs: number, fix: number): PathPoint => {
    const [from, to] = [Math.max(0, fix - 1), Math.min(length - 1, fix)];
    const stepMs = at(timesMs, to) - at(timesMs, from);
    const share = stepMs > 0 ? (timeMs - at(timesMs, from)) / stepMs : 0;
    return {
      timeMs,
      x: planeX(plane, at(lons, from) + share * wrapDegrees(at(lons, to) - at(lons, from))),
      y: planeY(plane, at(lats, from) + share * (at(lats, to) - at(lats, from))),
    };
  };
  const points = [pointAt(lap.startTimeMs, first)];
  const end = pointAt(lap.startTimeMs + lap.lapTimeMs, last + 1);
  for (let fix = first; fix <= last; fix += 1) {
    const point = {
      timeMs: at(timesMs, fix),
      x: planeX(plane, at(lons, fix)),
      y: planeY(plane, at(lats, fix)),
    };
    const before = points.at(-1) ?? point;
    if (Math.hypot(point.x - before.x, point.y - before.y) >= STEP_MIN_METERS) points.push(point);
  }
  const beforeEnd = points.at(-1) ?? end;
  if (points.length > 1 && Math.hypot(end.x - beforeEnd.x, end.y - beforeEnd.y) < STEP_MIN_METERS / 2)
    points.pop();
  return [...points, end];
}

function piecesBetween(from: PathPoint, to: PathPoint): number {
  const pieces = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / PIECE_METERS);
  return Math.max(1, Math.min(pieces, PIECES_MAX));
}

/** The point at share `u` between a corner and the next, on a Catmull-Rom spline over time. */
function interpolatePoint(corners: readonly PathPoint[], index: number, u: number): { x: number; y: number } {
  const from = corners[index];
  const to = corners[index + 1];
  if (from === undefined || to === undefined) throw new Error('There is no next corner.');
  const before = corners[index - 1] ?? from;
  const after = corners[index + 2] ?? to;
  const stepMs = to.timeMs - from.timeMs;
  const v = 1 - u;
  const curve = (key: 'x' | 'y'): number => {
    const slopeFrom = (stepMs * (to[key] - before[key])) / Math.max(1, to.timeMs - before.timeMs);
    const slopeTo = (stepMs * (after[key] - from[key])) / Math.max(1, after.timeMs - from.timeMs);
    return v * v * (from[key] * (1 + 2 * u) + slopeFrom * u) + u * u * (to[key] * (1 + 2 * v) - slopeTo * v);
  };
  return { x: curve('x'), y: curve('y') };
}

/** The nearest point of the path, among those from `from` to `to` metres along it; null where none is near. */
function nearestOnPath(
  path: LapPath,
  { x, y }: PathPoint,
  { from, to, start }: { from: number; to: number; start: number },
): { meters: number; piece: number } | null {
  const { xs, ys, meters } = path;
  let piece = start;
  while (piece > 0 && at(meters, piece) > from) piece -= 1;
  let nearest: { meters: number; piece: number } | null = null;
  let least = OFFSET_MAX_METERS ** 2;
  for (; piece + 1 < xs.length && at(meters, piece) <= to; piece += 1) {
    const [alongX, alongY] = [at(xs, piece + 1) - at(xs, piece), at(ys, piece + 1) - at(ys, piece)];
    const [offX, offY] = [x - at(xs, piece), y - at(ys, piece)];
    const squared = alongX * alongX + alongY * alongY;
    const share = squared > 0 ? Math.max(0, Math.min(1, (offX * alongX + offY * alongY) / squared)) : 0;
    const distance = (offX - share * alongX) ** 2 + (offY - share * alongY) ** 2;
    if (distance >= least) continue;
    least = distance;
    nearest = { meters: at(meters, piece) + share * Math.sqrt(squared), piece };
  }
  return nearest;
}
