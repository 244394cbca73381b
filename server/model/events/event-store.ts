import { and, asc, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { EventId, TrackId, UserId } from '#contract/ids.ts';
import { copyTrackRows, type TrackMove } from '#server/kernel/database/copy-track-rows.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { insertJsonRows, selectJsonRows } from '#server/kernel/database/json-rows.ts';
import { deleteNoticesOfEvents } from '#server/model/notices/notice-store.ts';
import { events } from './schema.ts';
import { type NewEvent, type StoredEvent, storedEventSchema } from './event-kinds.ts';

/** Inserts events of a locked track; the lock makes their ids ascend in the order of the changes. */
export async function insertEvents(
  tx: Database,
  trackId: TrackId,
  newEvents: readonly NewEvent[],
): Promise<void> {
  await tx.insert(events).values(newEvents.map((event) => ({ ...event, trackId })));
}

/** Lists up to `limit` undelivered events of a track, oldest first, and locks them until the end of the transaction. */
export async function lockUndelivered(tx: Database, trackId: TrackId, limit: number): Promise<StoredEvent[]> {
  const rows = await tx
    .select()
    .from(events)
    .where(and(eq(events.trackId, trackId), isNull(events.deliveredAt)))
    .orderBy(asc(events.id))
    .limit(limit)
    .for('update');
  return rows.map((row) => storedEventSchema.parse(row));
}

export async function markDelivered(tx: Database, trackId: TrackId, ids: readonly EventId[]): Promise<void> {
  await tx
    .update(events)
    .set({ deliveredAt: sql`statement_timestamp()` })
    .where(and(eq(events.trackId, trackId), inArray(events.id, [...ids])));
}

/** Marks the undelivered events of users as delivered, so that no notice of them goes out. */
export async function markDeliveredOf(tx: Database, userIds: readonly UserId[]): Promise<void> {
  const ids = [...userIds];
  const isTheirs = or(inArray(events.userId, ids), inArray(events.otherUserId, ids));
  await tx
    .update(events)
    .set({ deliveredAt: sql`statement_timestamp()` })
    .where(and(isTheirs, isNull(events.deliveredAt)));
}

export async function listUndeliveredTracks(db: Database): Promise<TrackId[]> {
  const rows = await db
    .selectDistinct({ trackId: events.trackId })
    .from(events)
    .where(isNull(events.deliveredAt));
  return rows.map(({ trackId }) => trackId);
}

export async function deleteDelivered(db: Database, days: number): Promise<void> {
  await db
    .delete(events)
    .where(lt(events.deliveredAt, sql`statement_timestamp() - ${days}::int * interval '1 day'`));
}

/**
 * Deletes the events of users, and their ids in the events of others. Call it while `changeDrivers` deletes the users: it
 * locks the tracks that they drove, so no event of theirs can be added.
 */
export async function deleteEventsOfUsers(tx: Database, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.delete(events).where(inArray(events.userId, [...userIds]));
  await tx
    .update(events)
    .set({ otherUserId: null })
    .where(inArray(events.otherUserId, [...userIds]));
}

/** Moves the events of a track to another one, and deletes their notices. */
export async function moveEvents(tx: Database, move: TrackMove): Promise<void> {
  await copyTrackRows(tx, events, move);
  await deleteNoticesOfEvents(tx, eq(events.trackId, move.fromTrackId));
  await tx.delete(events).where(eq(events.trackId, move.fromTrackId));
}

/** Returns events as JSON text. */
export async function selectEvents(tx: Database, whichEvents: SQL | undefined): Promise<string> {
  return await selectJsonRows(tx, events, whichEvents);
}

export async function restoreEvents(tx: Database, rows: string): Promise<void> {
  await insertJsonRows(tx, events, rows);
}

/** Marks every event as delivered, so that a restored backup sends nothing again. */
export async function markAllDelivered(tx: Database): Promise<void> {
  await tx
    .update(events)
    .set({ deliveredAt: sql`now()` })
    .where(isNull(events.deliveredAt));
}
