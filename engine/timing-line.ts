import {
  bearingVector,
  middle,
  planeAround,
  toPlane,
  type Plane,
  type PlanePoint,
  type Position,
} from './geo.ts';

/**
 * Describes a line across the track. Seen by a driver who passes it the right way, `a` is its left end and `b` its
 * right end. `bearingDeg` is that driving direction, clockwise from north; null where unknown.
 */
export type TimingLine = { a: Position; b: Position; bearingDeg: number | null };

/**
 * Describes a timing line on the plane around its own middle, which is the plane's origin: `forward` is the unit vector
 * across the line in driving direction, `right` the one along it. Without a known direction, `forward` is the direction
 * in which `a` is on the left; `isDirected` says which case it is.
 */
export type LineFrame = {
  plane: Plane;
  forward: PlanePoint;
  right: PlanePoint;
  halfWidthMeters: number;
  isDirected: boolean;
};

/** Returns where points are, seen from the line. Null for a line without extent. */
export function toLineFrame(line: TimingLine): LineFrame | null {
  const plane = planeAround(middle(line.a, line.b));
  const a = toPlane(plane, line.a);
  const b = toPlane(plane, line.b);
  const widthMeters = Math.hypot(b.x - a.x, b.y - a.y);
  if (!(widthMeters > 0)) return null;
  const right = { x: (b.x - a.x) / widthMeters, y: (b.y - a.y) / widthMeters };
  const forward = { x: -right.y, y: right.x };
  const halfWidthMeters = widthMeters / 2;
  if (line.bearingDeg === null) return { plane, forward, right, halfWidthMeters, isDirected: false };
  const driving = bearingVector(line.bearingDeg);
  const agrees = driving.x * forward.x + driving.y * forward.y >= 0;
  if (agrees) return { plane, forward, right, halfWidthMeters, isDirected: true };
  return { plane, forward: negate(forward), right: negate(right), halfWidthMeters, isDirected: true };
}

/** A line from its two ends in any order, driven in whichever direction most passes are. */
export function undirectedLine(a: Position, b: Position): TimingLine {
  return { a, b, bearingDeg: null };
}

function negate(vector: PlanePoint): PlanePoint {
  return { x: -vector.x, y: -vector.y };
}
