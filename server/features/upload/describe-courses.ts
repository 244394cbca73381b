import { courseIdSchema } from '#contract/ids.ts';
import type { CourseSuggestion } from '#contract/tracks/courses.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { roundLap, summarizeLaps } from '#server/model/laps/round-lap.ts';
import type { CourseMatch } from '#server/model/laps/timing/lap-tasks.ts';
import { findCourse } from '#server/model/track-sets/course-store.ts';

/** Describes the courses that a file was driven on, each with its proposed line; one that was removed meanwhile is left out. */
export async function describeCourses(
  db: Database,
  matches: readonly CourseMatch[],
): Promise<CourseSuggestion[]> {
  const described: CourseSuggestion[] = [];
  for (const { track, confidencePct, isReversed, lineSource, laps: timed } of matches) {
    const courseId = courseIdSchema.parse(track.id);
    const course = await findCourse(db, courseId);
    const { startFinishLine, outline } = track;
    if (!course || startFinishLine === null || outline === null) continue;
    const { name, configuration, location, country, lengthMeters, origin } = course;
    const names = { name, configuration, location, country, lengthMeters, origin };
    const laps = timed.map((lap) => roundLap(lap));
    const proposed = { confidencePct, isReversed, lineSource, startFinishLine, outline };
    described.push({ courseId, ...names, ...proposed, ...summarizeLaps(laps), laps });
  }
  return described;
}
