import { and, asc, eq, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { SessionId, TrackId, UserId } from '#contract/ids.ts';
import {
  type OwnSession,
  ownSessionSchema,
  type Session,
  type SessionChange,
  sessionSchema,
} from '#contract/sessions/schemas.ts';
import { BEST_LAP_FIRST, RANKING_STATUS_LIST } from './ranking.ts';
import { deleteLinesMadeFrom } from './reference-line-store.ts';
import { deleteIncompleteComparisons } from '#server/model/comparisons/saved-comparison-store.ts';
import { deleteNoticesOfEvents } from '#server/model/notices/notice-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { events } from '#server/model/events/schema.ts';
import { lapFiles, laps, sessions } from './schema.ts';
import { AppError } from '#server/kernel/errors.ts';

// The limit is more than a driver records in a lifetime of weekends.
const SESSIONS_MAX = 2_000;

// $2 is the viewer.
const SELECT_SESSIONS = `
  SELECT sessions.id, sessions.track_id AS "trackId", sessions.user_car_id AS "userCarId",
    coalesce(user_cars.nickname, car_models.model_display) AS "carName",
    sessions.session_date AS "sessionDate", sessions.tire_compound AS "tireCompound",
    sessions.video_url AS "videoUrl", sessions.lines_private AS "linesPrivate",
    lap.count AS "lapCount", lap.best_ms AS "bestLapTimeMs", lap.best_id AS "bestLapId",
    CASE WHEN sessions.user_id = $2 THEN coalesce(lap.refused, '[]') END AS "refusedLaps"
  FROM sessions
  LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
  LEFT JOIN car_models ON car_models.id = user_cars.car_model_id
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE status <> 'incomplete')::int AS count,
      min(lap_time_ms) FILTER (WHERE status IN ${RANKING_STATUS_LIST}) AS best_ms,
      (array_agg(id ORDER BY ${BEST_LAP_FIRST}) FILTER (WHERE status IN ${RANKING_STATUS_LIST}))[1] AS best_id,
      json_agg(json_build_object('lapId', id, 'number', number, 'lapTimeMs', lap_time_ms, 'reasons', reasons) ORDER BY number)
        FILTER (WHERE status IN ('rejected', 'incomplete', 'simulated') AND NOT reasons && '{out_lap,in_lap}') AS refused
    FROM laps WHERE laps.track_id = sessions.track_id AND laps.session_id = sessions.id
  ) AS lap`;

const LIST_SESSIONS = {
  name: 'list-sessions',
  text: `${SELECT_SESSIONS}
    WHERE sessions.user_id = $1 ORDER BY sessions.started_at DESC, sessions.id LIMIT ${SESSIONS_MAX}`,
};

/** Lists a driver's sessions as `viewerId` may see them, newest first. */
export async function listSessions(pool: Pool, userId: UserId, viewerId: UserId): Promise<Session[]> {
  return await queryRows(pool, sessionSchema, { ...LIST_SESSIONS, values: [userId, viewerId] });
}

const FIND_SESSION = {
  name: 'find-session',
  text: `${SELECT_SESSIONS} WHERE sessions.id = $1 AND sessions.user_id = $2`,
};

const LIST_LAPS = {
  name: 'list-laps-of-session',
  text: `
    SELECT id AS "lapId", number, lap_time_ms AS "lapTimeMs", uncertainty_ms AS "uncertaintyMs", status, reasons,
      sector_times_ms AS "sectorTimesMs", left_out_status IS NOT NULL AS "isLeftOut"
    FROM laps WHERE track_id = $1 AND session_id = $2 ORDER BY number`,
};

const ownSessionRow = ownSessionSchema.omit({ laps: true });
const ownLapRow = ownSessionSchema.shape.laps.element;

/** Finds a session of `userId` with all its laps; undefined where there is none. */
export async function findOwnSession(
  pool: Pool,
  userId: UserId,
  sessionId: SessionId,
): Promise<OwnSession | undefined> {
  const query = { ...FIND_SESSION, values: [sessionId, userId] };
  const [session] = await queryRows(pool, ownSessionRow, query);
  if (!session) return undefined;
  const listLaps = { ...LIST_LAPS, values: [session.trackId, sessionId] };
  return { ...session, laps: await queryRows(pool, ownLapRow, listLaps) };
}

export type SessionFile = {
  id: SessionId;
  trackId: TrackId;
  userId: UserId;
  startedAt: Date;
  sessionDate: string;
  lapFileSha256: string;
  storageKey: string;
};

export async function findSessionFile(db: Database, sessionId: SessionId): Promise<SessionFile | undefined> {
  const { id, trackId, userId, startedAt, sessionDate, lapFileSha256 } = sessions;
  const [session] = await db
    .select({ id, trackId, userId, startedAt, sessionDate, lapFileSha256 })
    .from(sessions)
    .where(eq(id, sessionId));
  if (!session) return undefined;
  const [file] = await db
    .select({ storageKey: lapFiles.storageKey })
    .from(lapFiles)
    .where(eq(lapFiles.sha256, session.lapFileSha256));
  return file && { ...session, ...file };
}

const isSession = ({ trackId, id }: { trackId: TrackId; id: SessionId }) =>
  and(eq(sessions.trackId, trackId), eq(sessions.id, id));

/** Deletes the rows of a session, its laps and its file; returns false where they were deleted before. */
export async function deleteSessionRows(db: Database, session: SessionFile): Promise<boolean> {
  await deleteLinesMadeFrom(db, sql`${isSession(session)}`);
  await deleteNoticesOfEvents(db, and(eq(events.trackId, session.trackId), eq(events.sessionId, session.id)));
  const rows = await db.delete(sessions).where(isSession(session)).returning({ id: sessions.id });
  await deleteIncompleteComparisons(db, [session.trackId]);
  await db.delete(lapFiles).where(eq(lapFiles.sha256, session.lapFileSha256));
  return rows.length > 0;
}

const storedColumns = {
  id: sessions.id,
  trackId: sessions.trackId,
  userId: sessions.userId,
  userCarId: sessions.userCarId,
  tireCompound: sessions.tireCompound,
  videoUrl: sessions.videoUrl,
  linesPrivate: sessions.linesPrivate,
};

/** Holds the fields of a session that its driver may change. */
export type StoredSession = Pick<typeof sessions.$inferSelect, keyof typeof storedColumns>;

/** Returns a session of `userId`. @throws AppError where there is none, or it belongs to another driver */
export async function getStoredSession(
  db: Database,
  userId: UserId,
  sessionId: SessionId,
): Promise<StoredSession> {
  const [session] = await db.select(storedColumns).from(sessions).where(eq(sessions.id, sessionId));
  if (!session) throw new AppError('not_found', 'There is no such session.');
  if (session.userId !== userId) throw new AppError('not_allowed', 'This session is not yours.');
  return session;
}

export type ChangedFields = Pick<SessionChange, 'userCarId' | 'tireCompound' | 'videoUrl' | 'linesPrivate'>;

/** Updates a session. Call it within `changeLaps`. */
export async function updateSession(
  db: Database,
  session: StoredSession,
  fields: ChangedFields,
): Promise<void> {
  if (Object.keys(fields).length === 0) return;
  // The automatic checks run again for the new car and tyres.
  await db
    .update(sessions)
    .set({ ...fields, rulesVersion: 0 })
    .where(isSession(session));
}

/** Lists the laps of a session in order, with the fields that decide if they rank. */
export async function listClassifiedLaps(db: Database, { trackId, id: sessionId }: StoredSession) {
  const { id, number, status, reasons, leftOutStatus } = laps;
  return await db
    .select({ id, number, status, reasons, leftOutStatus })
    .from(laps)
    .where(and(eq(laps.trackId, trackId), eq(laps.sessionId, sessionId)))
    .orderBy(asc(number));
}

type ClassifiedLap = Awaited<ReturnType<typeof listClassifiedLaps>>[number];

/** Updates the status and reasons of a lap. Call it within `changeLaps`. */
export async function updateClassification(
  db: Database,
  { trackId }: StoredSession,
  { id, status, reasons, leftOutStatus }: ClassifiedLap,
): Promise<void> {
  await db
    .update(laps)
    .set({ status, reasons, leftOutStatus })
    .where(and(eq(laps.trackId, trackId), eq(laps.id, id)));
}

/** Records that a version of the automatic checks has been through a session, and what the car did at most in its best lap. */
export async function markChecked(
  tx: Database,
  { trackId, sessionId }: { trackId: TrackId; sessionId: SessionId },
  checked: { rulesVersion: number; extremes: object | null },
): Promise<void> {
  await tx
    .update(sessions)
    .set(checked)
    .where(isSession({ trackId, id: sessionId }));
}
