import type { Pool } from 'pg';

/** A position in the write-ahead log of a database; what came later is larger. */
export type LogPosition = bigint;

/** Reads a position as PostgreSQL writes it, such as `16/B374D848`. */
export function parseLogPosition(text: string): LogPosition {
  const [, high, low] = /^([0-9A-F]+)\/([0-9A-F]+)$/.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${text} is no position in a log.`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

const FIND_PRIMARY_POSITION = {
  name: 'find-primary-position',
  text: 'SELECT pg_current_wal_insert_lsn()::text AS position',
};

/** How far the log of a primary reaches, written down or not yet: every change that anybody can see is before it. */
export async function findPrimaryPosition(pool: Pool): Promise<LogPosition> {
  const { rows } = await pool.query<{ position: string }>(FIND_PRIMARY_POSITION);
  return parseLogPosition(rows[0]?.position ?? '');
}

// A replica that was promoted replays nothing any more: it knows all that it has written.
const FIND_REPLAYED_POSITION = {
  name: 'find-replayed-position',
  text: `
    SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END)::text AS position`,
};

/** How far a replica shows the changes of its primary. */
export async function findReplayedPosition(pool: Pool): Promise<LogPosition> {
  const { rows } = await pool.query<{ position: string | null }>(FIND_REPLAYED_POSITION);
  return parseLogPosition(rows[0]?.position ?? '');
}

// The position is taken where the row is locked already, so that of two notes at once the later one stays.
const NOTE_CHANGE_POSITION = {
  name: 'note-change-position',
  text: `
    INSERT INTO change_positions (user_id, position)
    SELECT id, pg_current_wal_insert_lsn() FROM users WHERE id = $1
    ON CONFLICT (user_id) DO UPDATE SET position = pg_current_wal_insert_lsn()`,
};

/** Notes where the log stands after a change of a driver; does nothing for an account that has just been deleted. */
export async function noteChangePosition(pool: Pool, userId: string): Promise<void> {
  await pool.query({ ...NOTE_CHANGE_POSITION, values: [userId] });
}
