import { sql, type SQL } from 'drizzle-orm';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { TrackId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { IS_LINE_SHOWN } from '#server/model/laps/line-privacy.ts';

const FIND_BOARD_VERSION = {
  name: 'find-board-version',
  text: 'SELECT board_version::text AS version FROM tracks WHERE id = $1',
};

const versionRow = z.object({ version: z.string() });

/** Returns the version of a track's board, which every change of the board raises; undefined for an unknown track. */
export async function findBoardVersion(pool: Pool, trackId: TrackId): Promise<string | undefined> {
  const query = { ...FIND_BOARD_VERSION, values: [trackId] };
  const [row] = await queryRows(pool, versionRow, query);
  return row?.version;
}

const SEVERAL_TRACKS_LOCK = 'several tracks';

/**
 * Raises the board versions of some tracks and locks the tracks until the end of the transaction. Transactions that lock several
 * tracks run one after the other, and all others lock a single track, so no two can deadlock.
 */
export async function raiseBoardVersions(tx: Database, trackIds: readonly TrackId[] | 'all'): Promise<void> {
  if (trackIds.length === 0) return;
  if (trackIds === 'all' || trackIds.length > 1) {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${SEVERAL_TRACKS_LOCK}, 0))`);
  }
  const condition = trackIds === 'all' ? sql`TRUE` : isTrack(sql`id`, trackIds);
  await tx.execute(sql`UPDATE tracks SET board_version = board_version + 1 WHERE ${condition}`);
}

/**
 * Sets the board versions of all tracks to values that no track has had before. A restored backup needs this. The value is
 * the milliseconds since 1970, because no track changes once a millisecond.
 */
export async function renewBoardVersions(tx: Database): Promise<void> {
  await tx.execute(sql`
    UPDATE tracks SET board_version = greatest(board_version + 1, (1000 * extract(epoch FROM now()))::bigint)`);
}

/** Compares a single id with `=`, because the database plans that faster than a list of one (docs/decisions/0023). */
function isTrack(column: SQL, trackIds: readonly TrackId[]): SQL {
  const [first] = trackIds;
  return trackIds.length === 1
    ? sql`${column} = ${first}`
    : sql`${column} = ANY(${sql.param(trackIds)}::text[])`;
}

/** Adds to the number of drivers who have a ranking lap on a track. */
export async function addEntries(tx: Database, trackId: TrackId, added: number): Promise<void> {
  await tx.execute(sql`UPDATE tracks SET entry_count = entry_count + ${added} WHERE id = ${trackId}`);
}

/**
 * Removes outlines that were drawn from sessions that are deleted, or whose lines others may not see, because they show where
 * the drivers went. The next valid lap whose line is shown draws a new outline.
 */
export async function deleteHiddenOutlines(tx: Database, trackIds: readonly TrackId[]): Promise<void> {
  await tx.execute(sql`
    UPDATE tracks SET thin_outline = NULL, thin_outline_session_id = NULL
    WHERE id = ANY(${sql.param(trackIds)}::text[]) AND outline IS NULL AND thin_outline_session_id IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM sessions JOIN users ON users.id = sessions.user_id
        WHERE sessions.track_id = tracks.id AND sessions.id = tracks.thin_outline_session_id
          AND ${sql.raw(IS_LINE_SHOWN)}
      )`);
}
