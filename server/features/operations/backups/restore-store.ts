import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Client, Pool } from 'pg';
import { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import { addRetiming } from '#server/model/laps/retime-due-tracks.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { markAllDelivered } from '#server/model/events/event-store.ts';
import { deletePendingFiles } from '#server/model/laps/pending-file-store.ts';
import { skipDigests } from '#server/model/mail/mail-store.ts';
import { deleteTokensExcept, listTokenHashes } from '#server/model/people/api-token-store.ts';
import { readAuthSessionRow, replaceAuthSessions } from '#server/model/people/auth-session-store.ts';
import { deleteOneTimeTokens } from '#server/model/people/one-time-token-store.ts';
import { giveUpDeliveries } from '#server/model/webhooks/webhook-store.ts';
import { renewBoardVersions } from '#server/model/tracks/board-version-store.ts';
import { listTables, withClient } from '#server/kernel/database/copy-database.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { DEADLOCK, LOCK_TIMEOUT, retryOn } from '#server/kernel/database/retry-on.ts';
import { deleteWaitingJobs } from '#server/kernel/jobs/job-store.ts';
import { fillTables, type FoundBackup } from './dump-store.ts';

// Held by the transaction of a restore, so that all copies of the server know of it; it ends with its connection.
const RESTORE_LOCK = 7_248_004;
const START_LOCK = 7_248_005;

// Written by calls that only read: when somebody was last seen. Their rows are replaced without holding them.
const NOT_HELD = ['sign_ins', 'api_tokens'];

// Twice as long as a change may take.
const HOLD_TIMEOUT = '60s';

/** Lets those who start a restore take turns, until the end of the transaction. */
export async function lockStart(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${START_LOCK})`);
}

/** Tells whether a restore is under way, on any copy of the server. */
export async function isRestoring(pool: Pool): Promise<boolean> {
  const [row] = await queryRows(pool, z.object({ isRestoring: z.boolean() }), {
    name: 'is-restoring',
    text: `SELECT NOT pg_try_advisory_xact_lock_shared(${RESTORE_LOCK}) AS "isRestoring"`,
  });
  return row?.isRestoring === true;
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
    // Some changes lock tables in another order than this does.
    await retryOn([LOCK_TIMEOUT, DEADLOCK], async () => {
      try {
        await holdTables(client);
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    });
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
  userId: UserId;
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
  const tx = drizzle(client);
  const authSession = await readAuthSessionRow(tx, restore.signInId);
  const tokenHashes = await listTokenHashes(tx);
  for (const name of (await listTables(client)).toReversed())
    await client.query(`DELETE FROM ${client.escapeIdentifier(name)}`);
  await fillTables(client, backup);
  await replaceAuthSessions(tx, authSession);
  await deleteOneTimeTokens(tx);
  await deleteTokensExcept(tx, tokenHashes);
  await skipOutgoing(client);
  await renewBoardVersions(tx);
  await deleteWaitingJobs(tx);
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
 * Marks everything that was due when the backup was made as sent: notices of events, webhooks, and today's digests. Files on their way
 * in are not in backups.
 */
export async function skipOutgoing(client: Client): Promise<void> {
  const tx = drizzle(client);
  await markAllDelivered(tx);
  await giveUpDeliveries(tx, 'Given up, because a backup was restored.');
  await skipDigests(tx);
  await deletePendingFiles(tx);
}
