import { and, asc, desc, eq, getTableColumns, gt, isNull, ne, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { z } from 'zod';
import {
  type DecisionId,
  type LapId,
  type SessionId,
  type TrackId,
  type UserId,
  userIdSchema,
} from '#contract/ids.ts';
import { flaggedLapSchema } from '#contract/moderation/schemas.ts';
import { FLAG_LIMITS } from '#contract/moderation/labels.ts';
import { bestLapFirst, RANKING_STATUS_LIST } from '#server/model/laps/ranking.ts';
import { DRIVER_NAME, IS_LEAVING, PERSON_NAME } from '#server/model/people/driver-name.ts';
import type { TrackMove } from '#server/kernel/database/copy-track-rows.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { isoMilliseconds, queryRows, readAs } from '#server/kernel/database/query-rows.ts';
import { figuresSchema, readMeasure } from './read-measure.ts';
import { lapDecisions, lapEvidence, lapFlags, lapQuestions } from './schema.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';

/** Finds the fields of a lap that flags and decisions need; undefined where there is none. */
export async function findFlaggableLap(db: Database, trackId: TrackId, lapId: LapId) {
  const [row] = await db
    .select({
      id: laps.id,
      trackId: laps.trackId,
      sessionId: laps.sessionId,
      lapTimeMs: laps.lapTimeMs,
      driverId: sessions.userId,
      status: laps.status,
      reasons: laps.reasons,
      leftOutStatus: laps.leftOutStatus,
      rejectedStatus: laps.rejectedStatus,
    })
    .from(laps)
    .innerJoin(sessions, and(eq(sessions.trackId, laps.trackId), eq(sessions.id, laps.sessionId)))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(laps.trackId, trackId), eq(laps.id, lapId), isNull(users.deletionDueAt)));
  return row;
}

export type FlaggableLap = NonNullable<Awaited<ReturnType<typeof findFlaggableLap>>>;

/** Locks the flags of a user until the end of the transaction, so that the daily limit counts each of them. */
export async function lockFlagsByUser(tx: Database, userId: UserId): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`flags by user ${userId}`}, 0))`);
}

/**
 * Locks the review of a lap until the end of the transaction: questions, answers and decisions run one after the other. Call it
 * before `changeLaps`.
 */
export async function lockLapReview(tx: Database, lapId: LapId): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`review of lap ${lapId}`}, 0))`);
}

export async function countFlaggedToday(tx: Database, userId: UserId): Promise<number> {
  const isToday = gt(lapFlags.flaggedAt, sql`now() - interval '24 hours'`);
  return await tx.$count(lapFlags, and(eq(lapFlags.userId, userId), ne(lapFlags.reason, 'appeal'), isToday));
}

export async function insertFlag(tx: Database, flag: typeof lapFlags.$inferInsert): Promise<void> {
  await tx.insert(lapFlags).values(flag);
}

/** Selects the name of the driver of `other_lap_id`, as SQL on `lap_flags`; null where there is no such lap any more. */
const OTHER_DRIVER = `(
  SELECT ${PERSON_NAME} FROM laps AS other
  JOIN sessions AS drives ON drives.track_id = other.track_id AND drives.id = other.session_id
  JOIN users ON users.id = drives.user_id
  WHERE other.track_id = lap_flags.track_id AND other.id = lap_flags.other_lap_id
)`;

/** Stands for a name in the sentence of an automatic flag. */
export const ANOTHER_DRIVER = 'another driver';

/** Completes the sentence of a flag when it is shown: no name is stored in it, so none outlives its account. */
function nameOtherDriver<Flag extends { sentence: string; otherDriver: string | null }>({
  otherDriver,
  ...flag
}: Flag): Omit<Flag, 'otherDriver'> {
  if (otherDriver === null) return flag;
  return { ...flag, sentence: flag.sentence.replace(ANOTHER_DRIVER, () => otherDriver) };
}

/** Lists all flags of a lap, oldest first. */
export async function listFlags(db: Database, lapId: LapId) {
  const otherDriver = readAs(z.string().nullable(), sql.raw(OTHER_DRIVER));
  const rows = await db
    .select({ ...getTableColumns(lapFlags), otherDriver })
    .from(lapFlags)
    .where(eq(lapFlags.lapId, lapId))
    .orderBy(asc(lapFlags.flaggedAt));
  return rows.map(nameOtherDriver);
}

/** Lists the other laps of a lap's session that have open flags. */
export async function listFlaggedLapIds(
  tx: Database,
  { trackId, sessionId, id }: FlaggableLap,
): Promise<LapId[]> {
  const rows = await tx
    .selectDistinct({ lapId: laps.id })
    .from(lapFlags)
    .innerJoin(laps, and(eq(laps.trackId, lapFlags.trackId), eq(laps.id, lapFlags.lapId)))
    .where(
      and(
        eq(laps.trackId, trackId),
        eq(laps.sessionId, sessionId),
        ne(laps.id, id),
        isNull(lapFlags.decisionId),
      ),
    );
  return rows.map(({ lapId }) => lapId);
}

/** Lists the decisions on a lap that were not undone, latest first. */
export async function listDecisions(db: Database, lapId: LapId) {
  return await db
    .select()
    .from(lapDecisions)
    .where(and(eq(lapDecisions.lapId, lapId), isNull(lapDecisions.undoneAt)))
    .orderBy(desc(lapDecisions.decidedAt));
}

/** Tells whether a user has ever flagged a lap of a driver. */
export async function hasFlagged(db: Database, userId: UserId, driverId: UserId): Promise<boolean> {
  const byUser = and(
    eq(lapFlags.userId, userId),
    eq(lapFlags.driverId, driverId),
    ne(lapFlags.reason, 'appeal'),
  );
  return (await db.$count(lapFlags, byUser)) > 0;
}

/** Stores a decision, which closes all open flags of the lap. */
export async function insertDecision(
  tx: Database,
  decision: typeof lapDecisions.$inferInsert,
): Promise<void> {
  const [row] = await tx.insert(lapDecisions).values(decision).returning({ id: lapDecisions.id });
  await tx
    .update(lapFlags)
    .set({ decisionId: row?.id ?? null })
    .where(and(eq(lapFlags.lapId, decision.lapId), isNull(lapFlags.decisionId)));
}

/** Marks a decision as undone, and reopens the flags that it had closed. */
export async function undoDecision(tx: Database, decisionId: DecisionId): Promise<void> {
  await tx
    .update(lapDecisions)
    .set({ undoneAt: sql`now()` })
    .where(eq(lapDecisions.id, decisionId));
  await tx.update(lapFlags).set({ decisionId: null }).where(eq(lapFlags.decisionId, decisionId));
}

const flagOfQueue = flaggedLapSchema.shape.flags.element;
const flagRow = flagOfQueue
  .omit({ measure: true })
  .extend({ otherDriver: z.string().nullable(), figures: figuresSchema })
  .transform(({ figures, ...flag }) => ({
    ...nameOtherDriver(flag),
    measure: readMeasure(flag.reason, figures),
  }));
const queuedLapRow = flaggedLapSchema.omit({ whyNot: true }).extend({
  flags: z.array(flagRow),
  hasOwnFlag: z.boolean(),
  isAppealed: z.boolean(),
  decidedBy: userIdSchema.nullable(),
});

/** Holds a lap of the queue without the rights of the reader. */
export type QueuedLap = z.infer<typeof queuedLapRow>;

const otherBest = (condition: string) => `(
  SELECT json_build_object('lapId', other.id, 'lapTimeMs', other.lap_time_ms) FROM laps AS other
  JOIN sessions AS drives ON drives.track_id = other.track_id AND drives.id = other.session_id
  JOIN users ON users.id = drives.user_id AND NOT (${IS_LEAVING})
  WHERE other.track_id = laps.track_id AND other.id <> laps.id AND other.status IN ${RANKING_STATUS_LIST} ${condition}
  ORDER BY ${bestLapFirst('other')} LIMIT 1
)`;

/** Is true where a user has flagged a lap of the driver, as SQL; the appeal of a driver is no such flag. */
export const hasFlaggedDriver = (userId: string, driverId: string): string => `EXISTS (
  SELECT FROM lap_flags WHERE lap_flags.user_id = ${userId} AND lap_flags.driver_id = ${driverId} AND lap_flags.reason <> 'appeal'
)`;

/** Selects who has made the decision in force on a lap, as SQL. */
export const lastDecider = (lapId: string): string => `(
  SELECT decided_by FROM lap_decisions AS decisions WHERE decisions.lap_id = ${lapId} AND undone_at IS NULL
  ORDER BY decided_at DESC LIMIT 1
)`;

// $1 is the reader.
const SELECT_QUEUE = `
  WITH open AS (
    SELECT track_id, lap_id, min(flagged_at) AS since, ${isoMilliseconds('min(flagged_at)')} AS since_text, bool_or(reason = 'appeal') AS is_appealed
    FROM lap_flags LEFT JOIN users ON users.id = lap_flags.user_id
    WHERE decision_id IS NULL AND NOT (${IS_LEAVING}) GROUP BY track_id, lap_id
  )
  SELECT laps.track_id AS "trackId", concat_ws(' ', tracks.name, tracks.configuration) AS "trackName", laps.id AS "lapId",
    laps.session_id AS "sessionId", sessions.user_id AS "driverId", ${DRIVER_NAME} AS "userName", car_models.model_display AS "carName",
    sessions.tire_compound AS "tireCompound", sessions.session_date AS "sessionDate",
    laps.lap_time_ms AS "lapTimeMs", open.since_text AS "openSince", (
      SELECT count(DISTINCT driven.user_id)::int FROM session_bests AS driven WHERE driven.track_id = laps.track_id
    ) AS "driverCount", 1 + (
      SELECT count(DISTINCT faster.user_id)::int FROM session_bests AS faster
      WHERE faster.track_id = laps.track_id AND faster.lap_time_ms < laps.lap_time_ms AND faster.user_id <> sessions.user_id
    ) AS rank, laps.uncertainty_ms AS "uncertaintyMs",
    ${otherBest('AND drives.user_id <> sessions.user_id')} AS record, ${otherBest('AND drives.user_id = sessions.user_id')} AS "driverOtherBest",
    laps.rejected_status IS NOT NULL AS "isRejected",
    array_remove(laps.reasons, 'rejected_by_moderator') AS reasons, sessions.video_url AS "videoUrl",
    (
      SELECT json_agg(json_build_object('reason', reason, 'sentence', sentence, 'flaggedAt', ${isoMilliseconds('flagged_at')},
        'userName', CASE WHEN users.id IS NOT NULL THEN ${DRIVER_NAME} END,
        'figures', figures, 'otherDriver', ${OTHER_DRIVER}) ORDER BY flagged_at)
      FROM lap_flags LEFT JOIN users ON users.id = lap_flags.user_id WHERE lap_flags.lap_id = laps.id AND decision_id IS NULL AND NOT (${IS_LEAVING})
    ) AS flags,
    coalesce((
      SELECT json_agg(json_build_object('verdict', verdict, 'reason', reason, 'decidedAt', ${isoMilliseconds('decided_at')},
        'userName', CASE WHEN users.id IS NOT NULL AND NOT (${IS_LEAVING}) THEN ${DRIVER_NAME} END, 'isUndone', undone_at IS NOT NULL)
        ORDER BY decided_at DESC)
      FROM lap_decisions LEFT JOIN users ON users.id = decided_by WHERE lap_decisions.lap_id = laps.id
    ), '[]') AS history,
    coalesce((
      SELECT json_agg(json_build_object('question', question, 'askedAt', ${isoMilliseconds('asked_at')},
        'answer', answer, 'answeredAt', ${isoMilliseconds('answered_at')}) ORDER BY asked_at)
      FROM lap_questions WHERE lap_questions.lap_id = laps.id
    ), '[]') AS questions,
    ${hasFlaggedDriver('$1', 'sessions.user_id')} AS "hasOwnFlag",
    open.is_appealed AS "isAppealed", ${lastDecider('laps.id')} AS "decidedBy"
  FROM open
  JOIN laps ON laps.track_id = open.track_id AND laps.id = open.lap_id
  JOIN tracks ON tracks.id = laps.track_id
  JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
  JOIN users ON users.id = sessions.user_id AND NOT (${IS_LEAVING})
  LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
  LEFT JOIN car_models ON car_models.id = user_cars.car_model_id
`;

const ORDERS = { age: 'open.since, laps.id', position: 'rank, open.since, laps.id' };

/** Lists laps with open flags: by the oldest flag, or those that lead their board first. */
export async function listQueue(
  pool: Pool,
  readerId: UserId,
  order: keyof typeof ORDERS,
): Promise<QueuedLap[]> {
  return await queryRows(pool, queuedLapRow, {
    name: `list-flagged-laps-by-${order}`,
    text: `${SELECT_QUEUE} ORDER BY ${ORDERS[order]} LIMIT ${FLAG_LIMITS.queueMax}`,
    values: [readerId],
  });
}

// The days are cut towards zero: the clock that has set a flag may be ahead of the one that reads it.
const FIND_CHECKS = {
  name: 'find-checks',
  text: `
    SELECT coalesce((
        SELECT sum(bests.lap_count) FROM session_bests AS bests
        JOIN sessions ON sessions.track_id = bests.track_id AND sessions.id = bests.session_id
        WHERE bests.track_id = tracks.id AND sessions.rules_version > 0
      ), 0)::int AS "checkedLapCount",
      (
        SELECT trunc(extract(epoch FROM now() - min(flagged_at)) / 86400)::int FROM lap_flags
        JOIN laps ON laps.track_id = lap_flags.track_id AND laps.id = lap_flags.lap_id
        JOIN users ON users.id = lap_flags.driver_id AND NOT (${IS_LEAVING})
        WHERE lap_flags.track_id = tracks.id AND decision_id IS NULL
      ) AS "openFlagDays"
    FROM tracks WHERE id = $1`,
};

const checksRow = z.object({ checkedLapCount: z.int(), openFlagDays: z.int().nullable() });

/** Finds the progress of the checks of a track; undefined for an unknown track. */
export async function findChecks(
  pool: Pool,
  trackId: TrackId,
): Promise<z.infer<typeof checksRow> | undefined> {
  const [checks] = await queryRows(pool, checksRow, { ...FIND_CHECKS, values: [trackId] });
  return checks;
}

/** Moves the flags, questions and evidence of a track's laps to the track that the laps move to. */
export async function moveFlags(tx: Database, { fromTrackId, intoTrackId }: TrackMove): Promise<void> {
  for (const table of [lapFlags, lapQuestions, lapEvidence])
    await tx.update(table).set({ trackId: intoTrackId }).where(eq(table.trackId, fromTrackId));
}

/**
 * Returns whether a lap of the session has an open flag of somebody else than the reader; false where its driver leaves, of whom
 * others see nothing.
 */
export async function hasOpenFlag(
  db: Database,
  { trackId, id }: { trackId: TrackId; id: SessionId },
  readerId: UserId,
): Promise<boolean> {
  const [flag] = await db
    .select({ id: lapFlags.id })
    .from(lapFlags)
    .innerJoin(laps, and(eq(laps.trackId, lapFlags.trackId), eq(laps.id, lapFlags.lapId)))
    .innerJoin(sessions, and(eq(sessions.trackId, laps.trackId), eq(sessions.id, laps.sessionId)))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(laps.trackId, trackId),
        eq(laps.sessionId, id),
        isNull(lapFlags.decisionId),
        sql`${lapFlags.userId} IS DISTINCT FROM ${readerId}`,
        isNull(users.deletionDueAt),
      ),
    )
    .limit(1);
  return flag !== undefined;
}
