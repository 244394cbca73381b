import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Client, Pool } from 'pg';
import { addRetiming } from '#server/model/laps/retime-due-tracks.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { renewBoardVersions } from '#server/model/boards/board-version-store.ts';
import { listTables, withClient } from '#server/kernel/database/copy-database.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { findErrorCode } from '#server/kernel/database/database-unavailable.ts';
import { forgetWaitingJobs } from '#server/kernel/jobs/job-store.ts';
import { fillTables, type FoundBackup } from './dump-store.ts';

// Held by the transaction of a restore, so that all copies of the server know of it; it ends with its connection.
const RESTORE_LOCK = 7_248_004;
const START_LOCK = 7_248_005;

// Written by calls that only read: when somebody was last seen. Their rows are replaced without holding them.
const NOT_HELD = ['sign_ins', 'api_tokens'];

// Twice as long as a change may take.
const HOLD_TIMEOUT = '60s';
const HOLD_ATTEMPTS_MAX = 5;
const LOCK_TIMEOUT = '55P03';
const DEADLOCK = '40P01';

/** Lets those who start a restore take turns, until the end of the transaction. */
export async function lockStart(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${START_LOCK})`);
}

/** Whether a restore is under way, at whichever copy of the server. */
export async function isRestoring(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ isRestoring: boolean }>({
    name: 'is-restoring',
    text: `SELECT NOT pg_try_advisory_xact_lock_shared(${RESTORE_LOCK}) AS "isRestoring"`,
  });
  return rows[0]?.isRestoring === true;
}

/**
 * Runs `work` in a transaction during which nothing else changes, once the changes under way are done. Reads go on, and see
 * what was there before until the end.
 */
export async function withTablesHeld(
  connectionString: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  await withClient(connectionString, async (client) => {
    for (let attempt = 1; ; attempt++) {
      try {
        await holdTables(client);
        break;
      } catch (error) {
        // Some changes lock tables in another order than this does.
        const isHeldUp = [LOCK_TIMEOUT, DEADLOCK].includes(findErrorCode(error) ?? '');
        if (!isHeldUp || attempt === HOLD_ATTEMPTS_MAX) throw error;
        await client.query('ROLLBACK');
      }
    }
    await work(client);
    await client.query('COMMIT');
  });
}

async function holdTables(client: Client): Promise<void> {
  await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '${HOLD_TIMEOUT}'`);
  await client.query('SELECT pg_advisory_xact_lock($1)', [RESTORE_LOCK]);
  for (const name of await listTables(client)) {
    if (!NOT_HELD.includes(name))
      await client.query(`LOCK TABLE ${client.escapeIdentifier(name)} IN EXCLUSIVE MODE`);
  }
  await client.query('SET LOCAL lock_timeout = 0');
}

export type Restore = {
  /** The owner who asked for it, and the sign-in that goes on. */
  userId: string;
  signInId: string;
  /** The backup of what is replaced. */
  undoName: string;
};

/**
 * Replaces all rows by those of a backup, in the transaction of `client`, which holds the tables. What was revoked since does not
 * come back: all sign-ins but one end, and so do links that work once, and API tokens that are not there now. Jobs that wait belong to
 * what is replaced, and go.
 */
export async function replaceRows(client: Client, backup: FoundBackup, restore: Restore): Promise<void> {
  const { rows: signIns } = await client.query<{ row: string }>(
    'SELECT sign_ins::text AS row FROM sign_ins WHERE id = $1',
    [restore.signInId],
  );
  const { rows: tokens } = await client.query<{ hash: string }>(
    'SELECT token_sha256 AS hash FROM api_tokens',
  );
  for (const name of (await listTables(client)).toReversed())
    await client.query(`DELETE FROM ${client.escapeIdentifier(name)}`);
  await fillTables(client, backup);
  await client.query('DELETE FROM sign_ins');
  await client.query('DELETE FROM one_time_tokens');
  await client.query('DELETE FROM api_tokens WHERE token_sha256 <> ALL ($1)', [
    tokens.map(({ hash }) => hash),
  ]);
  for (const { row } of signIns)
    await client.query(
      `INSERT INTO sign_ins SELECT (kept).* FROM (SELECT $1::text::sign_ins AS kept OFFSET 0) AS source
       WHERE EXISTS (SELECT FROM users WHERE id = (kept).user_id AND suspended_at IS NULL)`,
      [row],
    );
  await forgetOutgoing(client);
  const tx = drizzle(client);
  await renewBoardVersions(tx);
  await forgetWaitingJobs(tx);
  await addRetiming(tx, null);
  await insertAuditEntry(tx, {
    userId: restore.userId,
    action: 'restore-backup',
    subject: restore.undoName,
    counts: {},
    changes: { backup: [restore.undoName, backup.name] },
  });
}

/**
 * Nothing that was due when the backup was made is sent again: neither notices of events, nor webhooks, nor a digest today. Files on
 * their way in are not in backups.
 */
export async function forgetOutgoing(client: Client): Promise<void> {
  await client.query('UPDATE events SET delivered_at = now() WHERE delivered_at IS NULL');
  await client.query(`
    UPDATE webhook_deliveries SET state = 'failed', last_error = 'Given up, because a backup was restored.'
    WHERE state = 'waiting'`);
  await client.query(`
    INSERT INTO mail_digests (user_id, day, until_notice_id)
    SELECT users.id, current_date, (SELECT coalesce(max(notices.id), 0) FROM notices) FROM users
    ON CONFLICT (user_id) DO UPDATE SET day = excluded.day, until_notice_id = excluded.until_notice_id`);
  await client.query('DELETE FROM pending_files');
}
