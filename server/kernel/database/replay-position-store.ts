import type { Pool } from 'pg';
import type { UserId } from '#contract/ids.ts';

/** A position in the write-ahead log of a database; what came later is larger. */
export type LogPosition = bigint;

/** Reads a position as PostgreSQL writes it, such as `16/B374D848`. */
export function parseLogPosition(text: string): LogPosition {
  const [, high, low] = /^([0-9A-F]+)\/([0-9A-F]+)$/.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${text} is no position in a log.`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

const FIND_INSERT_POSITION = {
  name: 'find-insert-position',
  text: 'SELECT pg_current_wal_insert_lsn()::text AS position',
};

/** Finds the end of a primary's log, flushed or not: every change that a query can see is before it. */
export async function findInsertPosition(pool: Pool): Promise<LogPosition> {
  const { rows } = await pool.query<{ position: string }>(FIND_INSERT_POSITION);
  return parseLogPosition(rows[0]?.position ?? '');
}

// A replica that was promoted replays nothing any more: it knows all that it has written.
const FIND_REPLAYED_POSITION = {
  name: 'find-replayed-position',
  text: `
    SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END)::text AS position`,
};

/** Finds the position up to which a replica shows the changes of its primary. */
export async function findReplayedPosition(pool: Pool): Promise<LogPosition> {
  const { rows } = await pool.query<{ position: string | null }>(FIND_REPLAYED_POSITION);
  return parseLogPosition(rows[0]?.position ?? '');
}

// The later one of two positions stays. Citus takes no function that is called when the row is there already.
const RECORD_REPLAY_POSITION = {
  name: 'record-replay-position',
  text: `
    INSERT INTO replay_positions (user_id, position)
    SELECT id, pg_current_wal_insert_lsn() FROM users WHERE id = $1
    ON CONFLICT (user_id) DO UPDATE SET position = GREATEST(replay_positions.position, EXCLUDED.position)`,
};

/** Records the position of the log after a change of a driver; does nothing for an account that has just been deleted. */
export async function recordReplayPosition(pool: Pool, userId: UserId): Promise<void> {
  await pool.query({ ...RECORD_REPLAY_POSITION, values: [userId] });
}
