import type { Pool } from 'pg';
import { z } from 'zod';
import { lapIdSchema, userIdSchema, type UserId } from '#contract/ids.ts';
import { BOARD_SCOPES } from '#contract/progress/labels.ts';
import type { BoardPlace } from '#contract/progress/schemas.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { BEST_FIRST } from '#server/model/laps/ranking.ts';
import { DRIVER_NAME } from '#server/model/people/driver-name.ts';

// A strip of this many dots is full; the laps of larger boards are put together in as many ranges of time.
const DOTS_MAX = 120;
// Slower laps than this share of the best, and than the driver's own, are one entry on large boards.
const SHOWN_SHARE_MAX = 1.15;

const placeRow = z.object({
  scope: z.enum(BOARD_SCOPES),
  name: z.string().nullable(),
  drivers: z.int(),
  /** Counts positions from the driver: 0 is the driver, -1 the next faster one. */
  offset: z.int(),
  /** Is null for a neighbour who is not the first of a range. */
  count: z.int().nullable(),
  lapId: lapIdSchema,
  driverId: userIdSchema,
  userName: z.string(),
  lapTimeMs: z.int(),
  rank: z.int(),
});

const COLUMNS = `user_id, ${BEST_FIRST}`;

// The driver's best lap is the same on all three boards, because the others are those of its own car.
const LIST_BOARD_PLACES = {
  name: 'list-board-places',
  text: `
    WITH own AS MATERIALIZED (
      SELECT best.car_model_id, car_models.race_class, car_models.model_display
      FROM (
        SELECT car_model_id FROM session_bests
        WHERE track_id = $1 AND user_id = $2 AND same_car_lap_count IS NOT NULL ORDER BY ${BEST_FIRST} LIMIT 1
      ) AS best
      LEFT JOIN car_models ON car_models.id = best.car_model_id
    ), bests AS (
      SELECT DISTINCT ON (scope, user_id) * FROM (
        SELECT 'board' AS scope, ${COLUMNS} FROM session_bests
        WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND EXISTS (SELECT FROM own)
        UNION ALL
        SELECT 'class', ${COLUMNS} FROM session_bests
        WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND (
          car_model_id IN (SELECT id FROM car_models WHERE race_class = (SELECT race_class FROM own))) IS TRUE
        UNION ALL
        SELECT 'car', ${COLUMNS} FROM session_bests
        WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND car_model_id = (SELECT car_model_id FROM own)
      ) AS laps_of_scopes
      ORDER BY scope, user_id, ${BEST_FIRST}
    ), ranked AS MATERIALIZED (
      SELECT *, rank() OVER (PARTITION BY scope ORDER BY lap_time_ms)::int AS rank,
        row_number() OVER (PARTITION BY scope ORDER BY ${BEST_FIRST})::int AS position,
        count(*) OVER (PARTITION BY scope)::int AS drivers, min(lap_time_ms) OVER (PARTITION BY scope) AS fastest_ms
      FROM bests
    ), placed AS (
      SELECT ranked.*, ranked.position - driver.position AS "offset",
        CASE WHEN ranked.drivers <= ${DOTS_MAX} THEN ranked.position
          ELSE width_bucket(ranked.lap_time_ms, ranked.fastest_ms,
            greatest(${SHOWN_SHARE_MAX} * ranked.fastest_ms, driver.lap_time_ms + 1), ${DOTS_MAX - 1}) END AS range
      FROM ranked JOIN (SELECT * FROM ranked WHERE user_id = $2) AS driver USING (scope)
    ), shown AS (
      SELECT * FROM (
        SELECT *, CASE WHEN "offset" <> 0 AND row_number() OVER (range_of_others ORDER BY position) = 1
          THEN (count(*) OVER range_of_others)::int END AS count
        FROM placed WINDOW range_of_others AS (PARTITION BY scope, "offset" = 0, range)
      ) AS counted
      WHERE count IS NOT NULL OR "offset" BETWEEN -1 AND 1
    )
    SELECT shown.scope, CASE shown.scope WHEN 'class' THEN own.race_class WHEN 'car' THEN own.model_display END AS name,
      shown.drivers, shown.offset, shown.count, laps.id AS "lapId", shown.user_id AS "driverId",
      ${DRIVER_NAME} AS "userName", shown.lap_time_ms AS "lapTimeMs", shown.rank
    FROM shown
    CROSS JOIN own
    JOIN laps ON laps.track_id = $1 AND laps.session_id = shown.session_id AND laps.number = shown.lap_number
    JOIN users ON users.id = shown.user_id
    ORDER BY shown.scope, shown.position`,
};

/** Lists the places of a driver's best lap on the board, in its class and in its car; none without a ranking lap. */
export async function listBoardPlaces(pool: Pool, trackId: string, userId: UserId): Promise<BoardPlace[]> {
  const rows = await queryRows(pool, placeRow, { ...LIST_BOARD_PLACES, values: [trackId, userId] });
  return BOARD_SCOPES.flatMap((scope) => {
    const ofScope = rows.filter((row) => row.scope === scope);
    const own = ofScope.find(({ offset }) => offset === 0);
    if (!own) return [];
    const { name, rank, drivers } = own;
    return [
      {
        scope,
        name,
        rank,
        drivers,
        ahead: ofScope.find(({ offset }) => offset === -1) ?? null,
        behind: ofScope.find(({ offset }) => offset === 1) ?? null,
        entries: ofScope.flatMap((row) => (row.count === null ? [] : [{ ...row, count: row.count }])),
      },
    ];
  });
}
