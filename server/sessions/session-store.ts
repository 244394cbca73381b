import type { Pool } from 'pg';
import type { Session } from '#contract/sessions.ts';

// More than a driver records in a life time of weekends; lists that grow without an end get pages before that.
const SESSIONS_MAX = 2_000;

const LIST_SESSIONS = {
  name: 'list-sessions',
  text: `
    SELECT sessions.id, sessions.track_id AS "trackId", sessions.user_car_id AS "userCarId",
      sessions.session_date AS "sessionDate", sessions.tire_compound AS "tireCompound",
      sessions.video_url AS "videoUrl", lap.count AS "lapCount", lap.best_ms AS "bestLapTimeMs"
    FROM sessions CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE status <> 'incomplete')::int AS count,
        min(lap_time_ms) FILTER (WHERE status IN ('valid', 'warning')) AS best_ms
      FROM laps WHERE laps.track_id = sessions.track_id AND laps.session_id = sessions.id
    ) AS lap
    WHERE sessions.user_id = $1
    ORDER BY sessions.started_at DESC, sessions.id
    LIMIT ${SESSIONS_MAX}`,
};

/** A driver's sessions, newest first. */
export async function listSessions(pool: Pool, userId: string): Promise<Session[]> {
  const { rows } = await pool.query<Session>({ ...LIST_SESSIONS, values: [userId] });
  return rows;
}
