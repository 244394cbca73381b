import { findCorners, type Corner } from './corners.ts';
import type { LapPath } from './lap-path.ts';
import { lineOfOutline, pathOfPoints, type TrackOutline } from './line-of-outline.ts';
import { metersAt, projectOnto } from './projection.ts';
import { pointAt, type ReferenceLine } from './reference-line.ts';

/** An outline of which less than this lies beside the line is that of another layout. */
const FOUND_SHARE_MIN = 0.95;
const STEP_METERS = 5;
const NO_SHIFT = { x: 0, y: 0 };

/**
 * Finds the corners of a track on the line along which laps are compared. They are those of its outline: racing lines
 * differ, and with them the bends that just are corners, so a corner would have another number with every line. A track
 * without an outline that leads along the line has the corners of the line.
 */
export function findCornersOfTrack(line: ReferenceLine, track: TrackOutline | null): Corner[] {
  const outline = track && lineOfOutline(track, line.plane);
  if (outline === null) return findCorners(line);
  const projection = projectOnto(line, pathAlong(outline), NO_SHIFT);
  if (projection.length < 2 || projection.foundShare < FOUND_SHARE_MIN) return findCorners(line);
  const length = line.endMeters - line.startMeters;
  const placeOf = (meters: number): number => {
    const place = metersAt(projection, outline.startMeters + meters) - line.startMeters;
    return Math.max(0, Math.min(length, place));
  };
  return findCorners(outline).map(({ startMeters, apexMeters, endMeters, ...corner }) => ({
    ...corner,
    startMeters: placeOf(startMeters),
    apexMeters: placeOf(apexMeters),
    endMeters: placeOf(endMeters),
  }));
}

/** Returns the path along a line from its start to its end. */
function pathAlong(line: ReferenceLine): LapPath {
  const length = line.endMeters - line.startMeters;
  const count = Math.max(1, Math.round(length / STEP_METERS));
  const meters = Float64Array.from(
    { length: count + 1 },
    (_, index) => line.startMeters + (index * length) / count,
  );
  return pathOfPoints(
    Array.from(meters, (place) => pointAt(line, place)),
    meters,
  );
}
