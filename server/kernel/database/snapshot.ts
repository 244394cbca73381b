import type { Client } from 'pg';
import { withClient } from './copy-database.ts';

/** Begins a transaction on one state of all tables: no laps change until every node of Citus was asked. */
export async function beginSnapshot(connectionString: string, client: Client): Promise<void> {
  await withClient(connectionString, async (lock) => {
    await lock.query('BEGIN; LOCK TABLE tracks IN SHARE MODE');
    await beginHeldSnapshot(client);
  });
}

/** Does the same while the caller sees to it that nothing changes. */
export async function beginHeldSnapshot(client: Client): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Each node is asked over a single connection, as each connection has a moment of its own.
  await client.query('SET LOCAL citus.max_adaptive_executor_pool_size = 1');
  await client.query('SELECT count(*) FROM tracks');
}
