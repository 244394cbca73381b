import { and, desc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { NoticeKind } from '#contract/notice-labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { notices, noticeSettings } from '#server/kernel/database/notice-schema.ts';
import { tracks, users } from '#server/kernel/database/schema.ts';
import { type NewNotice, noticeContentSchema } from './notice-kinds.ts';

/** Stores notices, but those that their users do not want, and those that are there already. */
export async function insertNotices(tx: Database, newNotices: readonly NewNotice[]): Promise<void> {
  if (newNotices.length === 0) return;
  const userIds = newNotices.map(({ userId }) => userId);
  const settings = await tx.select().from(noticeSettings).where(inArray(noticeSettings.userId, userIds));
  const wanted = newNotices.filter(
    ({ userId, kind }) => !settings.some((row) => row.userId === userId && row.muted.includes(kind)),
  );
  if (wanted.length > 0) await tx.insert(notices).values(wanted).onConflictDoNothing();
}

// What a lap leads to is gone when the lap is, and hidden from others while it does not rank.
const isShown = (lapId: typeof notices.lapId | typeof notices.comparedLapId) => sql<boolean>`EXISTS (
  SELECT FROM laps JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
  WHERE laps.track_id = ${notices.trackId} AND laps.id = ${lapId}
    AND (laps.status IN ('valid', 'warning') OR sessions.user_id = ${notices.userId}))`;

const storedNoticeSchema = noticeContentSchema.and(
  z.object({
    id: z.int(),
    createdAt: z.date(),
    readAt: z.date().nullable(),
    trackId: z.string().nullable(),
    trackName: z.string().nullable(),
    otherName: z.string().nullable(),
    /** Null where the lap is gone or hidden. */
    lapId: z.uuid().nullable(),
    comparedLapId: z.uuid().nullable(),
  }),
);

export type StoredNotice = z.infer<typeof storedNoticeSchema>;

/** The notices of a user, latest first; with `since`, only those that were made after it. */
export async function listNotices(
  db: Database,
  userId: string,
  { limit, since }: { limit: number; since?: Date },
): Promise<StoredNotice[]> {
  const { id, kind, payload, createdAt, readAt, lapId, comparedLapId } = notices;
  const rows = await db
    .select({
      id,
      kind,
      payload,
      createdAt,
      readAt,
      trackId: tracks.id,
      trackName: tracks.name,
      otherName: sql<string | null>`coalesce(${users.displayName}, ${users.fullName})`,
      lapId: sql<string | null>`CASE WHEN ${isShown(lapId)} THEN ${lapId} END`,
      comparedLapId: sql<string | null>`CASE WHEN ${isShown(comparedLapId)} THEN ${comparedLapId} END`,
    })
    .from(notices)
    .leftJoin(tracks, eq(tracks.id, notices.trackId))
    .leftJoin(users, eq(users.id, notices.otherUserId))
    .where(and(eq(notices.userId, userId), since && sql`${createdAt} > ${since.toISOString()}`))
    .orderBy(desc(id))
    .limit(limit);
  return z.array(storedNoticeSchema).parse(rows);
}

export async function countUnread(db: Database, userId: string): Promise<number> {
  return await db.$count(notices, and(eq(notices.userId, userId), isNull(notices.readAt)));
}

/** The number of unread notices of each user that has any. */
export async function countUnreadOf(db: Database, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ userId: notices.userId, unread: sql<number>`count(*)::int` })
    .from(notices)
    .where(and(inArray(notices.userId, [...userIds]), isNull(notices.readAt)))
    .groupBy(notices.userId);
  return new Map(rows.map(({ userId, unread }) => [userId, unread]));
}

/** Marks the notices of a user as read, up to that one. */
export async function markRead(db: Database, userId: string, untilId: number): Promise<void> {
  await db
    .update(notices)
    .set({ readAt: sql`now()` })
    .where(and(eq(notices.userId, userId), lte(notices.id, untilId), isNull(notices.readAt)));
}

export async function findMuted(db: Database, userId: string): Promise<NoticeKind[]> {
  const [row] = await db.select().from(noticeSettings).where(eq(noticeSettings.userId, userId));
  return row?.muted ?? [];
}

export async function setMuted(db: Database, userId: string, muted: NoticeKind[]): Promise<void> {
  await db
    .insert(noticeSettings)
    .values({ userId, muted })
    .onConflictDoUpdate({ target: noticeSettings.userId, set: { muted } });
}

const rivalRows = z.array(
  z.object({ userId: z.uuid(), lapId: z.uuid(), lapTimeMs: z.int(), carName: z.string() }),
);

/** The drivers on the board of a track whose car has the model of that session, nearest in time first, with their bests in it. */
export async function listRivals(
  tx: Database,
  { trackId, sessionId, limit }: { trackId: string; sessionId: string; limit: number },
): Promise<z.infer<typeof rivalRows>> {
  const { rows } = await tx.execute(sql`
    SELECT * FROM (
      SELECT DISTINCT ON (bests.user_id) bests.user_id AS "userId", laps.id AS "lapId", bests.lap_time_ms AS "lapTimeMs",
        models.model_display AS "carName", abs(bests.lap_time_ms - own.lap_time_ms) AS distance
      FROM session_bests AS own
      JOIN session_bests AS bests ON bests.track_id = own.track_id AND bests.car_model_id = own.car_model_id
        AND bests.user_id <> own.user_id AND bests.same_car_lap_count IS NOT NULL
      JOIN car_models AS models ON models.id = own.car_model_id
      JOIN laps ON laps.track_id = bests.track_id AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
      WHERE own.track_id = ${trackId} AND own.session_id = ${sessionId}
      ORDER BY bests.user_id, bests.lap_time_ms
    ) AS rivals ORDER BY distance, "userId" LIMIT ${limit}`);
  return rivalRows.parse(rows);
}

/** Removes what is kept of users who leave, and their ids from the notices of others. */
export async function removeNoticesOf(tx: Database, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.delete(notices).where(inArray(notices.userId, [...userIds]));
  await tx
    .update(notices)
    .set({ otherUserId: null })
    .where(inArray(notices.otherUserId, [...userIds]));
}

/** Removes notices that are older than so many days. */
export async function forgetNotices(db: Database, days: number): Promise<void> {
  await db.delete(notices).where(lt(notices.createdAt, sql`now() - ${days}::int * interval '1 day'`));
}
