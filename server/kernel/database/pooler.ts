import type { Client } from 'pg';
import { StartError } from '#server/kernel/errors.ts';

// Behind a pooler in transaction mode, such as pgbouncer, the next statement may run in another session of PostgreSQL.

/** Returns whether another session answered than was connected to: a pooler makes process IDs of its own. */
export function isOtherSession(client: object, processId: number | undefined): boolean {
  return 'processID' in client && client.processID !== processId;
}

/** Returns whether a connection leads to the server itself, where a setting of the session holds for all later statements. */
export async function isServerItself(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ processId: number }>('SELECT pg_backend_pid() AS "processId"');
  return !isOtherSession(client, rows[0]?.processId);
}

/** @throws StartError where the connection leads to a pooler */
export async function requireServerItself(client: Client): Promise<void> {
  if (await isServerItself(client)) return;
  throw new StartError(
    `The address ${client.host}:${client.port} leads to a pooler of connections such as pgbouncer. This needs the PostgreSQL server itself: set DATABASE_DIRECT_URL to its address, or name that in the command.`,
  );
}
