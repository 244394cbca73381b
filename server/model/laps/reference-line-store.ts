import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { type LapId, lapIdSchema, type TrackId, trackIdSchema } from '#contract/ids.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { DEMO_ISSUER } from '#server/model/people/identity.ts';
import { referenceLines } from './schema.ts';
import { BEST_FIRST, bestFirst, RANKING_STATUS_LIST } from './ranking.ts';
import { IS_LINE_SHOWN } from './line-privacy.ts';

/** Holds a track's encoded line, and a text that differs for every line. */
export type StoredLine = { line: Uint8Array; version: string };

// The join selects laps that rank and whose drivers show their lines.
const PUBLIC_LAPS = sql.raw(`
  laps JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
  JOIN users ON users.id = sessions.user_id`);
const IS_PUBLIC = sql.raw(`laps.status IN ${RANKING_STATUS_LIST} AND ${IS_LINE_SHOWN}`);

const lineRow = z.object({ line: z.instanceof(Uint8Array), version: z.string() });

/**
 * Finds the line of a track; null where there is none, or none that may be used: a lap that it was made from is gone or private since, the
 * start/finish line was moved, or the engine is another one.
 */
export async function findReferenceLine(db: Database, trackId: TrackId): Promise<StoredLine | null> {
  const query = sql`
    SELECT line, built_at::text AS version FROM reference_lines
    JOIN tracks ON tracks.id = reference_lines.track_id AND tracks.defined_at = track_defined_at
    WHERE track_id = ${trackId} AND engine_version = ${ENGINE_VERSION} AND cardinality(lap_ids) = (
      SELECT count(*) FROM ${PUBLIC_LAPS} WHERE laps.track_id = ${trackId} AND laps.id = ANY(lap_ids) AND ${IS_PUBLIC}
    )`;
  const [line] = await executeRows(db, lineRow, query);
  return line ?? null;
}

const sourceRow = z.object({
  trackId: trackIdSchema,
  lapId: lapIdSchema,
  lapTimeMs: z.int(),
  startOffsetMs: z.number(),
  storageKey: z.string(),
  isDemo: z.boolean(),
});

export type SourceLap = z.infer<typeof sourceRow>;

/** Lists the best laps of the fastest drivers who show their lines. The line of a track is made from these. */
export async function listSourceLaps(db: Database, trackId: TrackId, limit: number): Promise<SourceLap[]> {
  // A driver has bests in a few cars and on a few tyres at most.
  const query = sql`
    WITH candidates AS MATERIALIZED (
      SELECT laps.id, bests.track_id, bests.lap_time_ms, bests.lap_started_at, bests.session_id, bests.lap_number, sessions.user_id, sessions.lap_file_sha256,
        users.issuer = ${DEMO_ISSUER} AS is_demo,
        (1000 * extract(epoch FROM laps.started_at - sessions.started_at))::float8 AS start_offset_ms
      FROM session_bests AS bests
      JOIN ${PUBLIC_LAPS} ON laps.track_id = bests.track_id AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
      WHERE bests.track_id = ${trackId} AND same_car_lap_count IS NOT NULL AND ${IS_PUBLIC}
      ORDER BY ${sql.raw(bestFirst('bests'))} LIMIT ${5 * limit}
    )
    SELECT id AS "lapId", track_id AS "trackId", lap_time_ms AS "lapTimeMs", start_offset_ms AS "startOffsetMs",
      storage_key AS "storageKey", is_demo AS "isDemo"
    FROM (SELECT DISTINCT ON (user_id) * FROM candidates ORDER BY user_id, ${sql.raw(BEST_FIRST)}) AS bests
    JOIN lap_files ON lap_files.sha256 = bests.lap_file_sha256
    ORDER BY ${sql.raw(bestFirst('bests'))} LIMIT ${limit}`;
  return await executeRows(db, sourceRow, query);
}

const stateRow = z.object({ definedAt: z.string(), lapIds: z.array(lapIdSchema) });

/** Finds the time at which a track was defined, and the laps that its line is made from; no laps where it has to be made again. */
export async function findLineState(
  db: Database,
  trackId: TrackId,
): Promise<z.infer<typeof stateRow> | undefined> {
  const query = sql`
    SELECT defined_at::text AS "definedAt", coalesce(CASE
        WHEN engine_version = ${ENGINE_VERSION} AND track_defined_at = defined_at THEN lap_ids
      END, '{}') AS "lapIds"
    FROM tracks LEFT JOIN reference_lines ON track_id = tracks.id
    WHERE tracks.id = ${trackId}`;
  const [state] = await executeRows(db, stateRow, query);
  return state;
}

export async function storeReferenceLine(
  db: Database,
  {
    trackId,
    line,
    lapIds,
    definedAt,
  }: { trackId: TrackId; line: Uint8Array; lapIds: LapId[]; definedAt: string },
): Promise<void> {
  const row = {
    line,
    lapIds,
    engineVersion: ENGINE_VERSION,
    // The text keeps the microseconds that a Date does not have.
    trackDefinedAt: sql`${definedAt}::timestamptz`,
    builtAt: sql`statement_timestamp()`,
  };
  // A track that was removed meanwhile has no line.
  await db.execute(sql`SELECT FROM tracks WHERE id = ${trackId} FOR KEY SHARE`);
  await db
    .insert(referenceLines)
    .values({ trackId, ...row })
    .onConflictDoUpdate({
      target: referenceLines.trackId,
      set: { ...row, trackDefinedAt: sql`excluded.track_defined_at`, builtAt: sql`excluded.built_at` },
    });
}

/** Removes the line of a track that has no laps for one. */
export async function deleteReferenceLine(db: Database, trackId: TrackId): Promise<void> {
  await db.delete(referenceLines).where(sql`track_id = ${trackId}`);
}

/** Removes the lines that are made from laps of these sessions, which are about to be removed: of few drivers, a line shows where each of them drove. */
export async function deleteLinesMadeFrom(tx: Database, whichSessions: SQL): Promise<void> {
  await tx.execute(sql`
    DELETE FROM reference_lines
    USING laps JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
    WHERE laps.track_id = reference_lines.track_id AND laps.id = ANY(lap_ids) AND ${whichSessions}`);
}
