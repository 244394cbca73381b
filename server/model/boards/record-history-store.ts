import type { Pool } from 'pg';
import type { TrackId } from '#contract/ids.ts';
import { type RecordHolder, recordHolderSchema } from '#contract/boards/schemas.ts';
import { isoSeconds, queryRows } from '#server/kernel/database/query-rows.ts';

// The history is computed from the laps that rank now: one that is deleted or rejected was never a record.
const LIST_RECORD_HISTORY = {
  name: 'list-record-history',
  text: `
    SELECT laps.id AS "lapId", bests.user_id AS "driverId", bests.driver_name AS "userName",
      bests.lap_time_ms AS "lapTimeMs", car_models.model_display AS "carName",
      ${isoSeconds('bests.lap_started_at')} AS "since"
    FROM (
      SELECT *, min(lap_time_ms) OVER (
        ORDER BY lap_started_at, lap_time_ms, session_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS record_ms
      FROM session_bests WHERE track_id = $1
    ) AS bests
    JOIN laps ON laps.track_id = $1 AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
    LEFT JOIN car_models ON car_models.id = bests.car_model_id
    WHERE record_ms IS NULL OR bests.lap_time_ms < record_ms
    ORDER BY bests.lap_started_at DESC, bests.lap_time_ms
    LIMIT $2`,
};

const RECORDS_MAX = 100;

/** Lists the records of a track, the one in force first: each holds until the one before it in the list was driven. */
export async function listRecordHistory(pool: Pool, trackId: TrackId): Promise<RecordHolder[]> {
  const query = { ...LIST_RECORD_HISTORY, values: [trackId, RECORDS_MAX] };
  return await queryRows(pool, recordHolderSchema, query);
}
