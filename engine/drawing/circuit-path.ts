import { lonDifference, METERS_PER_DEGREE, middle, type Position } from '../geo.ts';
import type { OutlinePoint as TrackPoint } from '../track.ts';

// The web client and the pictures of links draw circuits with these functions.

type OutlinePoint = Readonly<TrackPoint>;
type Line = Readonly<{ a: Position; b: Position }>;

export type DrawnTrack = {
  outline?: readonly OutlinePoint[] | null | undefined;
  sectors?: readonly Line[] | undefined;
  /** Only stages have one. */
  finishLine?: Line | null | undefined;
};

/** Describes a point of a drawing: x to the right, y down. */
export type DrawnPoint = { x: number; y: number };

export type Box = { width: number; height: number; padding: number };

/** Describes a circuit or a stage as SVG paths in its box. */
export type CircuitPaths = {
  /** The whole lap, closed on circuits. */
  lap: string;
  /** One path per sector, in driving order; the last one ends at the start, or where the path ends. */
  sectors: string[];
  /** Start of each sector; the first is the start/finish line. */
  sectorStarts: DrawnPoint[];
  /** A short stroke across the track at the start/finish line. */
  startTick: string;
  /** The same at the end of a stage; null on circuits. */
  finishTick: string | null;
};

const TICK_HALF_LENGTH = 6;
const CORNER_LENGTH = 10;

/**
 * Draws an outline into a box, with north up as everywhere that a track is drawn. The outline begins at the start/finish
 * line; a sector line cuts it at the nearest point. A track with a finish line stays open. Null where there is nothing to draw.
 */
export function drawCircuit(track: DrawnTrack, box: Box): CircuitPaths | null {
  const outline = track.outline ?? [];
  const isOpen = isStage(track);
  if (outline.length < 3) return null;
  const positions = outline.map(([lat, lon]) => ({ lat, lon }));
  const points = fitInto(projectAll(positions), box);
  const starts = sectorStartIndices(positions, track.sectors ?? []);
  const path = isOpen ? points : [...points, ...points.slice(0, 1)];
  return {
    lap: roundedPath(points, !isOpen),
    sectors: starts.map((start, sector) => roundedPath(sectorPoints(path, start, starts[sector + 1]), false)),
    sectorStarts: starts.flatMap((start) => points[start] ?? []),
    startTick: tickAcross(points),
    finishTick: isOpen ? tickAcross(points.toReversed()) : null,
  };
}

/** Returns the function that places positions in the drawing of an outline in a box; null where there is nothing to draw. */
export function placeInCircuit(
  outline: DrawnTrack['outline'],
  box: Box,
): ((position: Position) => DrawnPoint) | null {
  const positions = (outline ?? []).map(([lat, lon]) => ({ lat, lon }));
  const [origin] = positions;
  if (!origin || positions.length < 3) return null;
  const bounds = findBounds(projectAll(positions));
  return (position) => {
    const [, point] = projectAll([origin, position]);
    return point ? fitPoint(point, bounds, box) : { x: 0, y: 0 };
  };
}

/** Draws positions as points in a box, where an outline would be: for drawings of what was driven. One point for each position. */
export function drawPositions(positions: readonly Position[], box: Box): DrawnPoint[] {
  return positions.length < 2 ? [] : fitInto(projectAll(positions), box);
}

/** Returns the lengths of the sectors along an outline, in metres: good for a caption, not for timing. */
export function sectorLengthsMeters(track: DrawnTrack): number[] {
  const positions = (track.outline ?? []).map(([lat, lon]) => ({ lat, lon }));
  const plane = projectAll(positions);
  const path = isStage(track) ? plane : [...plane, ...plane.slice(0, 1)];
  const starts = sectorStartIndices(positions, track.sectors ?? []);
  return starts.map((start, sector) => pathLength(sectorPoints(path, start, starts[sector + 1])));
}

function isStage({ finishLine }: DrawnTrack): boolean {
  return finishLine !== null && finishLine !== undefined;
}

function sectorStartIndices(positions: readonly Position[], sectorLines: readonly Line[]): number[] {
  const cuts = sectorLines
    .map((line) => nearestIndex(positions, middle(line.a, line.b)))
    .filter((index) => index > 0);
  return [0, ...cuts.toSorted((a, b) => a - b)];
}

// The plane is flat around the first point: at the size of a circuit the error is far below the width of the line.
function projectAll(positions: readonly Position[]): DrawnPoint[] {
  const [origin] = positions;
  if (!origin) return [];
  const metersPerDegreeLon = METERS_PER_DEGREE * Math.cos((origin.lat * Math.PI) / 180);
  return positions.map(({ lat, lon }) => ({
    x: lonDifference(origin.lon, lon) * metersPerDegreeLon,
    y: (origin.lat - lat) * METERS_PER_DEGREE,
  }));
}

function nearestIndex(positions: readonly Position[], target: Position): number {
  const [, ...distances] = projectAll([target, ...positions]).map(({ x, y }) => Math.hypot(x, y));
  return distances.indexOf(Math.min(...distances));
}

function sectorPoints(points: readonly DrawnPoint[], start: number, end: number | undefined): DrawnPoint[] {
  return points.slice(start, end === undefined ? points.length : end + 1);
}

function fitInto(points: readonly DrawnPoint[], box: Box): DrawnPoint[] {
  const bounds = findBounds(points);
  return points.map((point) => fitPoint(point, bounds, box));
}

function fitPoint({ x, y }: DrawnPoint, bounds: Bounds, box: Box): DrawnPoint {
  const { left, right, top, bottom } = bounds;
  const scale = scaleInto(bounds, box);
  return {
    x: box.width / 2 + (x - (left + right) / 2) * scale,
    y: box.height / 2 + (y - (top + bottom) / 2) * scale,
  };
}

type Bounds = { left: number; right: number; top: number; bottom: number };

function findBounds(points: readonly DrawnPoint[]): Bounds {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function scaleInto({ left, right, top, bottom }: Bounds, { width, height, padding }: Box): number {
  return Math.min(
    (width - 2 * padding) / Math.max(right - left, 1),
    (height - 2 * padding) / Math.max(bottom - top, 1),
  );
}

/** Returns a path with curves for corners, at most CORNER_LENGTH long at either side: straights stay straight. */
function roundedPath(points: readonly DrawnPoint[], isClosed: boolean): string {
  const ring = isClosed ? withoutRepeatedEnd(points) : points;
  const corners = ring.flatMap((corner, index) => {
    const before = ring[index - 1] ?? (isClosed ? ring.at(-1) : undefined);
    const after = ring[index + 1] ?? (isClosed ? ring[0] : undefined);
    return before && after ? [roundedCorner(before, corner, after)] : [];
  });
  if (isClosed) return `M${corners.join('L')}Z`;
  const [first, last] = [points[0], points.at(-1)];
  return first && last ? `M${[formatPoint(first), ...corners, formatPoint(last)].join('L')}` : '';
}

// Outlines of the library end where they begin; drawn as a corner, that place would be a corner without a way out.
function withoutRepeatedEnd(points: readonly DrawnPoint[]): readonly DrawnPoint[] {
  const [first, last] = [points[0], points.at(-1)];
  return first && last && Math.hypot(first.x - last.x, first.y - last.y) < 0.5 ? points.slice(0, -1) : points;
}

function roundedCorner(before: DrawnPoint, corner: DrawnPoint, after: DrawnPoint): string {
  return `${formatPoint(towards(corner, before))}Q${formatPoint(corner)} ${formatPoint(towards(corner, after))}`;
}

/** Returns the place on the way from `from` to `to` where a curve begins or ends: half of it at most, for the next corner has its own. */
function towards(from: DrawnPoint, to: DrawnPoint): DrawnPoint {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const share = Math.min(0.5, CORNER_LENGTH / length);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function formatPoint({ x, y }: DrawnPoint): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

function straightPath(points: readonly DrawnPoint[]): string {
  return `M${points.map(formatPoint).join('L')}`;
}

function tickAcross(points: readonly DrawnPoint[]): string {
  const [start, next] = points;
  if (!start || !next) return '';
  const length = Math.hypot(next.x - start.x, next.y - start.y) || 1;
  const across = { x: -(next.y - start.y) / length, y: (next.x - start.x) / length };
  return straightPath(
    [-TICK_HALF_LENGTH, TICK_HALF_LENGTH].map((reach) => ({
      x: start.x + across.x * reach,
      y: start.y + across.y * reach,
    })),
  );
}

function pathLength(points: readonly DrawnPoint[]): number {
  return points.reduce((sum, point, index) => {
    const before = points[index - 1];
    return before ? sum + Math.hypot(point.x - before.x, point.y - before.y) : sum;
  }, 0);
}
