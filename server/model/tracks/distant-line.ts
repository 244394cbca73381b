import { distanceMeters, middle, type Position } from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';

// A line this far from the centre belongs to another track.
const DISTANCE_METERS_MAX = 20_000;

/** Describes the problem of a timing line that is too far from the centre of its track; null where it is not. */
export function describeDistantLine(line: TimingLine, center: Position): string | null {
  const meters = distanceMeters(middle(line.a, line.b), center);
  if (meters <= DISTANCE_METERS_MAX) return null;
  return `It is ${Math.round(meters / 1_000)} km away from the centre of the track.`;
}
