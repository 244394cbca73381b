import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { lapIdSchema, type TrackId, trackIdSchema } from '#contract/ids.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows, isoSeconds } from '#server/kernel/database/query-rows.ts';
import { RANKING_STATUS_LIST } from '#server/model/laps/ranking.ts';

const recordRow = z.object({
  trackId: trackIdSchema,
  trackName: z.string(),
  lapId: lapIdSchema,
  lapTimeMs: z.int(),
  driverName: z.string(),
  setAt: z.string(),
});

export type TrackRecord = z.infer<typeof recordRow>;

/** Lists the latest track records whose laps still rank, latest first. */
export async function listRecords(
  db: Database,
  { trackId, limit }: { trackId: TrackId | null; limit: number },
): Promise<TrackRecord[]> {
  const query = sql`
    SELECT events.track_id AS "trackId", concat_ws(' ', tracks.name, tracks.configuration) AS "trackName",
      laps.id AS "lapId", laps.lap_time_ms AS "lapTimeMs", ${sql.raw(DRIVER_NAME)} AS "driverName",
      ${sql.raw(isoSeconds('events.created_at'))} AS "setAt"
    FROM events
    JOIN tracks ON tracks.id = events.track_id
    JOIN users ON users.id = events.user_id AND NOT (${sql.raw(IS_LEAVING)})
    JOIN laps ON laps.track_id = events.track_id AND laps.id = (events.payload ->> 'lapId')::uuid
      AND laps.status IN ${sql.raw(RANKING_STATUS_LIST)}
    WHERE events.kind = 'record_set' AND (${trackId}::text IS NULL OR events.track_id = ${trackId})
    ORDER BY events.created_at DESC, events.id DESC LIMIT ${limit}`;
  return await executeRows(db, recordRow, query);
}
