import type { Track } from '#contract/tracks/schemas.ts';
import {
  bearingVector,
  distanceMeters,
  middle,
  planeAround,
  type Position,
  toPlane,
  toPosition,
} from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import type { OutlinePoint } from '#engine/track.ts';
import type { Report } from '#server/model/cars/imported-fields.ts';

// A recorded lap begins and ends on the same straight, not always at the same point.
const GAP_METERS_MAX = 150;
// The side that closes an outline of few points is about as long as its other sides.
const GAP_SIDES_MAX = 1.5;
const POINTS_MIN = 4;

/** Converts points to the outline of a track: an open one where the track has a finish line, else a closed one. */
export function outlineFor(
  report: Pick<Report, 'warnings'>,
  points: readonly Position[] | null,
  { startFinishLine, finishLine = null }: Pick<Track, 'startFinishLine' | 'finishLine'>,
): OutlinePoint[] | null {
  return finishLine === null
    ? readCircuit(report, points, startFinishLine)
    : readStage(report, points, { start: startFinishLine, finish: finishLine });
}

/**
 * Converts points to the closed outline of a circuit. It begins at `line` where there is one, and follows the driving direction
 * where `line` gives one. Returns null, with a warning, where the points do not lead back to the first one.
 */
function readCircuit(
  report: Pick<Report, 'warnings'>,
  points: readonly Position[] | null,
  line: TimingLine | null,
): OutlinePoint[] | null {
  const corners = withoutRepeats(points ?? []);
  if (corners.length === 0) return null;
  if (corners.length < POINTS_MIN || !isClosed(corners)) {
    report.warnings.push('The outline is not closed and was left out.');
    return null;
  }
  return close(line ? beginAt(report, corners, line) : corners);
}

/** Converts points to the outline from start to finish; null, with a warning, where they do not lead there. */
function readStage(
  report: Pick<Report, 'warnings'>,
  points: readonly Position[] | null,
  { start, finish }: { start: TimingLine | null; finish: TimingLine },
): OutlinePoint[] | null {
  if (points === null || start === null) return null;
  const [from, to] = [nearestTo(points, start), nearestTo(points, finish)];
  const isTurned = to.index < from.index;
  const way = points.slice(Math.min(from.index, to.index), Math.max(from.index, to.index) + 1);
  if (way.length < POINTS_MIN || Math.max(from.meters, to.meters) > STAGE_END_METERS_MAX) {
    report.warnings.push('The outline does not lead from the start to the finish and was left out.');
    return null;
  }
  if (isTurned) report.warnings.push('The outline was turned round, from the start to the finish.');
  return (isTurned ? way.toReversed() : way).map(({ lat, lon }) => [lat, lon]);
}

// The points of a coarse outline are this far apart.
const STAGE_END_METERS_MAX = 150;

function nearestTo(points: readonly Position[], line: TimingLine): { index: number; meters: number } {
  const place = middle(line.a, line.b);
  const distances = points.map((point) => distanceMeters(place, point));
  const meters = distances.reduce((least, distance) => Math.min(least, distance), Number.POSITIVE_INFINITY);
  return { index: distances.indexOf(meters), meters };
}

export function lengthOfOutline(outline: readonly OutlinePoint[]): number {
  let meters = 0;
  for (const [index, point] of outline.entries()) {
    const before = outline[index - 1];
    if (before) meters += distanceMeters(positionReader(before), positionReader(point));
  }
  return meters;
}

export type Circle = { center: Position; radiusMeters: number };

/** Returns a circle around all points; its centre is the centre of their bounding box. */
export function circleAround(points: readonly Position[]): Circle | null {
  const [first] = points;
  if (!first) return null;
  const plane = planeAround(first);
  const placed = points.map((point) => toPlane(plane, point));
  const center = {
    x: halfway(placed.map(({ x }) => x)),
    y: halfway(placed.map(({ y }) => y)),
  };
  const radiusMeters = placed.reduce(
    (most, { x, y }) => Math.max(most, Math.hypot(x - center.x, y - center.y)),
    0,
  );
  return { center: toPosition(plane, center), radiusMeters };
}

function positionReader([lat, lon]: OutlinePoint): Position {
  return { lat, lon };
}

function halfway(values: readonly number[]): number {
  const [least, most] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return (least + most) / 2;
}

/** Removes repeated points. Many files repeat the first point at the end. */
function withoutRepeats(points: readonly Position[]): Position[] {
  return points.filter((point, index) => {
    const next = points[(index + 1) % points.length];
    return !next || next === point || next.lat !== point.lat || next.lon !== point.lon;
  });
}

/** Tells whether the points lead back to the first one. */
export function isClosed(corners: readonly Position[]): boolean {
  // The first side leads from the last point to the first.
  const [gap = 0, ...sides] = corners.map((corner, index) =>
    distanceMeters(corners.at(index - 1) ?? corner, corner),
  );
  return gap <= Math.max(GAP_METERS_MAX, GAP_SIDES_MAX * sides.reduce((a, b) => Math.max(a, b), 0));
}

function close(corners: readonly Position[]): OutlinePoint[] {
  const [first] = corners;
  return [...corners, ...(first ? [first] : [])].map(({ lat, lon }) => [lat, lon]);
}

function beginAt(
  report: Pick<Report, 'warnings'>,
  corners: readonly Position[],
  line: TimingLine,
): Position[] {
  const nearest = nearestTo(corners, line).index;
  const rotated = [...corners.slice(nearest), ...corners.slice(0, nearest)];
  if (!isAgainst(rotated, line.bearingDeg)) return rotated;
  report.warnings.push('The outline was turned round, into the driving direction of the start/finish line.');
  const [first, ...others] = rotated;
  return [...(first ? [first] : []), ...others.toReversed()];
}

/** Tells whether the points pass the first one against the bearing. */
function isAgainst(corners: readonly Position[], bearingDeg: number | null): boolean {
  const [first, next] = corners;
  const before = corners.at(-1);
  if (bearingDeg === null || !first || !next || !before) return false;
  const plane = planeAround(first);
  const [from, to] = [toPlane(plane, before), toPlane(plane, next)];
  const driving = bearingVector(bearingDeg);
  return (to.x - from.x) * driving.x + (to.y - from.y) * driving.y < 0;
}
