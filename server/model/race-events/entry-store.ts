import { and, asc, eq, getTableColumns, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { RaceEventEntryId, RaceEventId, RaceEventRunId, UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { DRIVER_NAME, IS_LEAVING, PERSON_NAME } from '#server/model/people/driver-name.ts';
import { users } from '#server/model/people/schema.ts';
import { raceEventEntries, raceEventRuns, raceEvents } from './schema.ts';

/** Replaces the name of a person whose account is deleted, or will be. */
const LEFT = 'A driver who left';

const nameOfEntry = sql.raw(
  `CASE WHEN users.id IS NOT NULL AND NOT (${IS_LEAVING}) THEN ${DRIVER_NAME} ELSE coalesce(driver_name, '${LEFT}') END`,
);

/** Lists the entries of an event, or one of them, by their numbers, those of people who leave without a name. */
export async function listEntries(db: Database, eventId: RaceEventId, entryId?: RaceEventEntryId) {
  const { userId, driverName: _typed, enteredAt: _at, ...columns } = entryColumns;
  return await db
    .select({
      ...columns,
      userId: readAs(
        z.uuid().brand<'UserId'>().nullable(),
        sql`CASE WHEN NOT (${sql.raw(IS_LEAVING)}) THEN ${userId} END`,
      ),
      driverName: readAs(z.string(), nameOfEntry),
    })
    .from(raceEventEntries)
    .leftJoin(users, eq(users.id, userId))
    .where(and(eq(raceEventEntries.eventId, eventId), entryId && eq(raceEventEntries.id, entryId)))
    .orderBy(sql`length(${columns.number})`, asc(columns.number), asc(columns.id));
}

export type StoredEntry = Awaited<ReturnType<typeof listEntries>>[number];

const entryColumns = {
  id: raceEventEntries.id,
  classId: raceEventEntries.classId,
  userId: raceEventEntries.userId,
  driverName: raceEventEntries.driverName,
  userCarId: raceEventEntries.userCarId,
  carName: raceEventEntries.carName,
  number: raceEventEntries.number,
  group: raceEventEntries.group,
  enteredAt: raceEventEntries.enteredAt,
  withdrawnAt: raceEventEntries.withdrawnAt,
};

/** Finds an entry of an event. */
export async function findEntry(tx: Database, eventId: RaceEventId, id: RaceEventEntryId) {
  const [entry] = await tx
    .select()
    .from(raceEventEntries)
    .where(and(eq(raceEventEntries.eventId, eventId), eq(raceEventEntries.id, id)));
  return entry;
}

/** Returns whether a number, or a person, is in an event already; an entry that was withdrawn does not count. */
export async function isEntered(
  tx: Database,
  eventId: RaceEventId,
  who: { number: string; except?: RaceEventEntryId } | { userId: UserId },
): Promise<boolean> {
  const condition =
    'number' in who ? eq(raceEventEntries.number, who.number) : eq(raceEventEntries.userId, who.userId);
  const rows = await tx
    .select({ id: raceEventEntries.id })
    .from(raceEventEntries)
    .where(and(eq(raceEventEntries.eventId, eventId), isNull(raceEventEntries.withdrawnAt), condition));
  return rows.some(({ id }) => !('except' in who) || id !== who.except);
}

export async function countEntries(tx: Database, eventId: RaceEventId): Promise<number> {
  return await tx.$count(raceEventEntries, eq(raceEventEntries.eventId, eventId));
}

/** Stores an entry; returns its id. */
export async function insertEntry(
  tx: Database,
  entry: typeof raceEventEntries.$inferInsert,
): Promise<RaceEventEntryId> {
  const [row] = await tx.insert(raceEventEntries).values(entry).returning({ id: raceEventEntries.id });
  if (!row) throw new Error('The entry was not stored.');
  return row.id;
}

export async function updateEntry(
  tx: Database,
  id: RaceEventEntryId,
  change: Partial<typeof raceEventEntries.$inferInsert>,
): Promise<void> {
  await tx.update(raceEventEntries).set(change).where(eq(raceEventEntries.id, id));
}

/** Deletes the entries of people in events that are not official; those in official ones stay without a driver. */
export async function deleteEntriesOf(tx: Database, userIds: readonly UserId[]): Promise<void> {
  const changing = tx.select({ id: raceEvents.id }).from(raceEvents).where(ne(raceEvents.state, 'official'));
  const isTheirs = inArray(raceEventEntries.userId, [...userIds]);
  await tx.delete(raceEventEntries).where(and(isTheirs, inArray(raceEventEntries.eventId, changing)));
}

/** Lists the entries of a person in all events, with what was recorded about their runs. */
export async function listEntriesOf(db: Database, userId: UserId) {
  const { eventId, number, group, carName, enteredAt, withdrawnAt } = raceEventEntries;
  const { name, firstDay } = raceEvents;
  const rows = await db
    .select({
      id: raceEventEntries.id,
      eventId,
      eventName: name,
      firstDay,
      number,
      group,
      carName,
      enteredAt,
      withdrawnAt,
    })
    .from(raceEventEntries)
    .innerJoin(raceEvents, eq(raceEvents.id, eventId))
    .where(eq(raceEventEntries.userId, userId))
    .orderBy(asc(enteredAt), asc(raceEventEntries.id));
  const { changedBy: _organiser, ...runColumns } = getTableColumns(raceEventRuns);
  const runs = await db
    .select(runColumns)
    .from(raceEventRuns)
    .where(
      inArray(
        raceEventRuns.entryId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(raceEventRuns.recordedAt), asc(raceEventRuns.id));
  return rows.map((row) => ({ ...row, runs: runs.filter(({ entryId }) => entryId === row.id) }));
}

/** Lists what was recorded about the runs of an event, or of one entry, in order, with the names of those who did. */
export async function listRecordedRuns(db: Database, eventId: RaceEventId, entryId?: RaceEventEntryId) {
  return await selectRuns(
    db,
    and(eq(raceEventEntries.eventId, eventId), entryId && eq(raceEventEntries.id, entryId)),
  );
}

/** Finds a recorded run of an event. */
export async function findRecordedRun(db: Database, eventId: RaceEventId, id: RaceEventRunId) {
  const [run] = await selectRuns(db, and(eq(raceEventEntries.eventId, eventId), eq(raceEventRuns.id, id)));
  return run;
}

async function selectRuns(db: Database, condition: SQL | undefined) {
  return await db
    .select({
      id: raceEventRuns.id,
      entryId: raceEventRuns.entryId,
      courseNumber: raceEventRuns.courseNumber,
      lapId: raceEventRuns.lapId,
      timeMs: raceEventRuns.timeMs,
      cones: raceEventRuns.cones,
      gates: raceEventRuns.gates,
      status: raceEventRuns.status,
      reason: raceEventRuns.reason,
      recordedAt: raceEventRuns.recordedAt,
      changedAt: raceEventRuns.changedAt,
      changedBy: readAs(z.string().nullable(), sql.raw(PERSON_NAME)),
    })
    .from(raceEventRuns)
    .innerJoin(raceEventEntries, eq(raceEventEntries.id, raceEventRuns.entryId))
    .leftJoin(users, eq(users.id, raceEventRuns.changedBy))
    .where(condition)
    .orderBy(asc(raceEventRuns.recordedAt), asc(raceEventRuns.id));
}

export type RecordedRun = Awaited<ReturnType<typeof listRecordedRuns>>[number];

export async function insertRun(
  tx: Database,
  run: typeof raceEventRuns.$inferInsert,
): Promise<RaceEventRunId> {
  const [row] = await tx.insert(raceEventRuns).values(run).returning({ id: raceEventRuns.id });
  if (!row) throw new Error('The run was not stored.');
  return row.id;
}

export async function updateRun(
  tx: Database,
  id: RaceEventRunId,
  change: Partial<typeof raceEventRuns.$inferInsert>,
): Promise<void> {
  await tx.update(raceEventRuns).set(change).where(eq(raceEventRuns.id, id));
}

export async function deleteRun(tx: Database, id: RaceEventRunId): Promise<void> {
  await tx.delete(raceEventRuns).where(eq(raceEventRuns.id, id));
}
