import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { lapIdSchema, type SessionId, type TrackId, type UserId } from '#contract/ids.ts';
import type { UploadBest } from '#contract/upload/schemas.ts';
import { DRIVER_NAME } from '#server/model/people/driver-name.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { bestFirst, RANKING_STATUS_LIST } from '#server/model/laps/ranking.ts';

type RivalLap = NonNullable<UploadBest['ahead']>;

const rivalRow = z.object({ lapId: lapIdSchema, userName: z.string(), lapTimeMs: z.int() });

const SELECT_RIVAL = sql.raw(`
  SELECT laps.id AS "lapId", ${DRIVER_NAME} AS "userName", bests.lap_time_ms AS "lapTimeMs"
  FROM session_bests AS bests
  JOIN users ON users.id = bests.user_id
  JOIN laps ON laps.track_id = bests.track_id AND laps.session_id = bests.session_id AND laps.number = bests.lap_number`);

/** Finds the best lap of the next driver who is faster than `lapTimeMs`; null where there is none. */
export async function findNextFaster(
  db: Database,
  trackId: TrackId,
  lapTimeMs: number,
): Promise<RivalLap | null> {
  const query = sql`
    ${SELECT_RIVAL}
    WHERE bests.track_id = ${trackId} AND bests.same_car_lap_count IS NOT NULL AND bests.lap_time_ms < ${lapTimeMs}
      AND NOT EXISTS (
        SELECT FROM session_bests AS faster
        WHERE faster.track_id = ${trackId} AND faster.user_id = bests.user_id AND faster.lap_time_ms < bests.lap_time_ms
      )
    ORDER BY bests.lap_time_ms DESC, bests.lap_started_at, bests.session_id LIMIT 1`;
  const [rival] = await executeRows(db, rivalRow, query);
  return rival ?? null;
}

export async function findRecord(db: Database, trackId: TrackId): Promise<RivalLap | null> {
  const query = sql`
    ${SELECT_RIVAL}
    WHERE bests.track_id = ${trackId} AND bests.same_car_lap_count IS NOT NULL
    ORDER BY ${sql.raw(bestFirst('bests'))} LIMIT 1`;
  const [rival] = await executeRows(db, rivalRow, query);
  return rival ?? null;
}

const countRow = z.object({ count: z.int() });

export async function countDrivers(db: Database, trackId: TrackId): Promise<number> {
  const query = sql`SELECT entry_count AS count FROM tracks WHERE id = ${trackId}`;
  const [row] = await executeRows(db, countRow, query);
  if (!row) throw new Error(`There is no track ${trackId}.`);
  return row.count;
}

const sectorRow = z.object({
  index: z.int(),
  timeMs: z.int().nullable(),
  previousTimeMs: z.int().nullable(),
});

/** Lists a driver's best time of each sector, in the sessions of `sessionIds` and in all before them. */
export async function listBestSectors(
  db: Database,
  { trackId, userId }: { trackId: TrackId; userId: UserId },
  sessionIds: readonly SessionId[],
): Promise<z.infer<typeof sectorRow>[]> {
  const isNew = sql`sessions.id = ANY(${sql.param(sessionIds)}::uuid[])`;
  const query = sql`
    SELECT sector.index::int - 1 AS index, min(sector.time_ms) FILTER (WHERE ${isNew}) AS "timeMs",
      min(sector.time_ms) FILTER (WHERE NOT ${isNew}) AS "previousTimeMs"
    FROM sessions
    JOIN laps ON laps.track_id = sessions.track_id AND laps.session_id = sessions.id
    CROSS JOIN LATERAL unnest(laps.sector_times_ms) WITH ORDINALITY AS sector (time_ms, index)
    WHERE sessions.track_id = ${trackId} AND sessions.user_id = ${userId} AND laps.status IN ${sql.raw(RANKING_STATUS_LIST)}
    GROUP BY sector.index ORDER BY sector.index`;
  return await executeRows(db, sectorRow, query);
}
