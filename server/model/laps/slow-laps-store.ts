import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';

const recordRows = z.array(z.object({ recordMs: z.int().nullable() }));

/** The best ranking lap of a track that was driven at racing speed, in milliseconds; null where there is none. */
export async function findRecordMs(db: Database, trackId: string): Promise<number | null> {
  const { rows } = await db.execute(sql`
    SELECT min(bests.lap_time_ms) AS "recordMs" FROM session_bests AS bests
    JOIN laps ON laps.track_id = bests.track_id AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
    WHERE bests.track_id = ${trackId} AND NOT 'slow_for_track' = ANY(laps.reasons)`);
  return recordRows.parse(rows)[0]?.recordMs ?? null;
}

const trackRows = z.array(z.object({ trackId: z.string() }));

/** The tracks with laps that nothing but their slowness speaks against. */
export async function listTracksWithSlowLaps(db: Database): Promise<string[]> {
  const { rows } = await db.execute(sql`
    SELECT DISTINCT track_id AS "trackId" FROM laps WHERE reasons = '{slow_for_track}' ORDER BY track_id`);
  return trackRows.parse(rows).map(({ trackId }) => trackId);
}

// What such a lap should be: with a warning, which ranks, up to a lap time, and rejected beyond.
const wantedStatus = (rankingUpToMs: number) =>
  sql`CASE WHEN laps.lap_time_ms <= ${rankingUpToMs} THEN 'warning' ELSE 'rejected' END`;

const IS_SLOW = sql`laps.reasons = '{slow_for_track}' AND laps.left_out_status IS NULL`;

const driverRows = z.array(z.object({ userId: z.string() }));

/** The drivers with laps on a track that are slow and have another status than they should have. */
export async function listDriversOfMisjudgedLaps(
  db: Database,
  trackId: string,
  rankingUpToMs: number,
): Promise<string[]> {
  const { rows } = await db.execute(sql`
    SELECT DISTINCT sessions.user_id AS "userId" FROM laps
    JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
    WHERE laps.track_id = ${trackId} AND ${IS_SLOW} AND laps.status <> ${wantedStatus(rankingUpToMs)}
    ORDER BY 1`);
  return driverRows.parse(rows).map(({ userId }) => userId);
}

/** Gives the slow laps of a driver on a track the status that they should have. Call it within `changeLaps`. */
export async function updateSlowLaps(
  tx: Database,
  { trackId, userId, rankingUpToMs }: { trackId: string; userId: string; rankingUpToMs: number },
): Promise<void> {
  await tx.execute(sql`
    UPDATE laps SET status = ${wantedStatus(rankingUpToMs)} FROM sessions
    WHERE sessions.track_id = laps.track_id AND sessions.id = laps.session_id AND sessions.user_id = ${userId}
      AND laps.track_id = ${trackId} AND ${IS_SLOW}`);
}
