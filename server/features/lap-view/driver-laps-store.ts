import type { Pool } from 'pg';
import type { TireCompound } from '#contract/lap-labels.ts';
import type { DriverLaps } from '#contract/driver-laps.ts';
import { DRIVER_NAME } from '#server/model/boards/session-bests-store.ts';
import { IS_PRIVATE, sectorNames } from '#server/model/laps/lap-view-store.ts';

type ShownSession = DriverLaps['sessions'][number];

/** A session of a driver on a track, with all its laps. */
export type DrivenSession = Omit<ShownSession, 'bestLapId' | 'tireCompound'> & {
  carModelId: string | null;
  tireCompound: TireCompound | null;
};

// Twice a week for ten years.
const SESSIONS_MAX = 1_000;

// $3 says whether the reader drove them: others see laps that rank only.
const LIST_DRIVEN_SESSIONS = {
  name: 'list-driven-sessions',
  text: `
    SELECT sessions.id AS "sessionId", sessions.session_date AS "sessionDate", user_cars.car_model_id AS "carModelId",
      coalesce(user_cars.nickname, car_models.model_display) AS "carName", car_models.model_display AS "carModel",
      sessions.tire_compound AS "tireCompound", sessions.video_url AS "videoUrl", ${IS_PRIVATE} AS "isPrivate", driven.laps
    FROM sessions
    JOIN users ON users.id = sessions.user_id
    LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
    LEFT JOIN car_models ON car_models.id = user_cars.car_model_id
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object(
        'lapId', id, 'number', number, 'lapTimeMs', lap_time_ms, 'uncertaintyMs', uncertainty_ms, 'status', status,
        'reasons', reasons, 'sectorTimesMs', sector_times_ms) ORDER BY number) AS laps
      FROM laps
      WHERE laps.track_id = $1 AND laps.session_id = sessions.id
        AND ($3::boolean OR status IN ('valid', 'warning'))
    ) AS driven
    WHERE sessions.track_id = $1 AND sessions.user_id = $2 AND driven.laps IS NOT NULL
    ORDER BY sessions.started_at DESC, sessions.id
    LIMIT ${SESSIONS_MAX}`,
};

/** The sessions of a driver on a track, the latest first, with those laps that a reader may see. */
export async function listDrivenSessions(
  pool: Pool,
  { trackId, userId, isOwn }: { trackId: string; userId: string; isOwn: boolean },
): Promise<DrivenSession[]> {
  const values = [trackId, userId, isOwn];
  const { rows } = await pool.query<DrivenSession>({ ...LIST_DRIVEN_SESSIONS, values });
  return rows;
}

const FIND_SECTOR_NAMES = {
  name: 'find-sector-names',
  text: `SELECT ${sectorNames()} AS names FROM tracks WHERE id = $1`,
};

/** The names of a track's sectors; undefined where there is no such track. */
export async function findSectorNames(pool: Pool, trackId: string): Promise<string[] | undefined> {
  const { rows } = await pool.query<{ names: string[] }>({ ...FIND_SECTOR_NAMES, values: [trackId] });
  return rows[0]?.names;
}

const FIND_DRIVER_NAME = {
  name: 'find-driver-name',
  text: `SELECT ${DRIVER_NAME} AS name FROM users WHERE id = $1`,
};

/** What boards call a driver; undefined where there is none. */
export async function findDriverName(pool: Pool, userId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>({ ...FIND_DRIVER_NAME, values: [userId] });
  return rows[0]?.name;
}
