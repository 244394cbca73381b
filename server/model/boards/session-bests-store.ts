import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type TrackId, trackIdSchema, type UserId } from '#contract/ids.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { BEST_LAP_FIRST, bestLapFirst, RANKING_STATUS_LIST } from '#server/model/laps/ranking.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';
import { addEntries } from '#server/model/tracks/board-version-store.ts';

export const COLUMNS = sql.raw(
  'track_id, session_id, user_id, driver_name, car_model_id, tire_compound, started_at, lap_time_ms, lap_started_at, lap_number, lap_count, same_car_lap_count',
);

/** Selects the laps that a change may affect: those of some drivers on some tracks. */
export type ChangedLaps = { trackIds: readonly TrackId[]; userIds: readonly UserId[] };

/**
 * Selects `session_bests` from the tables that it is derived from: of each session the best ranking lap, and of those with one driver,
 * car model and tyres the best one counts for all of them. Of equal times the earlier lap is the better one.
 */
export const selectBests = (condition: SQL, trackId = sql`sessions.track_id`) => sql`
  SELECT sessions.track_id, sessions.id AS session_id, sessions.user_id, ${sql.raw(DRIVER_NAME)} AS driver_name,
    user_cars.car_model_id, sessions.tire_compound, sessions.started_at,
    best.lap_time_ms, best.started_at AS lap_started_at, best.number AS lap_number, best.lap_count,
    CASE row_number() OVER (alike ORDER BY ${sql.raw(bestLapFirst('best'))})
      WHEN 1 THEN (sum(best.lap_count) OVER alike)::int
    END AS same_car_lap_count
  FROM sessions
  CROSS JOIN LATERAL (
    SELECT session_id, number, lap_time_ms, started_at, (count(*) OVER ())::int AS lap_count
    FROM laps
    WHERE laps.track_id = ${trackId} AND laps.session_id = sessions.id AND status IN ${sql.raw(RANKING_STATUS_LIST)}
    ORDER BY ${sql.raw(BEST_LAP_FIRST)}
    LIMIT 1
  ) AS best
  JOIN users ON users.id = sessions.user_id
  LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
  WHERE ${condition} AND NOT (${sql.raw(IS_LEAVING)})
  WINDOW alike AS (
    PARTITION BY sessions.track_id, sessions.user_id, user_cars.car_model_id, sessions.tire_compound
  )`;

/** Maps a track to the number of drivers with a ranking lap there, among those of a change. */
export type EntryCounts = ReadonlyMap<string, number>;

const entryRow = z.object({ trackId: trackIdSchema, count: z.int() });

export async function countEntries(db: Database, changed: ChangedLaps): Promise<EntryCounts> {
  const query = sql`
    SELECT track_id AS "trackId", count(DISTINCT user_id)::int AS count FROM session_bests
    WHERE track_id = ANY(${sql.param(changed.trackIds)}::text[]) AND user_id = ANY(${sql.param(changed.userIds)}::uuid[])
    GROUP BY track_id`;
  const rows = await executeRows(db, entryRow, query);
  return new Map(rows.map(({ trackId, count }) => [trackId, count]));
}

/**
 * Brings the session bests of drivers on tracks up to date with their names, sessions and laps, and the tracks' counts of entries by
 * how many of these drivers had one before the change. Only rows that differ are written. Called by `changeLaps` and `changeDrivers`
 * alone, which have locked the tracks.
 */
export async function refreshSessionBests(
  db: Database,
  changed: ChangedLaps,
  entriesBefore: EntryCounts,
): Promise<void> {
  for (const trackId of changed.trackIds) {
    await refreshTrackBests(db, trackId, changed.userIds);
  }
  const entriesAfter = await countEntries(db, changed);
  for (const trackId of changed.trackIds) {
    const added = (entriesAfter.get(trackId) ?? 0) - (entriesBefore.get(trackId) ?? 0);
    if (added !== 0) await addEntries(db, trackId, added);
  }
}

async function refreshTrackBests(db: Database, trackId: TrackId, userIds: readonly UserId[]): Promise<void> {
  const isTheirs = sql`user_id = ANY(${sql.param(userIds)}::uuid[])`;
  await db.execute(sql`
    WITH bests AS MATERIALIZED (
      ${selectBests(sql`sessions.track_id = ${trackId} AND sessions.${isTheirs}`, sql`${trackId}`)}
    ), gone AS (
      DELETE FROM session_bests
      WHERE track_id = ${trackId} AND ${isTheirs} AND session_id NOT IN (SELECT session_id FROM bests)
    )
    INSERT INTO session_bests (${COLUMNS}) SELECT * FROM bests
    ON CONFLICT (track_id, session_id) DO UPDATE SET (${COLUMNS}) = ROW (excluded.*)
    WHERE session_bests.* IS DISTINCT FROM excluded.*`);
}
