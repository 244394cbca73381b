import { toPlane, toPosition, type PlanePoint } from '../geo.ts';
import type { OutlinePoint, Track } from '../track.ts';
import { pointAt, type ReferenceLine } from './reference-line.ts';

/** Driving lines leave the middle of a wide track by some 8 m; an outline that is farther off is wrong there. */
const WRONG_METERS = 15;
/** Laps this far from the outline were driven on another layout, which drivers do not make of this one. */
const OTHER_LAYOUT_METERS = 60;
/** A cut corner shortens a lap by more than this. */
const LENGTH_DIFFERENCE_MAX = 0.02;
const STEP_METERS = 5;

/**
 * Returns the outline of `track` as drivers drove it, where the one that it has is wrong: by more than 15 m somewhere,
 * and nowhere by so much that the laps are of another layout. A track without an outline gets one. Null where the
 * outline is good enough, or the laps do not fit the track.
 */
export function outlineFromLine(
  { outline, lengthMeters, finishLine }: Pick<Track, 'outline' | 'lengthMeters' | 'finishLine'>,
  line: ReferenceLine,
): OutlinePoint[] | null {
  const driven = listPoints(line);
  const known = (outline ?? []).map(([lat, lon]) => toPlane(line.plane, { lat, lon }));
  const isOpen = Boolean(finishLine);
  const expectedMeters = lengthMeters ?? (known.length > 2 ? measureLength(known, isOpen) : null);
  const drivenMeters = line.endMeters - line.startMeters;
  if (expectedMeters !== null && Math.abs(drivenMeters / expectedMeters - 1) > LENGTH_DIFFERENCE_MAX)
    return null;
  if (known.length > 2) {
    const away = Math.max(farthest(driven, known, isOpen), farthest(known, driven, isOpen));
    if (away < WRONG_METERS || away > OTHER_LAYOUT_METERS) return null;
  }
  return driven.map((point) => {
    const { lat, lon } = toPosition(line.plane, point);
    return [roundDegrees(lat), roundDegrees(lon)];
  });
}

function listPoints(line: ReferenceLine): PlanePoint[] {
  const count = Math.floor((line.endMeters - line.startMeters) / STEP_METERS);
  return Array.from({ length: count }, (_, index) => pointAt(line, line.startMeters + index * STEP_METERS));
}

/** Returns how far the point of `points` that is farthest from a path is from it. */
function farthest(points: readonly PlanePoint[], path: readonly PlanePoint[], isOpen: boolean): number {
  const ends = endsOfSides(path, isOpen);
  return Math.max(...points.map((point) => Math.min(...ends.map(([a, b]) => distanceToSide(point, a, b)))));
}

function measureLength(path: readonly PlanePoint[], isOpen: boolean): number {
  return endsOfSides(path, isOpen).reduce((sum, [a, b]) => sum + Math.hypot(b.x - a.x, b.y - a.y), 0);
}

function endsOfSides(path: readonly PlanePoint[], isOpen: boolean): [PlanePoint, PlanePoint][] {
  const starts = isOpen ? path.slice(0, -1) : path;
  return starts.map((a, index) => [a, path[(index + 1) % path.length] ?? a]);
}

function distanceToSide(point: PlanePoint, a: PlanePoint, b: PlanePoint): number {
  const [sideX, sideY] = [b.x - a.x, b.y - a.y];
  const squared = sideX ** 2 + sideY ** 2;
  const along = squared === 0 ? 0 : ((point.x - a.x) * sideX + (point.y - a.y) * sideY) / squared;
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - a.x - share * sideX, point.y - a.y - share * sideY);
}

/** Six decimals are 11 cm. */
function roundDegrees(degrees: number): number {
  return Number(degrees.toFixed(6));
}
