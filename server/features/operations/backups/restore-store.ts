import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Client, Pool } from 'pg';
import { z } from 'zod';
import type { AuthSessionId, UserId } from '#contract/ids.ts';
import { addRetiming } from '#server/model/laps/retime-due-tracks.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { markAllDelivered } from '#server/model/events/event-store.ts';
import { deleteKeptSessions } from '#server/model/laps/deleted-session-store.ts';
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
import { addMissingMakeOfficial } from '#server/model/race-events/make-official.ts';
import { DEADLOCK, LOCK_TIMEOUT, retryOn } from '#server/kernel/database/retry-on.ts';
import { deleteWaitingJobs } from '#server/kernel/jobs/job-store.ts';
import { fillTables, type FoundBackup } from './dump-store.ts';

// The transaction of a restore holds this lock, so that all copies of the server know of it; it ends with its connection.
const RESTORE_LOCK = 7_248_004;
const START_LOCK = 7_248_005;

// Calls that only read write the time of the last visit here. Their rows are replaced without a lock on the tables.
const NOT_HELD = ['sign_ins', 'api_tokens'];

// This is twice as long as a change may take.
const HOLD_TIMEOUT = '60s';

/** Lets calls that start a restore take turns, until the end of the transaction. */
export async function lockStart(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${START_LOCK})`);
}

const restoringRow = z.object({ isRestoring: z.boolean() });

/** Tests if a restore is in progress on any copy of the server. */
export async function isRestoring(pool: Pool): Promise<boolean> {
  const [row] = await queryRows(pool, restoringRow, {
    name: 'is-restoring',
    text: `SELECT NOT pg_try_advisory_xact_lock_shared(${RESTORE_LOCK}) AS "isRestoring"`,
  });
  return row?.isRestoring === true;
}

/**
 * Runs `work` in a transaction during which nothing else changes, after the changes in progress are done. Reads continue, and
 * see the earlier data until the end.
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
  /** The owner who asked for the restore; the auth session of the call goes on. */
  userId: UserId;
  signInId: AuthSessionId;
  /** This backup has the data that are replaced. */
  undoName: string;
};

/**
 * Replaces all rows with those of a backup, in the transaction of `client`, which holds the tables. Revoked access does not
 * come back: all auth sessions but one end, and so do one-time links, and API tokens that do not exist now. Waiting jobs belong
 * to the replaced data: they are deleted, and what the backup has makes its own.
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
  await addMissingMakeOfficial(tx);
  await insertAuditEntry(tx, {
    userId: restore.userId,
    action: 'restore-backup',
    subject: restore.undoName,
    counts: {},
    changes: { backup: [restore.undoName, backup.name] },
  });
}

/**
 * Marks everything that was due when the backup was made as sent: notices of events, webhooks, and today's digests. Backups do
 * not contain pending uploads, nor the files of sessions that could still be restored.
 */
export async function skipOutgoing(client: Client): Promise<void> {
  const tx = drizzle(client);
  await markAllDelivered(tx);
  await giveUpDeliveries(tx, 'Given up, because a backup was restored.');
  await skipDigests(tx);
  await deletePendingFiles(tx);
  await deleteKeptSessions(tx);
}
