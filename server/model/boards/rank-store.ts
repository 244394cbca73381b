import { sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type LapId,
  lapIdSchema,
  sessionIdSchema,
  type TrackId,
  type UserId,
  userIdSchema,
} from '#contract/ids.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { bestFirst, RANKING_STATUS_LIST } from '#server/model/laps/ranking.ts';
import type { Database } from '#server/kernel/database/database.ts';

const bestRow = z.object({
  userId: userIdSchema,
  sessionId: sessionIdSchema,
  lapId: lapIdSchema,
  lapTimeMs: z.int(),
});

/** Describes a driver's best lap on the board of all times. */
export type DriverBest = z.infer<typeof bestRow>;

/** Lists the best laps of drivers; a driver without a ranking lap has none. */
export async function listDriverBests(
  tx: Database,
  trackId: TrackId,
  userIds: readonly UserId[],
): Promise<DriverBest[]> {
  const query = sql`
    SELECT DISTINCT ON (bests.user_id) bests.user_id AS "userId", bests.session_id AS "sessionId", laps.id AS "lapId",
      bests.lap_time_ms AS "lapTimeMs"
    FROM session_bests AS bests
    JOIN laps ON laps.track_id = bests.track_id AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
    WHERE bests.track_id = ${trackId} AND bests.user_id = ANY(${sql.param(userIds)}::uuid[])
      AND same_car_lap_count IS NOT NULL
    ORDER BY bests.user_id, ${sql.raw(bestFirst('bests'))}`;
  return await executeRows(tx, bestRow, query);
}

const aheadRow = z.object({ ahead: z.int(), equal: z.int(), aheadOfPrevious: z.int() });

/**
 * Counts the drivers who are faster than a lap time, those who are as fast, and those who are faster than another time, which is not faster.
 * Reads only as much of the board as is ahead of the slower time.
 */
export async function countAhead(
  tx: Database,
  trackId: TrackId,
  { lapTimeMs, previousLapTimeMs }: { lapTimeMs: number; previousLapTimeMs: number | null },
): Promise<z.infer<typeof aheadRow>> {
  const slowerMs = previousLapTimeMs ?? lapTimeMs;
  const query = sql`
    SELECT count(*) FILTER (WHERE best_ms < ${lapTimeMs})::int AS ahead,
      count(*) FILTER (WHERE best_ms = ${lapTimeMs})::int AS equal,
      count(*) FILTER (WHERE best_ms < ${slowerMs})::int AS "aheadOfPrevious"
    FROM (
      SELECT min(lap_time_ms) AS best_ms FROM session_bests
      WHERE track_id = ${trackId} AND same_car_lap_count IS NOT NULL AND lap_time_ms <= ${slowerMs} GROUP BY user_id
    ) AS drivers`;
  const [counted] = await executeRows(tx, aheadRow, query);
  if (!counted) throw new Error('The drivers ahead were not counted.');
  return counted;
}

const driverTimeRow = z.object({ userId: userIdSchema, lapTimeMs: z.int() });

/** Lists the drivers whose best lies behind `afterMs` and not behind `untilMs`, the fastest first. */
export async function listBestsBetween(
  tx: Database,
  trackId: TrackId,
  { afterMs, untilMs, limit }: { afterMs: number; untilMs: number | null; limit: number },
): Promise<{ userId: UserId; lapTimeMs: number }[]> {
  // A driver has the same best in a few cars and on a few tyres at most, so a few more rows than drivers are enough.
  const query = sql`
    SELECT user_id AS "userId", lap_time_ms AS "lapTimeMs"
    FROM (
      SELECT user_id, lap_time_ms FROM session_bests AS bests
      WHERE track_id = ${trackId} AND same_car_lap_count IS NOT NULL AND lap_time_ms > ${afterMs}
        AND (${untilMs}::int IS NULL OR lap_time_ms <= ${untilMs}::int)
        AND NOT EXISTS (
          SELECT FROM session_bests AS faster
          WHERE faster.track_id = ${trackId} AND faster.user_id = bests.user_id AND faster.lap_time_ms < bests.lap_time_ms
        )
      ORDER BY lap_time_ms LIMIT ${2 * limit}
    ) AS nearest
    GROUP BY user_id, lap_time_ms ORDER BY lap_time_ms, user_id LIMIT ${limit}`;
  return await executeRows(tx, driverTimeRow, query);
}

export async function isRanking(tx: Database, trackId: TrackId, lapId: LapId): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    SELECT FROM laps WHERE track_id = ${trackId} AND id = ${lapId} AND status IN ${sql.raw(RANKING_STATUS_LIST)}`);
  return (rowCount ?? 0) > 0;
}
