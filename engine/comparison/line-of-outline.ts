import { at } from '../fix-columns.ts';
import { planeAround, toPlane, type Plane, type PlanePoint } from '../geo.ts';
import type { Track } from '../track.ts';
import type { LapPath } from './lap-path.ts';
import { metersAt, projectOnto } from './projection.ts';
import { curveThrough, lineThrough, type ReferenceLine } from './reference-line.ts';

/** Holds what corners are counted on. */
export type TrackOutline = Pick<Track, 'outline' | 'finishLine'>;

/** The line has a margin this long before the start and after the end: laps of other receivers begin and end some metres away. */
const MARGIN_METERS = 150;

/** Returns the line of a track from its outline, on a plane; null for a track without an outline. */
export function lineOfOutline({ outline, finishLine }: TrackOutline, plane?: Plane): ReferenceLine | null {
  const [first] = outline ?? [];
  if (outline === null || first === undefined || outline.length < 3) return null;
  const onPlane = plane ?? planeAround({ lat: first[0], lon: first[1] });
  const points = outline.map(([lat, lon]) => toPlane(onPlane, { lat, lon }));
  const { before, lap, after } = finishLine ? prolonged(points) : wrapped(closed(points));
  const path = pathThrough([...before, ...lap, ...after]);
  const line = lineThrough(onPlane, curveThrough(path), { startMeters: 0, endMeters: 0 });
  // The distances between the points serve as times.
  const projection = projectOnto(line, path, { x: 0, y: 0 });
  const startMeters = metersAt(projection, at(path.timesMs, before.length));
  const endMeters = metersAt(projection, at(path.timesMs, before.length + lap.length - 1));
  return endMeters > startMeters ? { ...line, startMeters, endMeters } : null;
}

/** Describes the points of a path, and those of the margins around it. */
type PathWithMargins = { before: PlanePoint[]; lap: PlanePoint[]; after: PlanePoint[] };

function closed(points: PlanePoint[]): PlanePoint[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || distance(first, last) < 1) return points;
  return [...points, first];
}

/** The end of a circuit leads to its start. */
function wrapped(lap: PlanePoint[]): PathWithMargins {
  return {
    before: pointsWithin(lap.toReversed()).toReversed(),
    lap,
    after: pointsWithin(lap),
  };
}

/** Returns the points after the first of a path, as far as its margin reaches. */
function pointsWithin(points: readonly PlanePoint[]): PlanePoint[] {
  const within: PlanePoint[] = [];
  let [meters, before] = [0, points[0]];
  for (const point of points.slice(1)) {
    if (before === undefined || meters >= MARGIN_METERS) break;
    meters += distance(before, point);
    within.push(point);
    before = point;
  }
  return within;
}

/** A path with two ends goes on straight beyond both. */
function prolonged(lap: PlanePoint[]): PathWithMargins {
  return { before: [beyond(lap[1], lap[0])], lap, after: [beyond(lap.at(-2), lap.at(-1))] };
}

function beyond(from: PlanePoint | undefined, to: PlanePoint | undefined): PlanePoint {
  const [a, b] = [from ?? { x: 0, y: 0 }, to ?? { x: 0, y: 0 }];
  const factor = MARGIN_METERS / Math.max(1, distance(a, b));
  return { x: b.x + factor * (b.x - a.x), y: b.y + factor * (b.y - a.y) };
}

/** Returns the path through points; their distances along it serve as times. */
export function pathOfPoints(points: readonly PlanePoint[], meters: Float64Array): LapPath {
  return {
    length: points.length,
    timesMs: meters,
    xs: Float64Array.from(points, ({ x }) => x),
    ys: Float64Array.from(points, ({ y }) => y),
    speedsMetersPerSecond: new Float64Array(points.length),
    metersBeforeStart: 0,
  };
}

function pathThrough(points: readonly PlanePoint[]): LapPath {
  const meters = new Float64Array(points.length);
  points.forEach((point, index) => {
    const before = points[index - 1];
    // Points of an outline may coincide.
    if (before !== undefined) meters[index] = at(meters, index - 1) + Math.max(0.01, distance(before, point));
  });
  return pathOfPoints(points, meters);
}

function distance(a: PlanePoint, b: PlanePoint): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}
