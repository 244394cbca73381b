import type { Pool } from 'pg';
import { z } from 'zod';
import { lapIdSchema, userIdSchema, type TrackId, type UserId } from '#contract/ids.ts';
import { BOARD_SCOPES } from '#contract/progress/labels.ts';
import type { BoardPlace } from '#contract/progress/schemas.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { BEST_FIRST, bestFirst } from '#server/model/laps/ranking.ts';
import { DRIVER_NAME } from '#server/model/people/driver-name.ts';

// A strip of this many dots is full; the laps of larger boards are put together in as many ranges of time.
const DOTS_MAX = 120;
// Laps that are slower than the best by more than this, and than the driver's own, are one entry on large boards.
const SHOWN_PERCENT = 15;

const placeRow = z.object({
  /** Holds the index in BOARD_SCOPES: numbers sort faster than text. */
  scope: z.int(),
  name: z.string().nullable(),
  drivers: z.int(),
  /** Is null for drivers who are not next to the one whose places are asked for. */
  relation: z.enum(['own', 'ahead', 'behind']).nullable(),
  /** Is null for rows that are not the first of a range. */
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
      SELECT best.lap_time_ms, best.car_model_id, car_models.race_class, car_models.model_display
      FROM (
        SELECT lap_time_ms, car_model_id FROM session_bests
        WHERE track_id = $1 AND user_id = $2 AND same_car_lap_count IS NOT NULL ORDER BY ${BEST_FIRST} LIMIT 1
      ) AS best
      LEFT JOIN car_models ON car_models.id = best.car_model_id
    ), bests AS (
      SELECT DISTINCT ON (scope, user_id) * FROM (
        SELECT 0 AS scope, ${COLUMNS} FROM session_bests
        WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND EXISTS (SELECT FROM own)
        UNION ALL
        SELECT 1, ${COLUMNS} FROM session_bests
        WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND (
          car_model_id IN (SELECT id FROM car_models WHERE race_class = (SELECT race_class FROM own))) IS TRUE
        UNION ALL
        SELECT 2, ${COLUMNS} FROM session_bests
        WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND car_model_id = (SELECT car_model_id FROM own)
      ) AS laps_of_scopes
      ORDER BY scope, user_id, ${BEST_FIRST}
    ), placed AS (
      SELECT bests.*, (rank() OVER times)::int AS rank, (row_number() OVER board)::int AS position,
        (count(*) OVER (PARTITION BY scope))::int AS drivers,
        min(bests.lap_time_ms) OVER times AS fastest_ms, own.lap_time_ms AS own_ms,
        CASE WHEN user_id = $2 THEN 'own' WHEN lead(user_id) OVER board = $2 THEN 'ahead'
          WHEN lag(user_id) OVER board = $2 THEN 'behind' END AS relation
      FROM bests CROSS JOIN own
      WINDOW times AS (PARTITION BY scope ORDER BY bests.lap_time_ms),
        board AS (PARTITION BY scope ORDER BY ${bestFirst('bests')})
    ), ranged AS (
      SELECT *, CASE WHEN drivers <= ${DOTS_MAX} THEN position
        ELSE least(${DOTS_MAX - 1}, (lap_time_ms - fastest_ms)::bigint * ${DOTS_MAX - 1}
          / greatest(fastest_ms * ${SHOWN_PERCENT} / 100, own_ms - fastest_ms + 1)) END AS range
      FROM placed
    ), counted AS (
      SELECT *, row_number() OVER (others_of_range ORDER BY position) = 1 AND user_id <> $2 AS is_first,
        (count(*) OVER others_of_range)::int AS count
      FROM ranged WINDOW others_of_range AS (PARTITION BY scope, user_id = $2, range)
    ), shown AS (
      SELECT * FROM counted WHERE is_first OR relation IS NOT NULL
    )
    SELECT shown.scope, CASE shown.scope WHEN 1 THEN own.race_class WHEN 2 THEN own.model_display END AS name,
      shown.drivers, shown.relation, CASE WHEN shown.is_first THEN shown.count END AS count, laps.id AS "lapId", shown.user_id AS "driverId",
      ${DRIVER_NAME} AS "userName", shown.lap_time_ms AS "lapTimeMs", shown.rank
    FROM shown
    CROSS JOIN own
    JOIN laps ON laps.track_id = $1 AND laps.session_id = shown.session_id AND laps.number = shown.lap_number
    JOIN users ON users.id = shown.user_id
    ORDER BY shown.scope, shown.position`,
};

/** Lists the places of a driver's best lap on the board, in its class and in its car; none without a ranking lap. */
export async function listBoardPlaces(pool: Pool, trackId: TrackId, userId: UserId): Promise<BoardPlace[]> {
  const rows = await queryRows(pool, placeRow, { ...LIST_BOARD_PLACES, values: [trackId, userId] });
  return BOARD_SCOPES.flatMap((scope, index) => {
    const ofScope = rows.filter((row) => row.scope === index);
    const own = ofScope.find(({ relation }) => relation === 'own');
    if (!own) return [];
    const { name, rank, drivers } = own;
    return [
      {
        scope,
        name,
        rank,
        drivers,
        ahead: ofScope.find(({ relation }) => relation === 'ahead') ?? null,
        behind: ofScope.find(({ relation }) => relation === 'behind') ?? null,
        entries: ofScope.flatMap((row) => (row.count === null ? [] : [{ ...row, count: row.count }])),
      },
    ];
  });
}
