import type { Pool } from 'pg';

const RANKING = "laps.status IN ('valid', 'warning')";
const JOIN_SESSION = 'JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id';

export type CarBest = {
  userCarId: string;
  trackId: string;
  trackName: string;
  lapTimeMs: number;
  sessionDate: string;
};

const LIST_CAR_BESTS = {
  name: 'list-car-bests',
  text: `
    WITH bests AS (
      SELECT DISTINCT ON (laps.user_car_id, laps.track_id)
        laps.user_car_id, laps.track_id, laps.lap_time_ms, sessions.session_date, sessions.started_at
      FROM laps ${JOIN_SESSION}
      WHERE laps.user_id = $1 AND laps.user_car_id IS NOT NULL AND ${RANKING}
      ORDER BY laps.user_car_id, laps.track_id, laps.lap_time_ms, laps.started_at
    )
    SELECT bests.user_car_id AS "userCarId", bests.track_id AS "trackId", tracks.name AS "trackName",
      bests.lap_time_ms AS "lapTimeMs", bests.session_date AS "sessionDate"
    FROM bests JOIN tracks ON tracks.id = bests.track_id
    ORDER BY bests.started_at DESC, tracks.name, bests.track_id, bests.user_car_id`,
};

/** A driver's best ranking lap in each car on each track, the latest first. */
export async function listCarBests(pool: Pool, userId: string): Promise<CarBest[]> {
  const { rows } = await pool.query<CarBest>({ ...LIST_CAR_BESTS, values: [userId] });
  return rows;
}

export type TrackBest = {
  trackId: string;
  lapTimeMs: number;
  sessionDate: string;
  /** The best of all drivers. */
  topLapMs: number;
  /** The driver's ranking laps on the track. */
  lapCount: number;
};

const LIST_TRACK_BESTS = {
  name: 'list-track-bests',
  text: `
    WITH ranking AS (
      SELECT laps.*, count(*) OVER (PARTITION BY laps.track_id) AS lap_count
      FROM laps WHERE laps.user_id = $1 AND ${RANKING}
    ), bests AS (
      SELECT DISTINCT ON (track_id) * FROM ranking ORDER BY track_id, lap_time_ms, started_at
    )
    SELECT laps.track_id AS "trackId", laps.lap_time_ms AS "lapTimeMs", sessions.session_date AS "sessionDate",
      top.lap_time_ms AS "topLapMs", laps.lap_count::int AS "lapCount"
    FROM bests AS laps ${JOIN_SESSION}
    CROSS JOIN LATERAL (
      SELECT min(others.lap_time_ms) AS lap_time_ms FROM laps AS others
      WHERE others.track_id = laps.track_id AND others.status IN ('valid', 'warning')
    ) AS top
    ORDER BY sessions.started_at DESC, laps.track_id`,
};

/** A driver's best ranking lap on each track, the latest first. */
export async function listTrackBests(pool: Pool, userId: string): Promise<TrackBest[]> {
  const { rows } = await pool.query<TrackBest>({ ...LIST_TRACK_BESTS, values: [userId] });
  return rows;
}

/** How many of a driver's laps rank. */
export async function countRankingLaps(pool: Pool, userId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count-ranking-laps',
    text: `SELECT count(*)::int AS count FROM laps WHERE user_id = $1 AND ${RANKING}`,
    values: [userId],
  });
  return rows[0]?.count ?? 0;
}
