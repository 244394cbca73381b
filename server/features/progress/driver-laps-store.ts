import type { Pool } from 'pg';
import { z } from 'zod';
import type { TrackId, UserId } from '#contract/ids.ts';
import { drivenSessionSchema } from '#contract/progress/schemas.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { RANKING_STATUS_LIST } from '#server/model/laps/ranking.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';
import { sectorNames } from '#server/model/laps/lap-view-store.ts';
import { IS_PRIVATE } from '#server/model/laps/line-privacy.ts';

const sessionRow = drivenSessionSchema.omit({ bestLapId: true, spread: true, laps: true }).extend({
  laps: z.array(drivenSessionSchema.shape.laps.element.omit({ isClean: true })),
});

export type DrivenSession = z.infer<typeof sessionRow>;

// The limit allows two sessions a week for ten years.
const SESSIONS_MAX = 1_000;

// $3 is true if the reader drove them: others see laps that rank only.
const LIST_DRIVEN_SESSIONS = {
  name: 'list-driven-sessions',
  text: `
    SELECT sessions.id AS "sessionId", sessions.session_date AS "sessionDate",
      coalesce(user_cars.nickname, car_models.model_display) AS "carName", car_models.model_display AS "carModel",
      car_models.race_class AS "carRaceClass",
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
        AND ($3::boolean OR status IN ${RANKING_STATUS_LIST})
    ) AS driven
    WHERE sessions.track_id = $1 AND sessions.user_id = $2 AND driven.laps IS NOT NULL
    ORDER BY sessions.started_at DESC, sessions.id
    LIMIT ${SESSIONS_MAX}`,
};

/** Lists the sessions of a driver on a track, the latest first, with the laps that the reader may see. */
export async function listDrivenSessions(
  pool: Pool,
  { trackId, userId, isOwn }: { trackId: TrackId; userId: UserId; isOwn: boolean },
): Promise<DrivenSession[]> {
  const values = [trackId, userId, isOwn];
  return await queryRows(pool, sessionRow, { ...LIST_DRIVEN_SESSIONS, values });
}

const trackRow = z.object({
  trackName: z.string(),
  trackConfiguration: z.string().nullable(),
  sectorNames: z.array(z.string()),
});

const FIND_TRACK_NAMES = {
  name: 'find-track-names',
  text: `
    SELECT name AS "trackName", configuration AS "trackConfiguration", ${sectorNames()} AS "sectorNames"
    FROM tracks WHERE id = $1`,
};

/** Finds the name of a track, its layout and its sectors; undefined where the track does not exist. */
export async function findTrackNames(
  pool: Pool,
  trackId: TrackId,
): Promise<z.infer<typeof trackRow> | undefined> {
  const [row] = await queryRows(pool, trackRow, { ...FIND_TRACK_NAMES, values: [trackId] });
  return row;
}

const FIND_DRIVER_NAME = {
  name: 'find-driver-name',
  text: `SELECT ${DRIVER_NAME} AS name FROM users WHERE id = $1 AND NOT (${IS_LEAVING})`,
};

const nameRow = z.object({ name: z.string() });

export async function findDriverName(pool: Pool, userId: UserId): Promise<string | undefined> {
  const query = { ...FIND_DRIVER_NAME, values: [userId] };
  const [row] = await queryRows(pool, nameRow, query);
  return row?.name;
}
