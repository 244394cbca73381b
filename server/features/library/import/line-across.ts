import { bearingDegrees, distanceMeters, type Position } from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { isClosed, lengthOfOutline } from '#server/model/tracks/track-outline.ts';
import { readTimingLine } from './read-timing-line.ts';

// Shorter than any bend in which a line may lie, and longer than the errors of points.
const REACH_METERS = 12;
// A start that lies farther from the points belongs to another layout.
const AWAY_METERS_MAX = 60;

/** Finds the driving direction at `start`, in degrees from north; null where no point is near. Circuits are closed. */
export function directionAt(points: readonly Position[], start: Position): number | null {
  const distances = points.map((point) => distanceMeters(point, start));
  const nearest = distances.reduce(
    (best, meters, index) => (meters < (distances[best] ?? Infinity) ? index : best),
    0,
  );
  if (!((distances[nearest] ?? Infinity) <= AWAY_METERS_MAX)) return null;
  const [before, after] = [walk(points, nearest, -1), walk(points, nearest, 1)];
  return distanceMeters(before, after) > 0 ? bearingDegrees(before, after) : null;
}

/** Finds the first point at least `REACH_METERS` from that at `from` in one direction; the last without one. */
function walk(points: readonly Position[], from: number, step: 1 | -1): Position {
  const origin = points[from] ?? { lat: Number.NaN, lon: Number.NaN };
  const leadsOn = isClosed(points);
  let reached = origin;
  for (let steps = 1; steps < points.length; steps += 1) {
    const index = from + step * steps;
    const point = leadsOn ? points.at(index % points.length) : index < 0 ? undefined : points[index];
    if (!point) break;
    reached = point;
    if (distanceMeters(origin, point) >= REACH_METERS) break;
  }
  return reached;
}

// The neighbouring straight of a kart track is near; the start of a car track may lie on the pit side of a wide straight.
const SHORT_LAP_METERS = 2_000;
const SHORT_LAP_WIDTH_METERS = 24;
const LONG_LAP_WIDTH_METERS = 40;

/** Returns the width of a line that is built from a point, for a lap of this length. */
export function widthOfLine(lapMeters: number): number {
  return lapMeters < SHORT_LAP_METERS ? SHORT_LAP_WIDTH_METERS : LONG_LAP_WIDTH_METERS;
}

/** Builds a line perpendicular to the path at a point, for either direction; null where the point is not on it. */
export function lineThroughPoint(points: readonly Position[], point: Position): TimingLine | null {
  const bearing = directionAt(points, point);
  if (bearing === null) return null;
  const width = widthOfLine(lengthOfOutline(points.map(({ lat, lon }) => [lat, lon])));
  const reading = readTimingLine({ ...point, bearing, width });
  return 'line' in reading ? { ...reading.line, bearingDeg: null } : null;
}
