import { randomInt } from 'node:crypto';
import { and, asc, count, desc, eq, gt, inArray, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { type TrackId, trackIdSchema, type UserId } from '#contract/ids.ts';
import { liveCodeSchema, type LiveCode, type LiveFix, type SharingId } from '#contract/live/schemas.ts';
import { LIVE_LIMITS, type LiveVisibility } from '#contract/live/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { notification, sendMessage } from '#server/kernel/database/notifications.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';
import { users } from '#server/model/people/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { liveBatches, liveSessions, liveSharings, liveTimings } from './schema.ts';

/** The topic of the messages between copies of the server about live sessions. */
export const LIVE_TOPIC = 'live';

const CODE_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 12;

function newCode(): LiveCode {
  const characters = Array.from(
    { length: CODE_LENGTH },
    () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)],
  );
  return liveCodeSchema.parse(characters.join(''));
}

/** Locks the live sessions of a track until the end of the transaction, so that two first drivers share one. */
export async function lockLiveSessions(tx: Database, trackId: TrackId): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('live sessions of ' || ${trackId}, 0))`);
}

/** Locks a sharing, without a write to the log of the database, so that batches of one driver take turns. */
export async function lockSharing(tx: Database, sharingId: SharingId): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('live sharing ' || ${sharingId}, 0))`);
}

export type StoredLiveSession = typeof liveSessions.$inferSelect;

/** Finds a session. With `lock` it does not end before the end of the transaction. */
export async function findLiveSession(
  db: Database,
  code: LiveCode,
  lock = false,
): Promise<StoredLiveSession | undefined> {
  const query = db.select().from(liveSessions).where(eq(liveSessions.code, code));
  const [session] = await (lock ? query.for('update') : query);
  return session;
}

/** Finds the session of the day on a track that is for everybody, which does not end before the end of the transaction. */
export async function findOpenLiveSession(
  tx: Database,
  trackId: TrackId,
): Promise<StoredLiveSession | undefined> {
  const isOpen = and(eq(liveSessions.trackId, trackId), eq(liveSessions.visibility, 'everybody'));
  const [session] = await tx
    .select()
    .from(liveSessions)
    .where(isOpen)
    .orderBy(desc(liveSessions.startedAt))
    .for('update');
  return session;
}

export async function insertLiveSession(
  tx: Database,
  session: { trackId: TrackId; title: string | null; visibility: LiveVisibility },
): Promise<StoredLiveSession> {
  const [stored] = await tx
    .insert(liveSessions)
    .values({ ...session, code: newCode() })
    .returning();
  if (!stored) throw new Error('The live session was not stored.');
  return stored;
}

/** Inserts a driver of a session with the next number; the session is locked by its change. */
export async function insertSharing(
  tx: Database,
  sharing: { code: LiveCode; userId: UserId; carName: string | null },
): Promise<{ id: SharingId; number: number } | null> {
  const [session] = await tx
    .update(liveSessions)
    .set({ driversSoFar: sql`${liveSessions.driversSoFar} + 1` })
    .where(eq(liveSessions.code, sharing.code))
    .returning({ number: liveSessions.driversSoFar });
  if (!session) return null;
  const [stored] = await tx
    .insert(liveSharings)
    .values({ ...sharing, number: session.number })
    .returning({ id: liveSharings.id, number: liveSharings.number });
  return stored ?? null;
}

export async function countSharings(tx: Database, code: LiveCode): Promise<number> {
  return await tx.$count(liveSharings, eq(liveSharings.code, code));
}

const sharingColumns = {
  sharingId: liveSharings.id,
  code: liveSharings.code,
  number: liveSharings.number,
  car: liveSharings.carName,
  startedAt: liveSharings.startedAt,
  trackId: liveSessions.trackId,
  title: liveSessions.title,
  visibility: liveSessions.visibility,
  name: readAs(z.string(), sql.raw(DRIVER_NAME)),
  showsLine: sql`NOT ${users.keepLinesPrivate}`.mapWith(Boolean),
};

const selectSharings = (db: Database) =>
  db
    .select({
      ...sharingColumns,
      batchCount: liveTimings.batchCount,
      lastFixAtMs: liveTimings.lastFixAtMs,
      seenAt: liveTimings.seenAt,
      progress: liveTimings.progress,
    })
    .from(liveSharings)
    .innerJoin(liveSessions, eq(liveSessions.code, liveSharings.code))
    .innerJoin(users, eq(users.id, liveSharings.userId))
    .leftJoin(liveTimings, eq(liveTimings.sharingId, liveSharings.id));

export type StoredSharing = Awaited<ReturnType<typeof selectSharings>>[number];

export async function findSharing(db: Database, userId: UserId): Promise<StoredSharing | undefined> {
  const [sharing] = await selectSharings(db).where(eq(liveSharings.userId, userId));
  return sharing;
}

/** Lists the drivers of a session, without those who have left the site. */
export async function listSharings(db: Database, code: LiveCode): Promise<StoredSharing[]> {
  return await selectSharings(db)
    .where(and(eq(liveSharings.code, code), sql.raw(`NOT (${IS_LEAVING})`)))
    .orderBy(asc(liveSharings.number));
}

export async function listOpenLiveSessions(db: Database, trackId: TrackId | undefined, limit: number) {
  return await db
    .select({
      code: liveSessions.code,
      title: liveSessions.title,
      trackId: readAs(trackIdSchema, sql`${liveSessions.trackId}`),
      trackName: tracks.name,
      startedAt: liveSessions.startedAt,
      driverCount: count(liveSharings.id),
    })
    .from(liveSessions)
    .innerJoin(tracks, eq(tracks.id, liveSessions.trackId))
    .innerJoin(liveSharings, eq(liveSharings.code, liveSessions.code))
    .where(
      and(
        eq(liveSessions.visibility, 'everybody'),
        trackId === undefined ? undefined : eq(liveSessions.trackId, trackId),
      ),
    )
    .groupBy(liveSessions.code, tracks.name)
    .orderBy(desc(liveSessions.startedAt))
    .limit(limit);
}

/** Lists the batches after one of them, or all that are kept. */
export async function listBatches(
  tx: Database,
  sharingId: SharingId,
  after: number,
): Promise<{ fixes: LiveFix[] }[]> {
  return await tx
    .select({ fixes: liveBatches.fixes })
    .from(liveBatches)
    .where(and(eq(liveBatches.sharingId, sharingId), gt(liveBatches.number, after)))
    .orderBy(asc(liveBatches.number));
}

export type NewTiming = {
  sharingId: SharingId;
  batchCount: number;
  lastFixAtMs: number;
  progress: unknown;
  fixes: LiveFix[];
  /** Batches before this one are of a lap that is over. */
  keepFrom: number;
};

// A longer lap is timed as well, as long as the same copy of the server takes its fixes.
const BATCHES_KEPT_MS = 20 * 60_000;

/** Stores a batch and how far it has brought the driver, and sends the copies of the server a message: one statement, since each takes time. */
export async function storeTiming(
  tx: Database,
  { sharingId, batchCount, lastFixAtMs, progress, fixes, keepFrom }: NewTiming,
  message: string,
): Promise<void> {
  await tx.execute(sql`
    WITH batch AS (
      INSERT INTO live_batches (sharing_id, number, last_fix_at_ms, fixes)
      VALUES (${sharingId}, ${batchCount}, ${lastFixAtMs}, ${JSON.stringify(fixes)}::jsonb)
    ), gone AS (
      DELETE FROM live_batches WHERE sharing_id = ${sharingId}
        AND (number < ${keepFrom} OR last_fix_at_ms < ${lastFixAtMs - BATCHES_KEPT_MS})
    ), timing AS (
      INSERT INTO live_timings (sharing_id, batch_count, last_fix_at_ms, seen_at, progress)
      VALUES (${sharingId}, ${batchCount}, ${lastFixAtMs}, clock_timestamp(), ${JSON.stringify(progress)}::jsonb)
      ON CONFLICT (sharing_id) DO UPDATE SET batch_count = excluded.batch_count,
        last_fix_at_ms = excluded.last_fix_at_ms, seen_at = excluded.seen_at, progress = excluded.progress
    )
    ${notification(LIVE_TOPIC, message)}`);
}

/** Ends what these users share live, and their sessions where no driver is left; the copies of the server are notified. */
export async function endLiveSharing(tx: Database, userIds: readonly UserId[]): Promise<boolean> {
  return await endSharings(
    tx,
    userIds.length === 0 ? sql`false` : inArray(liveSharings.userId, [...userIds]),
  );
}

/** Ends the sharings of drivers who have sent nothing for a while, and sessions of yesterday. */
export async function endSilentSharings(db: Database): Promise<boolean> {
  const silent = sql`coalesce(
      (SELECT seen_at FROM live_timings WHERE live_timings.sharing_id = ${liveSharings.id}), ${liveSharings.startedAt}
    ) < now() - ${LIVE_LIMITS.silenceMaxMs}::int * interval '1 millisecond'
    OR ${liveSharings.startedAt} < now() - ${LIVE_LIMITS.sessionLastsMs}::int * interval '1 millisecond'`;
  return await db.transaction(async (tx) => await endSharings(tx, silent));
}

async function endSharings(tx: Database, which: SQL | undefined): Promise<boolean> {
  const due = await tx
    .select({ id: liveSharings.id })
    .from(liveSharings)
    .where(which)
    .orderBy(liveSharings.id);
  const ids = due.map(({ id }) => id);
  // A batch that is being stored comes first: it would leave its fixes behind.
  for (const id of ids) await lockSharing(tx, id);
  if (ids.length === 0) return false;
  const ended = await tx
    .delete(liveSharings)
    .where(inArray(liveSharings.id, ids))
    .returning({ code: liveSharings.code, number: liveSharings.number });
  await deleteTimings(tx, ids);
  for (const { code, number } of ended)
    await sendMessage(tx, LIVE_TOPIC, JSON.stringify({ code, gone: number }));
  const codes = [...new Set(ended.map(({ code }) => code))];
  // A driver who is starting comes first: the next statement sees the new sharing, which would else end with the session.
  await tx
    .select({ code: liveSessions.code })
    .from(liveSessions)
    .where(inArray(liveSessions.code, codes))
    .orderBy(asc(liveSessions.code))
    .for('update');
  await tx.execute(sql`
    DELETE FROM live_sessions WHERE code = ANY(${sql.param(codes)}::text[])
      AND NOT EXISTS (SELECT FROM live_sharings WHERE live_sharings.code = live_sessions.code)`);
  return ended.length > 0;
}

async function deleteTimings(tx: Database, ids: readonly SharingId[]): Promise<void> {
  await tx.delete(liveBatches).where(inArray(liveBatches.sharingId, [...ids]));
  await tx.delete(liveTimings).where(inArray(liveTimings.sharingId, [...ids]));
}
