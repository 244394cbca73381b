import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { LapId, TrackId } from '#contract/ids.ts';
import { rivalSchema } from '#contract/lap-view/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { DRIVER_NAME } from '#server/model/people/driver-name.ts';
import { IS_LINE_SHOWN } from './line-privacy.ts';

export type Rival = z.infer<typeof rivalSchema>;

type Side = 'faster' | 'slower';

const SIDES = {
  faster: { isOnSide: sql.raw('bests.lap_time_ms < viewed.lap_time_ms'), order: sql.raw('DESC') },
  slower: { isOnSide: sql.raw('bests.lap_time_ms >= viewed.lap_time_ms'), order: sql.raw('ASC') },
};

/** Selects the nearest faster or slower lap of another driver whose car has something in common with that of the lap. */
function nearest(trackId: TrackId, side: Side, shares: 'car' | 'class', condition: string): SQL {
  const { isOnSide, order } = SIDES[side];
  return sql`(
    SELECT ${sql.raw(`'${shares}'`)} AS shares, bests.session_id, bests.lap_number
    FROM viewed
    JOIN session_bests AS bests ON bests.track_id = ${trackId} AND bests.same_car_lap_count IS NOT NULL
      AND bests.user_id <> viewed.user_id AND ${isOnSide}
    JOIN car_models AS model ON model.id = bests.car_model_id AND ${sql.raw(condition)}
    JOIN sessions ON sessions.track_id = ${trackId} AND sessions.id = bests.session_id
    JOIN users ON users.id = bests.user_id
    WHERE ${sql.raw(IS_LINE_SHOWN)}
    ORDER BY bests.lap_time_ms ${order}, bests.lap_started_at, bests.session_id LIMIT 1
  )`;
}

/**
 * Finds the nearest lap that another driver shows: a faster one in the same car model, else in the same race class, else a slower
 * one; null where there is none.
 */
export async function findRival(db: Database, trackId: TrackId, lapId: LapId): Promise<Rival | null> {
  return (await findOn('faster', db, trackId, lapId)) ?? (await findOn('slower', db, trackId, lapId));
}

async function findOn(side: Side, db: Database, trackId: TrackId, lapId: LapId): Promise<Rival | null> {
  const query = sql`
    WITH viewed AS MATERIALIZED (
      SELECT laps.lap_time_ms, sessions.user_id, car_models.id AS car_model_id, car_models.race_class
      FROM laps
      JOIN sessions ON sessions.track_id = ${trackId} AND sessions.id = laps.session_id
      JOIN user_cars ON user_cars.id = sessions.user_car_id
      JOIN car_models ON car_models.id = user_cars.car_model_id
      WHERE laps.track_id = ${trackId} AND laps.id = ${lapId}
    ), rivals AS (
      ${nearest(trackId, side, 'car', 'bests.car_model_id = viewed.car_model_id')}
      UNION ALL ${nearest(trackId, side, 'class', 'model.race_class = viewed.race_class')}
    )
    SELECT rivals.shares, laps.id AS "lapId", sessions.user_id AS "driverId", ${sql.raw(DRIVER_NAME)} AS "userName",
      laps.lap_time_ms AS "lapTimeMs", viewed.lap_time_ms - laps.lap_time_ms AS "gapMs",
      laps.sector_times_ms AS "sectorTimesMs"
    FROM rivals
    CROSS JOIN viewed
    JOIN laps ON laps.track_id = ${trackId} AND laps.session_id = rivals.session_id AND laps.number = rivals.lap_number
    JOIN sessions ON sessions.track_id = ${trackId} AND sessions.id = rivals.session_id
    JOIN users ON users.id = sessions.user_id
    ORDER BY rivals.shares LIMIT 1`;
  const [rival] = await executeRows(db, rivalSchema, query);
  return rival ?? null;
}
