import { and, asc, countDistinct, eq, exists, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { RaceEventClassId, RaceEventId, TrackId, UserId } from '#contract/ids.ts';
import type { ListedRaceEvent, RaceEventInput } from '#contract/race-events/schemas.ts';
import type { TrackMove } from '#server/kernel/database/copy-track-rows.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { AppError } from '#server/kernel/errors.ts';
import { raceEventClasses, raceEventCourses, raceEventEntries, raceEvents, raceEventRuns } from './schema.ts';

export type StoredRaceEvent = typeof raceEvents.$inferSelect & {
  courses: { number: number; trackId: TrackId; name: string }[];
  classes: { id: RaceEventClassId; name: string; indexFactor: number | null }[];
};

type Page = { limit: number; offset: number };
type Wanted = { seesDrafts: boolean; when?: 'current' | 'past' | undefined; track?: TrackId | undefined };

const isPast = eq(raceEvents.state, 'official');

function buildCondition(db: Database, { seesDrafts, when, track }: Wanted): SQL | undefined {
  const { id, state } = raceEvents;
  return and(
    seesDrafts ? undefined : ne(state, 'draft'),
    when && (when === 'past' ? isPast : ne(state, 'official')),
    track &&
      exists(
        db
          .select({ one: sql`1` })
          .from(raceEventCourses)
          .where(and(eq(raceEventCourses.eventId, id), eq(raceEventCourses.trackId, track))),
      ),
  );
}

/** Lists a page of events with the total count: those that are not official by their first day, then the others, the latest first. */
export async function listRaceEvents(
  db: Database,
  wanted: Wanted,
  { limit, offset }: Page,
): Promise<{ events: ListedRaceEvent[]; total: number }> {
  const { id, state, firstDay, lastDay } = raceEvents;
  const condition = buildCondition(db, wanted);
  // In the list of columns, the query builder would write these names without their tables.
  const entryCount = sql.raw(`(SELECT count(*)::int FROM race_event_entries
    WHERE race_event_entries.event_id = race_events.id AND race_event_entries.withdrawn_at IS NULL)`);
  const rows = await db
    .select({
      id,
      name: raceEvents.name,
      firstDay,
      lastDay,
      state,
      provisionalUntil: raceEvents.provisionalUntil,
      entryCount: readAs(z.int(), entryCount),
    })
    .from(raceEvents)
    .where(condition)
    .orderBy(
      sql`${isPast}`,
      sql`CASE WHEN NOT ${isPast} THEN ${firstDay} END`,
      sql`${firstDay} DESC`,
      asc(raceEvents.name),
      asc(id),
    )
    .limit(limit)
    .offset(offset);
  const courses = await listCourses(
    db,
    rows.map((row) => row.id),
  );
  return {
    events: rows.map(({ provisionalUntil, ...row }) => ({
      ...row,
      provisionalUntil: provisionalUntil?.toISOString() ?? null,
      courses: courses.filter(({ eventId }) => eventId === row.id),
    })),
    total: await db.$count(raceEvents, condition),
  };
}

async function listCourses(db: Database, eventIds: readonly RaceEventId[]) {
  return await db
    .select()
    .from(raceEventCourses)
    .where(inArray(raceEventCourses.eventId, [...eventIds]))
    .orderBy(asc(raceEventCourses.number));
}

/** Finds an event with its courses and classes. With `lock` all other changes of it wait until the end of the transaction. */
export async function findRaceEvent(
  tx: Database,
  id: RaceEventId,
  lock = false,
): Promise<StoredRaceEvent | undefined> {
  const query = tx.select().from(raceEvents).where(eq(raceEvents.id, id));
  const [event] = await (lock ? query.for('update') : query);
  if (!event) return undefined;
  const { id: classId, name, indexFactor, order, eventId } = raceEventClasses;
  const classes = await tx
    .select({ id: classId, name, indexFactor })
    .from(raceEventClasses)
    .where(eq(eventId, id))
    .orderBy(asc(order));
  return { ...event, courses: await listCourses(tx, [id]), classes };
}

type NamedCourse = { trackId: TrackId; name: string };

/** Stores a new event as a draft; returns its id. */
export async function insertRaceEvent(
  tx: Database,
  { courses: _tracks, classes, ...event }: RaceEventInput & Pick<typeof raceEvents.$inferInsert, 'createdBy'>,
  courses: readonly NamedCourse[],
): Promise<RaceEventId> {
  const [row] = await tx.insert(raceEvents).values(event).returning({ id: raceEvents.id });
  if (!row) throw new Error('The event was not stored.');
  await tx.insert(raceEventCourses).values(number(row.id, courses));
  await tx
    .insert(raceEventClasses)
    .values(classes.map(({ name, indexFactor }, order) => ({ eventId: row.id, name, indexFactor, order })));
  return row.id;
}

function number(eventId: RaceEventId, courses: readonly NamedCourse[]) {
  return courses.map(({ trackId, name }, index) => ({ eventId, number: index + 1, trackId, name }));
}

/** Changes an event. @throws AppError `conflict` where a class with entries, or a course with runs, would go */
export async function updateRaceEvent(
  tx: Database,
  before: StoredRaceEvent,
  { courses: _tracks, classes, ...event }: RaceEventInput,
  courses: readonly NamedCourse[],
): Promise<void> {
  await tx.update(raceEvents).set(event).where(eq(raceEvents.id, before.id));
  await replaceCourses(tx, before, courses);
  await replaceClasses(tx, before, classes);
}

async function replaceCourses(
  tx: Database,
  { id, courses: before }: StoredRaceEvent,
  courses: readonly NamedCourse[],
): Promise<void> {
  const changed = before.filter(({ number, trackId }) => courses[number - 1]?.trackId !== trackId);
  if (
    changed.length > 0 &&
    (await hasRunsOn(
      tx,
      id,
      changed.map((course) => course.number),
    ))
  )
    throw new AppError('conflict', 'There are runs on a course that would change. Delete them first.');
  await tx.delete(raceEventCourses).where(eq(raceEventCourses.eventId, id));
  await tx.insert(raceEventCourses).values(number(id, courses));
}

async function hasRunsOn(tx: Database, eventId: RaceEventId, courseNumbers: readonly number[]) {
  const rows = await tx
    .select({ id: raceEventRuns.id })
    .from(raceEventRuns)
    .innerJoin(raceEventEntries, eq(raceEventEntries.id, raceEventRuns.entryId))
    .where(
      and(eq(raceEventEntries.eventId, eventId), inArray(raceEventRuns.courseNumber, [...courseNumbers])),
    )
    .limit(1);
  return rows.length > 0;
}

async function replaceClasses(
  tx: Database,
  { id: eventId, classes: before }: StoredRaceEvent,
  classes: RaceEventInput['classes'],
): Promise<void> {
  const known = new Set(before.map(({ id }) => id));
  const kept = new Set(classes.flatMap(({ id }) => (id && known.has(id) ? [id] : [])));
  const gone = before.map(({ id }) => id).filter((id) => !kept.has(id));
  if (gone.length > 0) {
    if ((await tx.$count(raceEventEntries, inArray(raceEventEntries.classId, gone))) > 0)
      throw new AppError('conflict', 'There are entries in a class that would go. Move them first.');
    await tx.delete(raceEventClasses).where(inArray(raceEventClasses.id, gone));
  }
  for (const [order, { id, name, indexFactor }] of classes.entries()) {
    const row = { name, indexFactor, order };
    if (id && kept.has(id)) await tx.update(raceEventClasses).set(row).where(eq(raceEventClasses.id, id));
    else await tx.insert(raceEventClasses).values({ eventId, ...row });
  }
}

export type StateChange = Partial<
  Pick<typeof raceEvents.$inferInsert, 'state' | 'provisionalUntil' | 'officialAt' | 'officialResults'>
>;

/** Sets the state of an event, and what goes with it. */
export async function setState(tx: Database, id: RaceEventId, change: StateChange): Promise<void> {
  await tx.update(raceEvents).set(change).where(eq(raceEvents.id, id));
}

export async function deleteRaceEvent(tx: Database, id: RaceEventId): Promise<void> {
  await tx.delete(raceEvents).where(eq(raceEvents.id, id));
}

/** Deletes the events that people have made, with their entries and runs. */
export async function deleteRaceEventsBy(tx: Database, userIds: readonly UserId[]): Promise<void> {
  await tx.delete(raceEvents).where(inArray(raceEvents.createdBy, [...userIds]));
}

export async function hasRaceEventsBy(tx: Database, userId: UserId): Promise<boolean> {
  return (await tx.$count(raceEvents, eq(raceEvents.createdBy, userId))) > 0;
}

/** Lists the events whose results are provisional, with the moment at which they become official. */
export async function listProvisional(
  db: Database,
): Promise<{ id: RaceEventId; provisionalUntil: Date | null }[]> {
  const { id, state, provisionalUntil } = raceEvents;
  return await db.select({ id, provisionalUntil }).from(raceEvents).where(eq(state, 'provisional'));
}

/**
 * Moves the courses of events to the track that another one is merged into.
 * @throws AppError `conflict` where an event that is not official has courses on both: all laps would count on the first of them
 */
export async function moveRaceEvents(tx: Database, { fromTrackId, intoTrackId }: TrackMove): Promise<void> {
  const { eventId, trackId } = raceEventCourses;
  const [onBoth] = await tx
    .select({ name: raceEvents.name })
    .from(raceEvents)
    .innerJoin(raceEventCourses, eq(eventId, raceEvents.id))
    .where(and(ne(raceEvents.state, 'official'), inArray(trackId, [fromTrackId, intoTrackId])))
    .groupBy(raceEvents.id)
    .having(eq(countDistinct(trackId), 2))
    .limit(1);
  if (onBoth) {
    const sentence = `The event ${onBoth.name} has courses on both tracks, and its results are not official yet. Merge the tracks once they are, or change its courses first.`;
    throw new AppError('conflict', sentence);
  }
  await tx.update(raceEventCourses).set({ trackId: intoTrackId }).where(eq(trackId, fromTrackId));
}
