import { buildTrackIndex, matchTracks } from '../matching/match-tracks.ts';
import { buildCourseShape, isSameCourse, type CourseShape } from '../matching/same-course.ts';
import { middle, planeAround, toPlane, toPosition, type Position } from '../geo.ts';
import { timeLaps, type OpenedLapFile, type TimedLaps } from '../time-lap-file.ts';
import type { OutlinePoint, Track } from '../track.ts';
import { isRanking } from '../timing/laps.ts';
import { compareLayouts } from './compare-layouts.ts';
import { courseOfLaps, type CourseLines } from './course-of-laps.ts';
import { proposeTracks, type LineSource, type TrackProposal } from './propose-tracks.ts';

/** Describes a drawn course that a drive was on, as a track with the line that the drive proposes, and its laps there. */
export type RecognisedCourse = {
  /** Carries the id of the course; its outline begins at the line and runs in the direction of the drive. */
  track: Track;
  confidencePct: number;
  lineSource: LineSource;
  /** The drive runs against the order in which the course is drawn. */
  isReversed: boolean;
  timed: TimedLaps;
};

type StartedCourse = {
  start: Omit<RecognisedCourse, 'confidencePct' | 'timed'>;
  /** The drive parts from it nowhere; else it is another layout on the same ground. */
  isSameLayout: boolean;
};

/** In 46 recordings, the right course had 60 or more; where it was missing, other layouts of its venue had 42 or less. */
const CONFIDENCE_MIN_PCT = 50;

/**
 * Recognises courses: tracks whose start line, and with it the direction, is not known. A drive proposes a line; with that, a
 * course is weighed as tracks are, against the `known` tracks around it. Courses that are one of those are left out.
 */
export function recogniseCourses(
  file: OpenedLapFile,
  courses: readonly Track[],
  known: readonly Track[],
): RecognisedCourse[] {
  const started = startCourses(file, courses);
  if (started.size === 0) return [];
  const shapes = shapesOf(known);
  for (const [id, { start }] of started)
    if (findSameCourse(start.track, shapes) !== undefined) started.delete(id);
  if (started.size === 0) return [];
  // The other layouts of the venue are rivals, so they are weighed, too.
  const index = buildTrackIndex([...known, ...[...started.values()].map(({ start }) => start.track)]);
  const named = matchTracks(file.trace, index).flatMap(({ track, confidencePct }) => {
    const { start, isSameLayout = false } = started.get(track.id) ?? {};
    return start && isSameLayout ? [{ ...start, confidencePct }] : [];
  });
  // Courses that are almost alike share the confidence.
  const totalPct = named.reduce((sum, { confidencePct }) => sum + confidencePct, 0);
  if (totalPct < CONFIDENCE_MIN_PCT) return [];
  return named.map((course) => ({ ...course, timed: timeLaps(file, course.track) }));
}

/** Begins courses at the lines that the drive proposes; the best proposal for which a course is the same layout comes first. */
function startCourses(file: OpenedLapFile, courses: readonly Track[]): Map<string, StartedCourse> {
  const started = new Map<string, StartedCourse>();
  for (const proposal of proposeTracks(file).filter(({ kind }) => kind === 'circuit')) {
    for (const course of courses) {
      const before = started.get(course.id);
      if (before?.isSameLayout) continue;
      const found = startCourse(course, proposal);
      if (found !== null && (before === undefined || found.isSameLayout)) started.set(course.id, found);
    }
  }
  return started;
}

type ShapedTrack = { track: Track; shape: CourseShape };

function shapesOf(tracks: readonly Track[]): ShapedTrack[] {
  return tracks.flatMap((track) => {
    const shape = buildCourseShape(track);
    return shape === null ? [] : [{ track, shape }];
  });
}

/** Finds the track on the same course, driven in the same direction. */
function findSameCourse(track: Track, known: readonly ShapedTrack[]): Track | undefined {
  const shape = buildCourseShape(track);
  return shape === null ? undefined : known.find((other) => isSameCourse(shape, other.shape))?.track;
}

/** Describes a course with the line that a driver confirms. */
export type ConfirmedCourse = {
  track: Track;
  rankingLapCount: number;
  /** Is null where the library lacks the course. */
  sameTrackId: string | null;
};

/**
 * Makes a track of a course by the laps of a file over a line. `no_lap`: no lap of the file crosses the line;
 * `elsewhere`: its laps were not driven on this course.
 */
export function confirmCourse(
  file: OpenedLapFile,
  { course, lines, known }: { course: Track; lines: CourseLines; known: readonly Track[] },
): ConfirmedCourse | 'no_lap' | 'elsewhere' {
  const driven = courseOfLaps(file, lines);
  if (driven === null) return 'no_lap';
  const started = startCourse(course, { track: driven.track, lineSource: 'file' });
  if (started === null) return 'elsewhere';
  const { track } = started.start;
  return {
    track,
    rankingLapCount: timeLaps(file, track).laps.filter(isRanking).length,
    sameTrackId: findSameCourse(track, shapesOf(known))?.id ?? null,
  };
}

/** Returns the course as a track on the line of the proposal; null where that line or the driven lap lies elsewhere. */
function startCourse(
  course: Track,
  { track: driven, lineSource }: Pick<TrackProposal, 'track' | 'lineSource'>,
): StartedCourse | null {
  const relation = compareLayouts(driven, course);
  if (relation === null || driven.startFinishLine === null || course.outline === null) return null;
  const outline = relation.isReverse ? course.outline.toReversed() : course.outline;
  const { a, b } = driven.startFinishLine;
  const begun = beginOutlineAt(outline, middle(a, b));
  if (begun === null) return null;
  const { startFinishLine, sectors } = driven;
  const track = { ...course, startFinishLine, sectors, outline: begun };
  return {
    start: { track, lineSource, isReversed: relation.isReverse },
    isSameLayout: relation.layout === 'same',
  };
}

/** The line is as far from the outline as half a road and the errors of maps and receivers. */
const LINE_OFF_METERS = 35;

/** Returns the outline of a circuit from the point nearest to a position on; null where that is too far away. */
function beginOutlineAt(closed: readonly OutlinePoint[], position: Position): OutlinePoint[] | null {
  const plane = planeAround(position);
  const [[firstLat, firstLon] = [], [lastLat, lastLon] = []] = [closed[0], closed.at(-1)];
  const outline = firstLat === lastLat && firstLon === lastLon ? closed.slice(0, -1) : closed;
  const points = outline.map(([lat, lon]) => toPlane(plane, { lat, lon }));
  let [nearest, least, share] = [-1, LINE_OFF_METERS, 0];
  for (const [index, from] of points.entries()) {
    const to = points[(index + 1) % points.length] ?? from;
    const [sideX, sideY] = [to.x - from.x, to.y - from.y];
    const squared = sideX * sideX + sideY * sideY;
    const along = squared === 0 ? 0 : Math.min(1, Math.max(0, -(from.x * sideX + from.y * sideY) / squared));
    const meters = Math.hypot(from.x + along * sideX, from.y + along * sideY);
    if (meters >= least) continue;
    [nearest, least, share] = [index, meters, along];
  }
  const from = points[nearest];
  const to = points[(nearest + 1) % points.length];
  if (from === undefined || to === undefined) return null;
  const start = toPosition(plane, {
    x: from.x + share * (to.x - from.x),
    y: from.y + share * (to.y - from.y),
  });
  const rest = [...outline.slice(nearest + 1), ...outline.slice(0, nearest + 1)];
  return [[start.lat, start.lon], ...rest];
}
