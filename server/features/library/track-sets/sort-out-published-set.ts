import type { Track } from '#contract/tracks/schemas.ts';
import { buildCourseShape, type CourseShape, isSameCourse } from '#engine/matching/same-course.ts';
import { toNewTrack } from '#server/model/tracks/library-track.ts';
import type { NewCourse } from '#server/model/track-sets/course-store.ts';
import { openNeighbours } from './neighbours.ts';
import { type PublishedForm, readPublishedSet, type ReadPublishedSet } from './read-published-set.ts';
import { byPreference, checkCourse, giveNames, type KnownTrack, sortOutTracks } from './sort-out-tracks.ts';

/** Holds what a set adds, each a `NewTrack` or a course as JSON without its origin, and whom it names as source. */
export type PublishedRows = {
  tracks: Row[];
  courses: Row[];
  known: number;
  duplicates: number;
  leftOut: number;
};

type Row = { json: string; attribution: string | null };

/** Names the archive of a set, and the library and the courses that are here, as JSON. */
export type SortOutPublishedTask = {
  path: string;
  form: PublishedForm;
  library: readonly string[];
  courses: readonly string[];
};

type SetTrack = ReadPublishedSet['tracks'][number]['track'] & { attribution: string | null };

/**
 * Reads a published set and selects what is not here: layouts with a line as tracks, others as courses. This takes some
 * seconds for thousands of layouts, so a server runs it in a separate thread.
 * @throws AppError where the archive is not the set
 */
export async function sortOutPublishedSet(
  { path, form, library, courses }: SortOutPublishedTask,
  onFile?: (done: number, total: number) => void,
): Promise<PublishedRows> {
  const { tracks: read, unreadable } = await readPublishedSet(path, form, onFile);
  const known = library.map((json): Track => JSON.parse(json));
  const lined = read.filter(({ track }) => track.startFinishLine !== null);
  const sorted = sortOutTracks(lined, known);
  const attributions = new Map(lined.map(({ track, attribution }) => [track.outline, attribution]));
  const drawn = read.flatMap(({ track, attribution }): SetTrack[] =>
    track.startFinishLine === null ? [{ ...track, attribution }] : [],
  );
  const knownCourses = courses.map((json): KnownTrack => JSON.parse(json));
  const fresh = sortOutCourses(drawn, [...known, ...sorted.tracks], knownCourses);
  return {
    tracks: sorted.tracks.map(({ row: _row, problems: _problems, warnings: _warnings, ...track }) => ({
      json: JSON.stringify(toNewTrack(track)),
      attribution: attributions.get(track.outline) ?? null,
    })),
    courses: fresh.courses.map((course) => ({
      json: JSON.stringify(toCourse(course)),
      attribution: course.attribution,
    })),
    known: sorted.known + fresh.known,
    duplicates: sorted.duplicates + fresh.duplicates,
    leftOut: unreadable.length + sorted.leftOut.length + fresh.leftOut,
  };
}

type SoundCourse = Exclude<ReturnType<typeof checkCourse<SetTrack>>, string>;

/** Selects the courses that are not here yet. The direction of a drawing is not known, so either direction is the same course. */
function sortOutCourses(
  drawn: readonly SetTrack[],
  library: readonly (KnownTrack & { centerLat: number; centerLon: number })[],
  known: readonly KnownTrack[],
): { courses: SoundCourse[]; known: number; duplicates: number; leftOut: number } {
  const near = openNeighbours<{ shape: CourseShape; isHere: boolean }>();
  for (const track of [...library, ...known]) {
    const shape = buildCourseShape(track);
    if (shape) near.add(track, { shape, isHere: true });
  }
  const sound = drawn.map((track) => checkCourse(track)).filter((checked) => typeof checked !== 'string');
  const counts = { known: 0, duplicates: 0, leftOut: drawn.length - sound.length };
  const courses = sound.toSorted(byPreference).filter((course) => {
    const shape = buildCourseShape(course);
    const reversed = buildCourseShape({ ...course, outline: course.outline?.toReversed() ?? null });
    if (!shape || !reversed) return false;
    const twin = near.find(
      course,
      (other) => isSameCourse(shape, other.shape) || isSameCourse(reversed, other.shape),
    );
    if (twin) counts[twin.isHere ? 'known' : 'duplicates'] += 1;
    else near.add(course, { shape, isHere: false });
    return twin === undefined;
  });
  return { courses: giveNames(courses, [...library, ...known]), ...counts };
}

function toCourse(course: SoundCourse): Omit<NewCourse, 'setName' | 'origin'> {
  const { name, configuration, location, country, lengthMeters, outline } = course;
  const { centerLat, centerLon, radiusMeters } = course;
  if (outline === null || lengthMeters === null || radiusMeters === null)
    throw new Error('A course without an outline was let through.');
  return {
    name,
    configuration,
    location,
    country,
    lengthMeters,
    centerLat,
    centerLon,
    radiusMeters,
    outline,
  };
}
