import { and, eq } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Session } from '#contract/sessions.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { lapFiles, sessions } from '#server/kernel/database/schema.ts';

// More than a driver records in a life time of weekends; lists that grow without an end get pages before that.
const SESSIONS_MAX = 2_000;

const LIST_SESSIONS = {
  name: 'list-sessions',
  text: `
    SELECT sessions.id, sessions.track_id AS "trackId", sessions.user_car_id AS "userCarId",
      coalesce(user_cars.nickname, car_models.model_display) AS "carName",
      sessions.session_date AS "sessionDate", sessions.tire_compound AS "tireCompound",
      sessions.video_url AS "videoUrl", lap.count AS "lapCount", lap.best_ms AS "bestLapTimeMs", lap.best_id AS "bestLapId",
      CASE WHEN sessions.user_id = $2 THEN coalesce(lap.refused, '[]') END AS "refusedLaps"
    FROM sessions
    LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
    LEFT JOIN car_models ON car_models.id = user_cars.car_model_id
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE status <> 'incomplete')::int AS count,
        min(lap_time_ms) FILTER (WHERE status IN ('valid', 'warning')) AS best_ms,
        (array_agg(id ORDER BY lap_time_ms, started_at, number) FILTER (WHERE status IN ('valid', 'warning')))[1] AS best_id,
        json_agg(json_build_object('lapId', id, 'number', number, 'lapTimeMs', lap_time_ms, 'reasons', reasons) ORDER BY number)
          FILTER (WHERE status IN ('rejected', 'incomplete') AND NOT reasons && '{out_lap,in_lap}') AS refused
      FROM laps WHERE laps.track_id = sessions.track_id AND laps.session_id = sessions.id
    ) AS lap
    WHERE sessions.user_id = $1
    ORDER BY sessions.started_at DESC, sessions.id
    LIMIT ${SESSIONS_MAX}`,
};

/** A driver's sessions as `viewerId` may see them, newest first. */
export async function listSessions(pool: Pool, userId: string, viewerId: string): Promise<Session[]> {
  const { rows } = await pool.query<Session>({ ...LIST_SESSIONS, values: [userId, viewerId] });
  return rows;
}

/** A session, whose it is, and where its lap file is. */
export type SessionFile = {
  id: string;
  trackId: string;
  userId: string;
  lapFileSha256: string;
  storageKey: string;
};

export async function findSessionFile(db: Database, sessionId: string): Promise<SessionFile | undefined> {
  const [row] = await db
    .select({
      id: sessions.id,
      trackId: sessions.trackId,
      userId: sessions.userId,
      lapFileSha256: sessions.lapFileSha256,
      storageKey: lapFiles.storageKey,
    })
    .from(sessions)
    .innerJoin(lapFiles, eq(lapFiles.sha256, sessions.lapFileSha256))
    .where(eq(sessions.id, sessionId));
  return row;
}

/** Removes a session, with it its laps, and what is known of its file; false where somebody has done so before. */
export async function removeSessionRows(db: Database, session: SessionFile): Promise<boolean> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.trackId, session.trackId), eq(sessions.id, session.id)))
    .returning({ id: sessions.id });
  await db.delete(lapFiles).where(eq(lapFiles.sha256, session.lapFileSha256));
  return rows.length > 0;
}
