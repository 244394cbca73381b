import {
  bearingDegrees,
  bearingVector,
  distanceMeters,
  planeAround,
  toPlane,
  toPosition,
} from '#engine/geo.ts';
import type { PlanePoint, Position } from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import type { OutlinePoint, SectorLine } from '#engine/track.ts';

export type TrackLines = {
  startFinishLine: TimingLine;
  /** Null on circuits. */
  finishLine: TimingLine | null;
  sectors: readonly SectorLine[];
};

/** The key of one line; sectors have their number in driving order, from 0. */
export type LineKey = 'start' | 'finish' | number;

/** The path that the lines cross; open if it does not lead back to its start. */
export type Path = { outline: readonly OutlinePoint[]; isOpen: boolean };

/** The pose of a line on a path: its point on the outline, its reach to both sides, and its angle from square. */
export type LinePose = {
  /** The number of the point, with fractions between two points. */
  index: number;
  leftMeters: number;
  rightMeters: number;
  /** The angle is clockwise; 0 is square to the driving direction. */
  skewDegrees: number;
  /** True if the line is crossed against the order of the outline. */
  isReverse: boolean;
};

export const REACH_METERS = { min: 2, max: 60, usual: 14 } as const;
export const SKEW_DEGREES_MAX = 45;
/** A dragged end within this angle of square snaps to it. */
const SNAP_DEGREES = 12;
/** The direction at a point runs from this many points before it to as many after it. */
const ARM_POINTS = 2;

export function lineAt(path: Path, pose: LinePose): TimingLine {
  const { origin, forward } = frameAt(path, pose.index);
  const driven = pose.isReverse ? { x: -forward.x, y: -forward.y } : forward;
  const across = turn({ x: driven.y, y: -driven.x }, pose.skewDegrees);
  const plane = planeAround(origin);
  const end = (meters: number): Position => toPosition(plane, { x: across.x * meters, y: across.y * meters });
  const ahead = toPosition(plane, { x: -across.y, y: across.x });
  return { a: end(-pose.leftMeters), b: end(pose.rightMeters), bearingDeg: bearingDegrees(origin, ahead) };
}

/** Finds the pose of a line on a path: at the crossing in its direction, else at the nearest point. */
export function findPose(path: Path, line: TimingLine): LinePose {
  const plane = planeAround({ lat: (line.a.lat + line.b.lat) / 2, lon: (line.a.lon + line.b.lon) / 2 });
  const [a, b] = [toPlane(plane, line.a), toPlane(plane, line.b)];
  const points = path.outline.map(([lat, lon]) => toPlane(plane, { lat, lon }));
  const index = crossingIndex(path, points, a, b) ?? nearestIndex(points, { x: 0, y: 0 });
  const { origin, forward } = frameAt(path, index);
  const center = toPlane(plane, origin);
  const bearing = line.bearingDeg === null ? null : bearingVector(line.bearingDeg);
  const isReverse = bearing !== null && bearing.x * forward.x + bearing.y * forward.y < 0;
  const right = isReverse ? { x: -forward.y, y: forward.x } : { x: forward.y, y: -forward.x };
  const direction = { x: b.x - a.x, y: b.y - a.y };
  // The ends may be in either order if the direction is unknown.
  const sign = direction.x * right.x + direction.y * right.y < 0 ? -1 : 1;
  const [left, end] = sign === 1 ? [a, b] : [b, a];
  return {
    index,
    leftMeters: clampReach(Math.hypot(left.x - center.x, left.y - center.y)),
    rightMeters: clampReach(Math.hypot(end.x - center.x, end.y - center.y)),
    skewDegrees: angleBetween(right, { x: sign * direction.x, y: sign * direction.y }),
    isReverse,
  };
}

/** Returns the pose after one end was dragged to a position: it changes length and angle, and snaps to square. */
export function poseWithEnd(path: Path, pose: LinePose, end: 'a' | 'b', to: Position): LinePose {
  const { origin, forward } = frameAt(path, pose.index);
  const point = toPlane(planeAround(origin), to);
  const driven = pose.isReverse ? { x: -forward.x, y: -forward.y } : forward;
  const side = end === 'a' ? -1 : 1;
  const skew = angleBetween({ x: side * driven.y, y: -side * driven.x }, point);
  const skewDegrees =
    Math.abs(skew) <= SNAP_DEGREES ? 0 : Math.max(-SKEW_DEGREES_MAX, Math.min(SKEW_DEGREES_MAX, skew));
  const meters = clampReach(Math.hypot(point.x, point.y));
  return { ...pose, skewDegrees, ...(end === 'a' ? { leftMeters: meters } : { rightMeters: meters }) };
}

export function findLine(lines: TrackLines, key: LineKey): TimingLine | null {
  if (key === 'start') return lines.startFinishLine;
  if (key === 'finish') return lines.finishLine;
  return lines.sectors[key] ?? null;
}

/** Replaces one of the lines; sector lines stay in driving order, so the key may change. */
export function withLine(
  path: Path,
  lines: TrackLines,
  key: LineKey,
  line: TimingLine,
): { lines: TrackLines; key: LineKey } {
  if (key === 'start') return { lines: inOrder(path, { ...lines, startFinishLine: line }), key };
  if (key === 'finish') return { lines: { ...lines, finishLine: line }, key };
  const moved = lines.sectors[key];
  if (moved === undefined) return { lines, key };
  const replaced = { ...line, name: moved.name };
  const ordered = inOrder(path, {
    ...lines,
    sectors: lines.sectors.map((sector, index) => (index === key ? replaced : sector)),
  });
  return { lines: ordered, key: ordered.sectors.findIndex(({ a, b }) => a === line.a && b === line.b) };
}

/** Adds a sector line in the middle of the longest part between two lines. */
export function withSector(path: Path, lines: TrackLines): { lines: TrackLines; key: LineKey } {
  const length = pathLength(path);
  const ends = [
    0,
    ...lines.sectors.map((sector) => indexAfterStart(path, lines, sector)),
    lastIndex(path, lines),
  ];
  let [best, gap] = [0, 0];
  ends.forEach((end, index) => {
    const before = ends[index - 1] ?? end;
    if (end - before > gap) [best, gap] = [(before + end) / 2, end - before];
  });
  const start = findPose(path, lines.startFinishLine);
  const index = start.index + (start.isReverse ? -best : best);
  const pose: LinePose = {
    index: path.isOpen ? Math.max(0, Math.min(length, index)) : (index + 2 * length) % length,
    leftMeters: REACH_METERS.usual,
    rightMeters: REACH_METERS.usual,
    skewDegrees: 0,
    isReverse: start.isReverse,
  };
  const line = lineAt(path, pose);
  const added = inOrder(path, { ...lines, sectors: [...lines.sectors, { ...line, name: 'S' }] }, true);
  return { lines: added, key: added.sectors.findIndex(({ a }) => a === line.a) };
}

export function withoutLine(lines: TrackLines, key: LineKey): TrackLines {
  if (key === 'finish') return { ...lines, finishLine: null };
  const sectors = lines.sectors.filter((_, index) => index !== key);
  return { ...lines, sectors: renamed(sectors) };
}

/** Adds a finish line well after the start, for runs that end elsewhere than they begin. */
export function withFinish(path: Path, lines: TrackLines): TrackLines {
  const start = findPose(path, lines.startFinishLine);
  const ahead = FINISH_SHARE * pathLength(path) * (start.isReverse ? -1 : 1);
  const index = (start.index + ahead + pathLength(path)) % pathLength(path);
  return { ...lines, finishLine: lineAt(path, { ...start, index, skewDegrees: 0 }) };
}

const FINISH_SHARE = 0.8;

/** Reverses the driving direction of the lines; a stage then begins at its former finish. */
export function turned({ startFinishLine, finishLine, sectors }: TrackLines): TrackLines {
  return {
    startFinishLine: turnedLine(finishLine ?? startFinishLine),
    finishLine: finishLine === null ? null : turnedLine(startFinishLine),
    sectors: renamed(sectors.map(turnedLine).toReversed()),
  };
}

function turnedLine<Line extends TimingLine>(line: Line): Line {
  const { a, b, bearingDeg } = line;
  return { ...line, a: b, b: a, bearingDeg: bearingDeg === null ? null : (bearingDeg + 180) % 360 };
}

/** A run from start to finish has at least this length. */
const RUN_METERS_MIN = 100;

/** Returns the range of points in which a line can be: an open run starts before it finishes. */
export function findLineRange(path: Path, lines: TrackLines, key: LineKey): { first: number; last: number } {
  const whole = { first: 0, last: pathLength(path) };
  if (!path.isOpen || typeof key === 'number' || lines.finishLine === null) return whole;
  const start = findPose(path, lines.startFinishLine);
  const finish = findPose(path, lines.finishLine);
  // This is true for the line that is later on the outline.
  const isLater = (key === 'finish') !== start.isReverse;
  const other = (key === 'finish' ? start : finish).index;
  const gap = Math.min(RUN_METERS_MIN / spacingMeters(path), pathLength(path) / 2);
  return isLater
    ? { first: Math.min(Math.ceil(other + gap), whole.last), last: whole.last }
    : { first: 0, last: Math.max(0, Math.floor(other - gap)) };
}

/** Removes the sector lines that are outside the run. */
export function removeLinesOutsideRun(path: Path, lines: TrackLines): TrackLines {
  if (!path.isOpen || lines.finishLine === null) return lines;
  const last = lastIndex(path, lines);
  const sectors = lines.sectors.filter((sector) => {
    const index = indexAfterStart(path, lines, sector);
    return index > 0 && index < last;
  });
  return { ...lines, sectors: sectors.length === lines.sectors.length ? sectors : renamed(sectors) };
}

/** Finds the point of the path within a range that is nearest to a position, and returns its number. */
export function nearestPoint(
  path: Path,
  position: Position,
  { first, last } = { first: 0, last: pathLength(path) },
): number {
  const plane = planeAround(position);
  const inRange = path.outline.slice(first, last + 1);
  const points = inRange.map(([lat, lon]) => toPlane(plane, { lat, lon }));
  return first + nearestIndex(points, { x: 0, y: 0 });
}

/** Returns the mean distance between two points of a path. */
function spacingMeters(path: Path): number {
  const meters = path.outline.slice(1).map(([lat, lon], index) => {
    const [fromLat, fromLon] = path.outline[index] ?? [lat, lon];
    return distanceMeters({ lat: fromLat, lon: fromLon }, { lat, lon });
  });
  return Math.max(1, meters.reduce((sum, one) => sum + one, 0) / Math.max(1, meters.length));
}

/** Returns the last index on a path, in points. */
export function pathLength({ outline, isOpen }: Path): number {
  return isOpen ? outline.length - 1 : outline.length;
}

function inOrder(path: Path, lines: TrackLines, renames = false): TrackLines {
  const sectors = lines.sectors
    .map((sector) => ({ sector, index: indexAfterStart(path, lines, sector) }))
    .toSorted((one, other) => one.index - other.index)
    .map(({ sector }) => sector);
  return { ...lines, sectors: renames ? renamed(sectors, true) : renamed(sectors) };
}

/** Numbers sectors in driving order where their names are no more than numbers. */
function renamed(sectors: readonly SectorLine[], always = false): SectorLine[] {
  const areNumbers = always || sectors.every(({ name }) => /^S\d*$/.test(name));
  return sectors.map((sector, index) => (areNumbers ? { ...sector, name: `S${index + 1}` } : sector));
}

/** Counts the points from the start/finish line to another line. */
function indexAfterStart(path: Path, lines: TrackLines, line: TimingLine): number {
  const start = findPose(path, lines.startFinishLine);
  const ahead = (findPose(path, line).index - start.index) * (start.isReverse ? -1 : 1);
  const length = pathLength(path);
  return path.isOpen ? Math.max(0, ahead) : (ahead + 2 * length) % length;
}

function lastIndex(path: Path, lines: TrackLines): number {
  return lines.finishLine === null ? pathLength(path) : indexAfterStart(path, lines, lines.finishLine);
}

/** Returns a point of the path and the direction of its outline there, as a unit vector. */
function frameAt({ outline, isOpen }: Path, index: number): { origin: Position; forward: PlanePoint } {
  const count = outline.length;
  const pointAt = (number: number): Position => {
    const inside = isOpen ? Math.max(0, Math.min(count - 1, number)) : (number + 2 * count) % count;
    const [lat, lon] = outline[inside] ?? [0, 0];
    return { lat, lon };
  };
  const floor = Math.floor(index);
  const share = index - floor;
  const [from, to] = [pointAt(floor), pointAt(floor + 1)];
  const origin = {
    lat: from.lat + share * (to.lat - from.lat),
    lon: from.lon + share * (to.lon - from.lon),
  };
  const plane = planeAround(origin);
  const [before, after] = [pointAt(floor - ARM_POINTS), pointAt(Math.ceil(index) + ARM_POINTS)];
  const [first, last] = [toPlane(plane, before), toPlane(plane, after)];
  const [x, y] = [last.x - first.x, last.y - first.y];
  const meters = Math.hypot(x, y) || 1;
  return { origin, forward: { x: x / meters, y: y / meters } };
}

/** Finds the index at which a path crosses a line, in points, nearest to its middle. Null without a crossing. */
function crossingIndex(
  path: Path,
  points: readonly PlanePoint[],
  a: PlanePoint,
  b: PlanePoint,
): number | null {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  const sides = path.isOpen ? points.length - 1 : points.length;
  for (let side = 0; side < sides; side += 1) {
    const [from, to] = [points[side], points[(side + 1) % points.length]];
    if (from === undefined || to === undefined) continue;
    const determinant = (to.x - from.x) * (b.y - a.y) - (to.y - from.y) * (b.x - a.x);
    if (determinant === 0) continue;
    const u = ((a.x - from.x) * (b.y - a.y) - (a.y - from.y) * (b.x - a.x)) / determinant;
    const v = ((a.x - from.x) * (to.y - from.y) - (a.y - from.y) * (to.x - from.x)) / determinant;
    if (u < 0 || u > 1 || v < 0 || v > 1 || Math.abs(v - 0.5) >= least) continue;
    [best, least] = [side + u, Math.abs(v - 0.5)];
  }
  return best === -1 ? null : best;
}

function nearestIndex(points: readonly PlanePoint[], { x, y }: PlanePoint): number {
  const distances = points.map((point) => Math.hypot(point.x - x, point.y - y));
  return distances.indexOf(Math.min(...distances));
}

function clampReach(meters: number): number {
  return Math.max(REACH_METERS.min, Math.min(REACH_METERS.max, meters));
}

/** Rotates a vector clockwise, as seen from above. */
function turn({ x, y }: PlanePoint, degrees: number): PlanePoint {
  const radians = (degrees * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  return { x: x * cosine + y * sine, y: y * cosine - x * sine };
}

/** Returns the clockwise angle from one direction to another, -180 to 180. */
function angleBetween(one: PlanePoint, other: PlanePoint): number {
  const cross = one.x * other.y - one.y * other.x;
  return (-Math.atan2(cross, one.x * other.x + one.y * other.y) * 180) / Math.PI;
}
