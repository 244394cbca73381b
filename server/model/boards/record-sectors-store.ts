import type { Pool } from 'pg';
import type { TrackId } from '#contract/ids.ts';
import { type RecordSector, recordSectorSchema } from '#contract/laps/schemas.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { bestFirst, RANKING_STATUS_LIST } from '#server/model/laps/ranking.ts';

/**
 * Lists the sectors of a track's record, compared with those of all ranking laps; none without a record. Reads all laps of the track,
 * so its answer is kept for as long as the board does not change.
 */
export async function listRecordSectors(pool: Pool, trackId: TrackId): Promise<RecordSector[]> {
  return await queryRows(pool, recordSectorSchema, {
    name: 'record-sectors',
    text: `
      WITH record AS MATERIALIZED (
        SELECT laps.sector_times_ms, bests.user_id
        FROM session_bests AS bests
          JOIN laps ON laps.track_id = $1 AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
        WHERE bests.track_id = $1 AND bests.same_car_lap_count IS NOT NULL
        ORDER BY ${bestFirst('bests')}
        LIMIT 1
      ), sectors AS (
        SELECT sector.number::int, sector.time_ms, record.user_id
        FROM record CROSS JOIN unnest(record.sector_times_ms) WITH ORDINALITY AS sector (time_ms, number)
      )
      SELECT sectors.time_ms AS "timeMs",
        coalesce(sectors.time_ms <= min(laps.sector_times_ms[sectors.number]), false) AS "isFastest",
        coalesce(sectors.time_ms <= min(laps.sector_times_ms[sectors.number])
          FILTER (WHERE driven.user_id = sectors.user_id), false) AS "isDriversBest"
      FROM sectors
        JOIN laps ON laps.track_id = $1 AND laps.status IN ${RANKING_STATUS_LIST}
        JOIN session_bests AS driven ON driven.track_id = $1 AND driven.session_id = laps.session_id
      GROUP BY sectors.number, sectors.time_ms
      ORDER BY sectors.number`,
    values: [trackId],
  });
}
