import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type TrackId, trackIdSchema, type UserId, userIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';

const recordRow = z.object({ recordMs: z.int().nullable() });

/** Finds the best ranking lap of a track that was driven at racing speed, in milliseconds; null where there is none. */
export async function findRecordMs(db: Database, trackId: TrackId): Promise<number | null> {
  const query = sql`
    SELECT min(bests.lap_time_ms) AS "recordMs" FROM session_bests AS bests
    JOIN laps ON laps.track_id = bests.track_id AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
    WHERE bests.track_id = ${trackId} AND NOT 'slow_for_track' = ANY(laps.reasons)`;
  const [row] = await executeRows(db, recordRow, query);
  return row?.recordMs ?? null;
}

const trackIdRow = z.object({ trackId: trackIdSchema });

/** Lists the tracks with laps that nothing but their slowness speaks against. */
export async function listTracksWithSlowLaps(db: Database): Promise<TrackId[]> {
  const query = sql`
    SELECT DISTINCT track_id AS "trackId" FROM laps WHERE reasons = '{slow_for_track}' ORDER BY track_id`;
  const rows = await executeRows(db, trackIdRow, query);
  return rows.map(({ trackId }) => trackId);
}

// A slow lap has a warning, and so ranks, up to a lap time, and is rejected beyond.
const wantedStatus = (rankingUpToMs: number) =>
  sql`CASE WHEN laps.lap_time_ms <= ${rankingUpToMs} THEN 'warning' ELSE 'rejected' END`;

const IS_SLOW = sql`laps.reasons = '{slow_for_track}' AND laps.left_out_status IS NULL`;

const userIdRow = z.object({ userId: userIdSchema });

/** Lists the drivers with laps on a track that are slow and have another status than they should have. */
export async function listDriversOfMisclassifiedLaps(
  db: Database,
  trackId: TrackId,
  rankingUpToMs: number,
): Promise<UserId[]> {
  const query = sql`
    SELECT DISTINCT sessions.user_id AS "userId" FROM laps
    JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
    WHERE laps.track_id = ${trackId} AND ${IS_SLOW} AND laps.status <> ${wantedStatus(rankingUpToMs)}
    ORDER BY 1`;
  const rows = await executeRows(db, userIdRow, query);
  return rows.map(({ userId }) => userId);
}

/** Updates the status of a driver's slow laps on a track. Call it within `changeLaps`. */
export async function updateSlowLaps(
  tx: Database,
  { trackId, userId, rankingUpToMs }: { trackId: TrackId; userId: UserId; rankingUpToMs: number },
): Promise<void> {
  await tx.execute(sql`
    UPDATE laps SET status = ${wantedStatus(rankingUpToMs)} FROM sessions
    WHERE sessions.track_id = laps.track_id AND sessions.id = laps.session_id AND sessions.user_id = ${userId}
      AND laps.track_id = ${trackId} AND ${IS_SLOW}`);
}
