import { and, count, desc, eq, gt, inArray, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import {
  type LapId,
  lapIdSchema,
  type NoticeId,
  noticeIdSchema,
  type SessionId,
  type TrackId,
  trackIdSchema,
  type UserId,
  userIdSchema,
} from '#contract/ids.ts';
import { RANKING_STATUSES } from '#engine/timing/laps.ts';
import { NOTICE_KINDS, type NoticeKind } from '#contract/notices/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { insertJsonRows, selectJsonRows } from '#server/kernel/database/json-rows.ts';
import { sendIds } from '#server/kernel/database/notifications.ts';
import { executeRows, readAs } from '#server/kernel/database/query-rows.ts';
import { PERSON_NAME } from '#server/model/people/driver-name.ts';
import { notices, noticeSettings } from './schema.ts';
import { events } from '#server/model/events/schema.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { type NewNotice, noticeContentSchema } from './notice-kinds.ts';

/** The topic of the messages about users whose notices have changed. */
export const NOTICES_TOPIC = 'notices';

const sendChanged = (tx: Database, userIds: readonly UserId[]): Promise<void> =>
  sendIds(tx, NOTICES_TOPIC, [...new Set(userIds)]);

/** Stores notices, except stored ones and those of kinds that their users switched off. */
export async function insertNotices(tx: Database, newNotices: readonly NewNotice[]): Promise<void> {
  if (newNotices.length === 0) return;
  const userIds = newNotices.map(({ userId }) => userId);
  const settings = await tx.select().from(noticeSettings).where(inArray(noticeSettings.userId, userIds));
  const wanted = newNotices.filter(
    ({ userId, kind }) =>
      !settings.some((row) => row.userId === userId && row.muted.some((muted) => muted === kind)),
  );
  if (wanted.length === 0) return;
  await tx.insert(notices).values(wanted).onConflictDoNothing();
  await sendChanged(
    tx,
    wanted.map(({ userId }) => userId),
  );
}

const storedNoticeSchema = noticeContentSchema.and(
  z.object({
    id: noticeIdSchema,
    createdAt: z.date(),
    readAt: z.date().nullable(),
    trackId: trackIdSchema.nullable(),
    trackName: z.string().nullable(),
    otherName: z.string().nullable(),
    /** Null where the lap is deleted or hidden. */
    lapId: lapIdSchema.nullable(),
    comparedLapId: lapIdSchema.nullable(),
  }),
);

export type StoredNotice = z.infer<typeof storedNoticeSchema>;

type NoticeRange = {
  limit: number;
  afterId?: NoticeId;
  untilId?: NoticeId;
  /** Leaves out the kinds that the user wants in no mail. */
  forMail?: boolean;
};

/** Is true for a notice that its user wants in no mail, as SQL on `notices`. */
export const IS_MUTED_IN_MAIL = sql.raw(`EXISTS (
  SELECT FROM notice_settings
  WHERE notice_settings.user_id = notices.user_id AND 'mail:' || notices.kind = ANY(notice_settings.muted)
)`);

/** Lists the notices of a user, latest first; those after `afterId` up to `untilId`, where they are given. */
export async function listNotices(
  db: Database,
  userId: UserId,
  { limit, afterId, untilId, forMail = false }: NoticeRange,
): Promise<StoredNotice[]> {
  const { id, kind, payload, createdAt, readAt, trackId, lapId, comparedLapId } = notices;
  const rows = await db
    .select({
      id,
      kind,
      payload,
      createdAt,
      readAt,
      trackId,
      otherName: readAs(z.string().nullable(), sql.raw(PERSON_NAME)),
      lapId,
      comparedLapId,
    })
    .from(notices)
    .leftJoin(users, eq(users.id, notices.otherUserId))
    .where(
      and(
        eq(notices.userId, userId),
        afterId === undefined ? undefined : gt(id, afterId),
        untilId === undefined ? undefined : lte(id, untilId),
        forMail ? sql`NOT ${IS_MUTED_IN_MAIL}` : undefined,
      ),
    )
    .orderBy(desc(id))
    .limit(limit);
  const trackIds = [...new Set(rows.flatMap((row) => row.trackId ?? []))];
  if (trackIds.length === 0) return parseNotices(rows);
  const lapIds = rows.flatMap((row) => [row.lapId ?? [], row.comparedLapId ?? []].flat());
  const names = await listTrackNames(db, trackIds);
  const shown = await listShownLaps(db, { userId, trackIds, lapIds });
  return parseNotices(
    rows.map((row) => ({
      ...row,
      trackId: row.trackId !== null && names.has(row.trackId) ? row.trackId : null,
      trackName: (row.trackId !== null && names.get(row.trackId)) || null,
      lapId: row.lapId !== null && shown.has(row.lapId) ? row.lapId : null,
      comparedLapId: row.comparedLapId !== null && shown.has(row.comparedLapId) ? row.comparedLapId : null,
    })),
  );
}

function parseNotices(rows: readonly object[]): StoredNotice[] {
  return rows.map((row) => storedNoticeSchema.parse({ trackName: null, ...row }));
}

async function listTrackNames(db: Database, trackIds: TrackId[]): Promise<Map<TrackId, string>> {
  const rows = await db
    .select({ id: tracks.id, name: tracks.name })
    .from(tracks)
    .where(inArray(tracks.id, trackIds));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Lists which of the laps a user may see. Deleted laps are missing, and only their driver sees laps that do not rank. */
async function listShownLaps(
  db: Database,
  { userId, trackIds, lapIds }: { userId: UserId; trackIds: TrackId[]; lapIds: LapId[] },
): Promise<Set<LapId>> {
  if (lapIds.length === 0) return new Set();
  const rows = await db
    .select({ id: laps.id })
    .from(laps)
    .innerJoin(sessions, and(eq(sessions.trackId, laps.trackId), eq(sessions.id, laps.sessionId)))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        isNull(users.deletionDueAt),
        inArray(laps.trackId, trackIds),
        inArray(laps.id, lapIds),
        or(inArray(laps.status, [...RANKING_STATUSES]), eq(sessions.userId, userId)),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

export async function countUnread(db: Database, userId: UserId): Promise<number> {
  return await db.$count(notices, and(eq(notices.userId, userId), isNull(notices.readAt)));
}

/** Counts the unread notices of each user; users without any are missing. */
export async function countUnreadByUser(
  db: Database,
  userIds: readonly UserId[],
): Promise<Map<UserId, number>> {
  const rows = await db
    .select({ userId: notices.userId, unread: count() })
    .from(notices)
    .where(and(inArray(notices.userId, [...userIds]), isNull(notices.readAt)))
    .groupBy(notices.userId);
  return new Map(rows.map(({ userId, unread }) => [userId, unread]));
}

export async function markRead(db: Database, userId: UserId, untilId: NoticeId): Promise<void> {
  await db
    .update(notices)
    .set({ readAt: sql`now()` })
    .where(and(eq(notices.userId, userId), lte(notices.id, untilId), isNull(notices.readAt)));
  await sendChanged(db, [userId]);
}

export type MutedNotices = { muted: NoticeKind[]; mutedInMail: NoticeKind[] };

export async function findMuted(db: Database, userId: UserId): Promise<MutedNotices> {
  const [row] = await db.select().from(noticeSettings).where(eq(noticeSettings.userId, userId));
  const stored = new Set(row?.muted);
  return {
    muted: NOTICE_KINDS.filter((kind) => stored.has(kind)),
    mutedInMail: NOTICE_KINDS.filter((kind) => stored.has(`mail:${kind}`)),
  };
}

export async function setMuted(
  db: Database,
  userId: UserId,
  { muted, mutedInMail }: MutedNotices,
): Promise<void> {
  const stored = [...muted, ...mutedInMail.map((kind) => `mail:${kind}` as const)];
  await db
    .insert(noticeSettings)
    .values({ userId, muted: stored })
    .onConflictDoUpdate({ target: noticeSettings.userId, set: { muted: stored } });
}

const rivalRow = z.object({
  userId: userIdSchema,
  lapId: lapIdSchema,
  lapTimeMs: z.int(),
  carName: z.string(),
});

/** Lists the drivers with the session's car model on the board of a track, nearest lap time first, with their best laps in it. */
export async function listRivals(
  tx: Database,
  { trackId, sessionId, limit }: { trackId: TrackId; sessionId: SessionId; limit: number },
): Promise<z.infer<typeof rivalRow>[]> {
  const query = sql`
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
    ) AS rivals ORDER BY distance, "userId" LIMIT ${limit}`;
  return await executeRows(tx, rivalRow, query);
}

/** Deletes the notices of events. Call it before the events are deleted. */
export async function deleteNoticesOfEvents(tx: Database, whichEvents: SQL | undefined): Promise<void> {
  const condition = await findIfOfEvents(tx, whichEvents);
  if (!condition) return;
  const gone = await tx.delete(notices).where(condition).returning({ userId: notices.userId });
  await sendChanged(
    tx,
    gone.map(({ userId }) => userId),
  );
}

/** Returns the notices of events as JSON text. */
export async function selectNoticesOfEvents(tx: Database, whichEvents: SQL | undefined): Promise<string> {
  const condition = await findIfOfEvents(tx, whichEvents);
  return condition ? await selectJsonRows(tx, notices, condition) : '[]';
}

export async function restoreNotices(tx: Database, rows: string): Promise<void> {
  await insertJsonRows(tx, notices, rows);
  const users = z.array(z.object({ user_id: userIdSchema })).parse(JSON.parse(rows));
  await sendChanged(
    tx,
    users.map((row) => row.user_id),
  );
}

/** Returns the condition for notices of events, or null where there are no such events. Events may be on another node of Citus. */
async function findIfOfEvents(tx: Database, whichEvents: SQL | undefined): Promise<SQL | null> {
  const made = await tx.select({ trackId: events.trackId, id: events.id }).from(events).where(whichEvents);
  if (made.length === 0) return null;
  const trackIds = made.map(({ trackId }) => trackId);
  const ids = made.map(({ id }) => id);
  return sql`(track_id, event_id) IN (
    SELECT * FROM unnest(${sql.param(trackIds)}::text[], ${sql.param(ids)}::bigint[])
  )`;
}

/** Deletes notices of users and of their events, and their ids in others. Call it before events and sessions go. */
export async function deleteNoticesOfUsers(tx: Database, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return;
  await deleteNoticesOfEvents(
    tx,
    sql`user_id = ANY(${sql.param(userIds)}::uuid[]) OR EXISTS (
      SELECT FROM sessions WHERE sessions.track_id = events.track_id AND sessions.id = events.session_id
        AND sessions.user_id = ANY(${sql.param(userIds)}::uuid[])
    )`,
  );
  await tx.delete(notices).where(inArray(notices.userId, [...userIds]));
  await tx
    .update(notices)
    .set({ otherUserId: null })
    .where(inArray(notices.otherUserId, [...userIds]));
}

export async function deleteOldNotices(db: Database, days: number): Promise<void> {
  await db.delete(notices).where(lt(notices.createdAt, sql`now() - ${days}::int * interval '1 day'`));
}
