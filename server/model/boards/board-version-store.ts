import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Database } from '#server/kernel/database/database.ts';
import { sessions } from '#server/model/laps/schema.ts';

const FIND_BOARD_VERSION = {
  name: 'find-board-version',
  text: 'SELECT board_version::text AS version FROM tracks WHERE id = $1',
};

/** A text that differs after every change of what the board of a track shows; undefined where there is no such track. */
export async function findBoardVersion(pool: Pool, trackId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ version: string }>({ ...FIND_BOARD_VERSION, values: [trackId] });
  return rows[0]?.version;
}

const SEVERAL_TRACKS_LOCK = 'several tracks';

/**
 * Raises the board versions of some tracks and locks the tracks until the end of the transaction. Transactions that lock several
 * tracks take turns, and the others lock a single one, so two never wait for each other.
 */
export async function raiseBoardVersions(tx: Database, trackIds: readonly string[] | 'all'): Promise<void> {
  if (trackIds.length === 0) return;
  if (trackIds === 'all' || trackIds.length > 1) {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${SEVERAL_TRACKS_LOCK}, 0))`);
  }
  const condition = trackIds === 'all' ? sql`TRUE` : isTrack(sql`id`, trackIds);
  await tx.execute(sql`UPDATE tracks SET board_version = board_version + 1 WHERE ${condition}`);
}

/**
 * Gives all tracks board versions that none has had before, where rows of an earlier time have come back: the milliseconds
 * since 1970, in which no track changes as often.
 */
export async function renewBoardVersions(tx: Database): Promise<void> {
  await tx.execute(sql`
    UPDATE tracks SET board_version = greatest(board_version + 1, (1000 * extract(epoch FROM now()))::bigint)`);
}

/** Of a single track the condition says so, because Citus plans it faster. */
function isTrack(column: SQL, trackIds: readonly string[]): SQL {
  const [first] = trackIds;
  return trackIds.length === 1
    ? sql`${column} = ${first}`
    : sql`${column} = ANY(${sql.param(trackIds)}::text[])`;
}

/**
 * Locks drivers until the end of the transaction, in the order of their ids: with 'share' their names stay as they are and
 * others may change laps of theirs on other tracks, with 'update' nothing of theirs changes.
 */
export async function lockDrivers(
  tx: Database,
  userIds: readonly string[],
  strength: 'share' | 'update',
): Promise<void> {
  if (userIds.length === 0) return;
  const lock = sql.raw(strength === 'share' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  // Not the rows of `users`: Citus would lock the whole table at every node.
  await tx.execute(sql`
    SELECT ${lock}(hashtextextended('driver ' || id, 0))
    FROM unnest(${sql.param([...new Set(userIds)].toSorted())}::text[]) AS id`);
}

/** The tracks on which any of the drivers has a session. */
export async function listDrivenTracks(tx: Database, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await tx
    .selectDistinct({ trackId: sessions.trackId })
    .from(sessions)
    .where(inArray(sessions.userId, [...userIds]));
  return rows.map(({ trackId }) => trackId);
}

/**
 * Removes what was drawn from sessions that are gone: it shows where their drivers went. The next valid lap on such a track
 * draws it again.
 */
export async function removeOutlinesWithoutSession(tx: Database, trackIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    UPDATE tracks SET thin_outline = NULL, thin_outline_session_id = NULL
    WHERE id = ANY(${sql.param(trackIds)}::text[]) AND outline IS NULL AND thin_outline_session_id IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM sessions
        WHERE sessions.track_id = tracks.id AND sessions.id = tracks.thin_outline_session_id
      )`);
}
