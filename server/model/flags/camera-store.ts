import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { lapIdSchema, sessionIdSchema, trackIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import type { LapToCheck } from './check-store.ts';

const overlappingRow = z.object({
  lapId: lapIdSchema,
  trackId: trackIdSchema,
  sessionId: sessionIdSchema,
  lapTimeMs: z.int(),
  storageKey: z.string(),
  startOffsetMs: z.number(),
  /** The begin of this lap minus the begin of the other lap, by the clocks of both files. */
  laterMs: z.number(),
});

export type OverlappingLap = z.infer<typeof overlappingRow>;

const end = (table: string) =>
  sql.raw(`${table}.started_at + ${table}.lap_time_ms * interval '1 millisecond'`);

/**
 * Finds a lap in another file of the same driver on the same track that overlaps most of the given lap. The other file is that
 * of a camera, or of any other device.
 */
export async function findOverlappingLap(
  db: Database,
  { trackId, lapId, userId }: Pick<LapToCheck, 'trackId' | 'lapId' | 'userId'>,
  isOfCamera: boolean,
): Promise<OverlappingLap | undefined> {
  const query = sql`
    WITH found AS MATERIALIZED (
    SELECT other.id AS "lapId", other.track_id AS "trackId", sessions.id AS "sessionId", other.lap_time_ms AS "lapTimeMs",
      sessions.lap_file_sha256,
      (1000 * extract(epoch FROM other.started_at - sessions.started_at))::float8 AS "startOffsetMs",
      (1000 * extract(epoch FROM other.started_at - own.started_at))::float8 AS "laterMs"
    FROM laps AS own
    JOIN sessions ON sessions.track_id = own.track_id AND sessions.user_id = ${userId} AND sessions.id <> own.session_id
    JOIN laps AS other ON other.track_id = sessions.track_id AND other.session_id = sessions.id
    WHERE own.track_id = ${trackId} AND own.id = ${lapId}
      AND least(${end('own')}, ${end('other')}) - greatest(own.started_at, other.started_at)
        > own.lap_time_ms * interval '0.5 millisecond'
    )
    SELECT found.*, lap_files.storage_key AS "storageKey"
    FROM found JOIN lap_files ON lap_files.sha256 = found.lap_file_sha256
    WHERE (lap_files.format = 'camera-csv') = ${isOfCamera}
    ORDER BY abs("laterMs"), "lapId" LIMIT 1`;
  const [lap] = await executeRows(db, overlappingRow, query);
  return lap;
}
