import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import { lapIdSchema, type SessionId, type UserId } from '#contract/ids.ts';
import { RESTORABLE_SECONDS } from '#contract/sessions/labels.ts';
import { outlineSchema } from '#contract/tracks/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { insertJsonRows, selectJsonRows } from '#server/kernel/database/json-rows.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { restoreComparisons, selectComparisonsOf } from '#server/model/comparisons/saved-comparison-store.ts';
import { restoreEvents, selectEvents } from '#server/model/events/event-store.ts';
import { events } from '#server/model/events/schema.ts';
import { restoreNotices, selectNoticesOfEvents } from '#server/model/notices/notice-store.ts';
import { restoreVideos, selectVideos } from '#server/model/videos/video-store.ts';
import { drawFromLap, findDrawing } from '#server/model/tracks/track-store.ts';
import { deletedSessions, lapFiles, laps, sessions } from './schema.ts';
import type { SessionFile } from './session-store.ts';

/** The call of a browser that offers to undo for a minute may be on its way a little longer. */
export const KEPT_SECONDS = RESTORABLE_SECONDS + 5;
const keptSince = sql`now() - ${KEPT_SECONDS}::int * interval '1 second'`;
const isKept = gt(deletedSessions.deletedAt, keptSince);

const rowsSchema = z.object({
  lapFiles: z.string(),
  sessions: z.string(),
  laps: z.string(),
  videos: z.string(),
  events: z.string(),
  notices: z.string(),
  comparisons: z.string(),
  drawing: outlineSchema.nullable(),
});

/** Copies all rows that a session has, before they are deleted, so that it can be restored. Call it within `changeLaps`. */
export async function keepSessionRows(tx: Database, session: SessionFile): Promise<void> {
  const { id, trackId, userId, storageKey } = session;
  const isLap = and(eq(laps.trackId, trackId), eq(laps.sessionId, id));
  const isEvent = and(eq(events.trackId, trackId), eq(events.sessionId, id));
  const own = await selectJsonRows(tx, sessions, and(eq(sessions.trackId, trackId), eq(sessions.id, id)));
  // Another call has just deleted it.
  if (own === '[]') return;
  const driven = await tx.select({ id: laps.id }).from(laps).where(isLap);
  const lapIds = driven.map((lap) => lap.id);
  const rows: z.input<typeof rowsSchema> = {
    lapFiles: await selectJsonRows(tx, lapFiles, eq(lapFiles.sha256, session.lapFileSha256)),
    sessions: own,
    laps: await selectJsonRows(tx, laps, isLap),
    videos: await selectVideos(tx, { trackId, sessionId: id }),
    events: await selectEvents(tx, isEvent),
    notices: await selectNoticesOfEvents(tx, isEvent),
    comparisons: await selectComparisonsOf(tx, trackId, lapIds),
    drawing: await findDrawing(tx, session),
  };
  // The time of writing, not of the transaction's begin, which may have waited for the track.
  const deletedAt = sql`clock_timestamp()`;
  await tx.insert(deletedSessions).values({ id, trackId, userId, storageKey, rows, deletedAt });
}

export type DeletedSession = Pick<
  typeof deletedSessions.$inferSelect,
  'id' | 'trackId' | 'userId' | 'deletedAt'
>;

/** Finds a session that was deleted within the last minute. */
export async function findDeletedSession(
  db: Database,
  sessionId: SessionId,
): Promise<DeletedSession | undefined> {
  const { id, trackId, userId, deletedAt } = deletedSessions;
  const [row] = await db
    .select({ id, trackId, userId, deletedAt })
    .from(deletedSessions)
    .where(and(eq(id, sessionId), isKept));
  return row;
}

/**
 * Brings back all rows of a deleted session, unless it is gone for good, or its file was uploaded again. Call it within
 * `changeLaps`.
 */
export async function restoreSessionRows(
  tx: Database,
  { id, trackId }: DeletedSession,
): Promise<'restored' | 'gone' | 'uploaded-again'> {
  const [taken] = await tx
    .delete(deletedSessions)
    .where(and(eq(deletedSessions.id, id), isKept))
    .returning({ rows: deletedSessions.rows });
  if (!taken) return 'gone';
  const rows = rowsSchema.parse(taken.rows);
  if ((await insertJsonRows(tx, lapFiles, rows.lapFiles)) === 0) return 'uploaded-again';
  await insertJsonRows(tx, sessions, rows.sessions);
  await insertJsonRows(tx, laps, rows.laps);
  await restoreVideos(tx, rows.videos);
  await restoreEvents(tx, rows.events);
  await restoreNotices(tx, rows.notices);
  await restoreComparisons(tx, trackId, rows.comparisons);
  if (rows.drawing) await drawFromLap(tx, trackId, { sessionId: id, points: rows.drawing, lapTimeMs: 0 });
  return 'restored';
}

/** Selects the ids of the laps of deleted sessions that may still be restored. */
export function selectRestorableLaps(db: Database) {
  const id = sql`(jsonb_array_elements((${deletedSessions.rows} ->> 'laps')::jsonb) ->> 'id')::uuid`;
  return db.select({ id: readAs(lapIdSchema, id) }).from(deletedSessions);
}

/** Deletes what is kept of sessions whose minute is over; returns where their files are. */
export async function takeOverdueSessions(db: Database): Promise<string[]> {
  const rows = await db
    .delete(deletedSessions)
    .where(lte(deletedSessions.deletedAt, keptSince))
    .returning({ storageKey: deletedSessions.storageKey });
  return rows.map(({ storageKey }) => storageKey);
}

/** Deletes what is kept of the deleted sessions of these people, and what those of others hold about anybody; returns where the files are. */
export async function deleteKeptSessionsOf(tx: Database, userIds: readonly UserId[]): Promise<string[]> {
  const rows = await tx
    .delete(deletedSessions)
    .where(inArray(deletedSessions.userId, [...userIds]))
    .returning({ storageKey: deletedSessions.storageKey });
  const aboutOthers = JSON.stringify({ events: '[]', notices: '[]', comparisons: '[]' });
  await tx.update(deletedSessions).set({ rows: sql`${deletedSessions.rows} || ${aboutOthers}::jsonb` });
  return rows.map(({ storageKey }) => storageKey);
}

/** Deletes all that is kept of deleted sessions: a backup does not contain their files. */
export async function deleteKeptSessions(tx: Database): Promise<void> {
  await tx.delete(deletedSessions);
}
