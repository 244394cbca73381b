import type { Pool } from 'pg';
import { z } from 'zod';
import type { TrackId } from '#contract/ids.ts';
import { type SimulatedRecord, simulatedRecordSchema } from '#contract/boards/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import type { ListedKinds } from '#server/model/club/club-settings-store.ts';
import { bestLapFirst } from '#server/model/laps/ranking.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';

const recordRow = simulatedRecordSchema.extend({ videoUrl: z.string().nullable() });

const JOIN_CARS = `LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
    LEFT JOIN car_models ON car_models.id = user_cars.car_model_id`;

// $2 is true where the board has laps of simulators, $3 where it has samples.
const IS_LISTED = `laps.track_id = $1 AND laps.status = 'simulated'
    AND CASE WHEN 'sample' = ANY (laps.reasons) THEN $3::boolean ELSE $2::boolean END`;

// Few drive in simulators, so the board has no rows of its own: it is made of the laps at every call.
const LIST_BOARD = {
  name: 'simulator-board',
  text: `
    WITH best AS (
      SELECT DISTINCT ON (sessions.user_id, kind.is_sample) laps.*, sessions.user_id, kind.is_sample
      FROM laps JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
        ${JOIN_CARS}
      CROSS JOIN LATERAL (SELECT 'sample' = ANY (laps.reasons) AS is_sample) AS kind
      WHERE ${IS_LISTED} AND $4 IN ('', car_models.race_class)
      ORDER BY sessions.user_id, kind.is_sample, ${bestLapFirst('laps')}
    )
    SELECT best.id AS "lapId", ${DRIVER_NAME} AS "userName", '/api/images/' || users.avatar_key AS "userAvatar",
      car_models.make AS "carMake", car_models.model_family AS "carModel", car_models.variant AS "carVariant",
      car_models.generation AS "carGeneration", car_models.race_class AS "carRaceClass",
      car_models.drivetrain AS "carDrivetrain", sessions.tire_compound AS "tireCompound",
      best.lap_time_ms AS "lapTimeMs", sessions.session_date AS "sessionDate", sessions.video_url AS "videoUrl",
      CASE WHEN NOT best.is_sample THEN rank() OVER (PARTITION BY best.is_sample ORDER BY best.lap_time_ms)::int END AS rank,
      best.is_sample AS "isSample", best.user_id AS "driverId",
      best.lap_time_ms - min(best.lap_time_ms) OVER (PARTITION BY best.is_sample) AS "gapMs",
      best.uncertainty_ms AS "uncertaintyMs"
    FROM best
    JOIN sessions ON sessions.track_id = best.track_id AND sessions.id = best.session_id
    JOIN users ON users.id = best.user_id
    ${JOIN_CARS}
    WHERE NOT (${IS_LEAVING})
    ORDER BY best.is_sample, ${bestLapFirst('best')} LIMIT ${LIMITS.boardPageEntriesMax}`,
};

type SimulatorBoard = { trackId: TrackId; kinds: ListedKinds };

/**
 * Lists the best lap of every driver on a track in a class among those that were driven in simulators, fastest first, then samples.
 * An empty class is any.
 */
export async function listSimulatorBoard(
  pool: Pick<Pool, 'query'>,
  { trackId, kinds: { simulator, sample }, raceClass }: SimulatorBoard & { raceClass: string },
): Promise<SimulatedRecord[]> {
  const values = [trackId, simulator, sample, raceClass];
  const rows = await queryRows(pool, recordRow, { ...LIST_BOARD, values });
  return rows.map(({ videoUrl, ...record }) => (videoUrl === null ? record : { ...record, videoUrl }));
}

const LIST_CLASSES = {
  name: 'simulator-board-classes',
  text: `
    SELECT DISTINCT car_models.race_class AS "raceClass"
    FROM laps JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
      JOIN users ON users.id = sessions.user_id
      ${JOIN_CARS}
    WHERE ${IS_LISTED} AND car_models.race_class <> '' AND NOT (${IS_LEAVING})
    ORDER BY 1 LIMIT ${LIMITS.boardPageEntriesMax}`,
};

const raceClassRow = z.object({ raceClass: z.string() });

/** Lists the classes of the cars of all laps that the board of simulators of a track can show. */
export async function listSimulatorClasses(
  pool: Pick<Pool, 'query'>,
  { trackId, kinds: { simulator, sample } }: SimulatorBoard,
): Promise<string[]> {
  const values = [trackId, simulator, sample];
  const rows = await queryRows(pool, raceClassRow, { ...LIST_CLASSES, values });
  return rows.map(({ raceClass }) => raceClass);
}
