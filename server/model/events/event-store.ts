import { and, asc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import { copyTrackRows, type TrackMove } from '#server/kernel/database/copy-track-rows.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { deleteNoticesOfEvents } from '#server/model/notices/notice-store.ts';
import { events } from './schema.ts';
import { type NewEvent, type StoredEvent, storedEventSchema } from './event-kinds.ts';

/** Writes events of a track, which is locked: so their ids grow in the order in which things happened there. */
export async function insertEvents(
  tx: Database,
  trackId: string,
  newEvents: readonly NewEvent[],
): Promise<void> {
  await tx.insert(events).values(newEvents.map((event) => ({ ...event, trackId })));
}

/** Up to `limit` events of a track that are not delivered, oldest first; locked until the end of the transaction. */
export async function lockUndelivered(tx: Database, trackId: string, limit: number): Promise<StoredEvent[]> {
  const rows = await tx
    .select()
    .from(events)
    .where(and(eq(events.trackId, trackId), isNull(events.deliveredAt)))
    .orderBy(asc(events.id))
    .limit(limit)
    .for('update');
  return z.array(storedEventSchema).parse(rows);
}

export async function markDelivered(tx: Database, trackId: string, ids: readonly number[]): Promise<void> {
  await tx
    .update(events)
    .set({ deliveredAt: sql`statement_timestamp()` })
    .where(and(eq(events.trackId, trackId), inArray(events.id, [...ids])));
}

/** The tracks that have events which are not delivered. */
export async function listUndeliveredTracks(db: Database): Promise<string[]> {
  const rows = await db
    .selectDistinct({ trackId: events.trackId })
    .from(events)
    .where(isNull(events.deliveredAt));
  return rows.map(({ trackId }) => trackId);
}

/** Removes what was delivered before so many days. */
export async function deleteDelivered(db: Database, days: number): Promise<void> {
  await db
    .delete(events)
    .where(lt(events.deliveredAt, sql`statement_timestamp() - ${days}::int * interval '1 day'`));
}

/**
 * Removes the events of drivers, and their ids from the events of others. Call it while the drivers are removed by
 * `changeDrivers`: the tracks that they have driven on are locked then, so no event of theirs can be added.
 */
export async function deleteEventsOfUsers(tx: Database, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.delete(events).where(inArray(events.userId, [...userIds]));
  await tx
    .update(events)
    .set({ otherUserId: null })
    .where(inArray(events.otherUserId, [...userIds]));
}

/** Moves the events of a track to another one. Notices made of them are deleted. */
export async function moveEvents(tx: Database, move: TrackMove): Promise<void> {
  await copyTrackRows(tx, events, move);
  await deleteNoticesOfEvents(tx, eq(events.trackId, move.fromTrackId));
  await tx.delete(events).where(eq(events.trackId, move.fromTrackId));
}

/** Marks every event as delivered, so that a restored backup sends nothing again. */
export async function markAllDelivered(tx: Database): Promise<void> {
  await tx
    .update(events)
    .set({ deliveredAt: sql`now()` })
    .where(isNull(events.deliveredAt));
}
