import { count, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { CourseId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows, readAs } from '#server/kernel/database/query-rows.ts';
import { courses } from './schema.ts';

export type NewCourse = Omit<typeof courses.$inferInsert, 'id'>;
export type Course = typeof courses.$inferSelect;

export async function findCourse(db: Database, courseId: CourseId): Promise<Course | undefined> {
  const [course] = await db.select().from(courses).where(eq(courses.id, courseId));
  return course;
}

/** Inserts courses. A statement takes 65,535 values, so one call takes at most a few hundred. */
export async function insertCourses(tx: Database, rows: readonly NewCourse[]): Promise<void> {
  if (rows.length > 0) await tx.insert(courses).values([...rows]);
}

export async function countCourses(db: Database): Promise<number> {
  const [row] = await db.select({ count: count() }).from(courses);
  return row?.count ?? 0;
}

/** Deletes the courses of a set; returns their number. */
export async function deleteCourses(tx: Database, setName: string): Promise<number> {
  const rows = await tx.delete(courses).where(eq(courses.setName, setName)).returning({ id: courses.id });
  return rows.length;
}

const courseRow = z.object({ course: z.string() });

/** Lists every course in full, for matching. The database writes the JSON, which would take too long on this thread. */
export async function listCoursesAsJson(db: Database): Promise<string[]> {
  const query = sql`
    SELECT json_build_object(
      'id', id, 'name', name, 'location', location, 'configuration', configuration, 'country', country,
      'lengthMeters', length_meters, 'radiusMeters', radius_meters, 'centerLat', center_lat, 'centerLon', center_lon,
      'outline', outline, 'origin', origin
    )::text AS course
    FROM ${courses} ORDER BY id LIMIT ${LIMITS.coursesMax}`;
  const rows = await executeRows(db, courseRow, query);
  return rows.map(({ course }) => course);
}

/** Returns a version that every change of the answer of `listCoursesAsJson` changes: courses are added and deleted only. */
export async function getCoursesVersion(db: Database): Promise<string> {
  const version = sql`count(*) || '.' || coalesce(bit_xor(hashtextextended(${courses.id}::text, 0)), 0)`;
  const [row] = await db.select({ version: readAs(z.string(), version) }).from(courses);
  if (!row) throw new Error('The database did not give the version of the courses.');
  return row.version;
}
