import type { Pool } from 'pg';
import { z } from 'zod';
import { trackIdSchema, userCarIdSchema, type UserId } from '#contract/ids.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { BEST_FIRST, bestFirst } from '#server/model/laps/ranking.ts';

const carBestRow = z.object({
  userCarId: userCarIdSchema,
  trackId: trackIdSchema,
  trackName: z.string(),
  lapTimeMs: z.int(),
  sessionDate: z.string(),
});

export type CarBest = z.infer<typeof carBestRow>;

const LIST_CAR_BESTS = {
  name: 'list-car-bests',
  text: `
    SELECT "userCarId", "trackId", tracks.name AS "trackName", "lapTimeMs", "sessionDate"
    FROM (
      SELECT DISTINCT ON (sessions.user_car_id, bests.track_id)
        sessions.user_car_id AS "userCarId", bests.track_id AS "trackId", bests.lap_time_ms AS "lapTimeMs",
        sessions.session_date AS "sessionDate", sessions.started_at
      FROM session_bests AS bests
        JOIN sessions ON sessions.track_id = bests.track_id AND sessions.id = bests.session_id
      WHERE bests.user_id = $1 AND sessions.user_car_id IS NOT NULL
      ORDER BY sessions.user_car_id, bests.track_id, ${bestFirst('bests')}
    ) AS bests
    JOIN tracks ON tracks.id = "trackId"
    ORDER BY started_at DESC, "trackName", "trackId", "userCarId"`,
};

/** Lists a driver's best ranking lap in each car on each track, the latest first. */
export async function listCarBests(pool: Pool, userId: UserId): Promise<CarBest[]> {
  return await queryRows(pool, carBestRow, { ...LIST_CAR_BESTS, values: [userId] });
}

const trackBestRow = z.object({
  trackId: trackIdSchema,
  lapTimeMs: z.int(),
  sessionDate: z.string(),
  topLapMs: z.int(),
  isTopLap: z.boolean(),
  lapCount: z.int(),
});

export type TrackBest = z.infer<typeof trackBestRow>;

const LIST_TRACK_BESTS = {
  name: 'list-track-bests',
  text: `
    SELECT bests.track_id AS "trackId", bests.lap_time_ms AS "lapTimeMs", sessions.session_date AS "sessionDate",
      top.lap_time_ms AS "topLapMs", top.session_id = bests.session_id AS "isTopLap", bests.ranking_lap_count AS "lapCount"
    FROM (
      SELECT DISTINCT ON (track_id) track_id, session_id, lap_time_ms,
        (sum(lap_count) OVER (PARTITION BY track_id))::int AS ranking_lap_count
      FROM session_bests WHERE user_id = $1
      ORDER BY track_id, ${BEST_FIRST}
    ) AS bests
    JOIN sessions ON sessions.track_id = bests.track_id AND sessions.id = bests.session_id
    CROSS JOIN LATERAL (
      SELECT session_id, lap_time_ms FROM session_bests AS others
      WHERE others.track_id = bests.track_id AND others.same_car_lap_count IS NOT NULL
      ORDER BY ${bestFirst('others')} LIMIT 1
    ) AS top
    ORDER BY sessions.started_at DESC, bests.track_id`,
};

/** Lists a driver's best ranking lap on each track, the latest first. */
export async function listTrackBests(pool: Pool, userId: UserId): Promise<TrackBest[]> {
  return await queryRows(pool, trackBestRow, { ...LIST_TRACK_BESTS, values: [userId] });
}

const countRow = z.object({ count: z.int() });

export async function countRankingLaps(pool: Pool, userId: UserId): Promise<number> {
  const [row] = await queryRows(pool, countRow, {
    name: 'count-ranking-laps',
    text: 'SELECT coalesce(sum(lap_count), 0)::int AS count FROM session_bests WHERE user_id = $1',
    values: [userId],
  });
  return row?.count ?? 0;
}
