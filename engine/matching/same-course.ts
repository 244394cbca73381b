import {
  BIN_METERS,
  buildCenterLine,
  distanceToBin,
  NO_BIN,
  nearestBin,
  type CenterLine,
} from '../center-line.ts';
import { toPlane, toPosition, type Position } from '../geo.ts';
import type { Track } from '../track.ts';

export type Course = Pick<Track, 'outline' | 'centerLat' | 'centerLon' | 'finishLine'>;

export type CourseShape = { line: CenterLine; points: CoursePoint[] };

/** Describes a point of a course, and how far the road may lie from it because few points of the outline describe a bend. */
type CoursePoint = Position & { slackMeters: number };

/** Builds the shape that `isSameCourse` compares; null where the track has no outline. */
export function buildCourseShape(course: Course): CourseShape | null {
  const line = buildCenterLine(course);
  if (!line) return null;
  const points = Array.from(line.xs, (x, bin) => ({
    ...toPosition(line.plane, { x, y: line.ys[bin] ?? 0 }),
    slackMeters: line.slackMeters[bin] ?? 0,
  }));
  return { line, points };
}

// Outlines of two sources lie some metres apart. Where they part by more, if only for one chicane, the matcher tells them apart.
const APART_METERS = 18;
const LENGTH_OFF_MAX = 0.03;

/** Tests if two outlines are one course, driven in the same direction; the start may differ. */
export function isSameCourse(one: CourseShape, other: CourseShape): boolean {
  const lengthOff = Math.abs(one.line.lengthMeters / other.line.lengthMeters - 1);
  if (lengthOff > LENGTH_OFF_MAX) return false;
  return leadsAlong(one, other) && leadsAlong(other, one);
}

function leadsAlong({ points }: CourseShape, { line }: CourseShape): boolean {
  const count = line.xs.length;
  let [forwards, before] = [0, NO_BIN];
  for (const point of points) {
    const { x, y } = toPlane(line.plane, point);
    // A course may pass a point twice; the search continues from the bin before, so it finds the right pass.
    const bin = nearestBin(line, x, y, before);
    const apartMax = APART_METERS + BIN_METERS / 2 + point.slackMeters + (line.slackMeters[bin] ?? 0);
    if (bin === NO_BIN || distanceToBin(line, bin, x, y) > apartMax) return false;
    if (before !== NO_BIN) forwards += Math.sign(((bin - before + 1.5 * count) % count) - count / 2);
    before = bin;
  }
  return forwards > 0;
}
