import type { Pool } from 'pg';
import { z } from 'zod';
import type { TrackId } from '#contract/ids.ts';
import { type LapRecord, lapRecordSchema } from '#contract/laps/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { bestLapFirst } from '#server/model/laps/ranking.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';

const recordRow = lapRecordSchema.extend({ videoUrl: z.string().nullable() });

const JOIN_CARS = `LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
    LEFT JOIN car_models ON car_models.id = user_cars.car_model_id`;

// Few drive in simulators, so the board has no rows of its own: it is made of the laps at every call.
const LIST_BOARD = {
  name: 'simulator-board',
  text: `
    WITH best AS (
      SELECT DISTINCT ON (sessions.user_id) laps.*, sessions.user_id
      FROM laps JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
        ${JOIN_CARS}
      WHERE laps.track_id = $1 AND laps.status = 'simulated' AND $2 IN ('', car_models.race_class)
      ORDER BY sessions.user_id, ${bestLapFirst('laps')}
    )
    SELECT best.id AS "lapId", ${DRIVER_NAME} AS "userName", '/api/images/' || users.avatar_key AS "userAvatar",
      car_models.make AS "carMake", car_models.model_family AS "carModel", car_models.variant AS "carVariant",
      car_models.generation AS "carGeneration", car_models.race_class AS "carRaceClass",
      car_models.drivetrain AS "carDrivetrain", sessions.tire_compound AS "tireCompound",
      best.lap_time_ms AS "lapTimeMs", sessions.session_date AS "sessionDate", sessions.video_url AS "videoUrl",
      rank() OVER (ORDER BY best.lap_time_ms)::int AS rank, best.user_id AS "driverId",
      best.lap_time_ms - min(best.lap_time_ms) OVER () AS "gapMs", best.uncertainty_ms AS "uncertaintyMs"
    FROM best
    JOIN sessions ON sessions.track_id = best.track_id AND sessions.id = best.session_id
    JOIN users ON users.id = best.user_id
    ${JOIN_CARS}
    WHERE NOT (${IS_LEAVING})
    ORDER BY ${bestLapFirst('best')} LIMIT ${LIMITS.boardPageEntriesMax}`,
};

/** Lists the best lap of every driver on a track in a class among those that were driven in simulators, fastest first. An empty class is any. */
export async function listSimulatorBoard(
  pool: Pick<Pool, 'query'>,
  trackId: TrackId,
  raceClass: string,
): Promise<LapRecord[]> {
  const rows = await queryRows(pool, recordRow, { ...LIST_BOARD, values: [trackId, raceClass] });
  return rows.map(({ videoUrl, ...record }) => (videoUrl === null ? record : { ...record, videoUrl }));
}

const LIST_CLASSES = {
  name: 'simulator-board-classes',
  text: `
    SELECT DISTINCT car_models.race_class AS "raceClass"
    FROM laps JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
      JOIN users ON users.id = sessions.user_id
      ${JOIN_CARS}
    WHERE laps.track_id = $1 AND laps.status = 'simulated' AND car_models.race_class <> '' AND NOT (${IS_LEAVING})
    ORDER BY 1 LIMIT ${LIMITS.boardPageEntriesMax}`,
};

/** Lists the classes of the cars in which laps of a track were driven in simulators. */
export async function listSimulatorClasses(pool: Pick<Pool, 'query'>, trackId: TrackId): Promise<string[]> {
  const rows = await queryRows(pool, z.object({ raceClass: z.string() }), {
    ...LIST_CLASSES,
    values: [trackId],
  });
  return rows.map(({ raceClass }) => raceClass);
}
