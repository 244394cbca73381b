import type { Client, PoolClient } from 'pg';
import { StartError } from '#server/kernel/errors.ts';

// Behind a pooler in transaction mode, such as pgbouncer, the next statement may run in another session of PostgreSQL.

const behindPooler = new WeakSet<PoolClient>();

/** Notes whether the session that answered as `processId` is the one that the connection was made to. */
export function notePooler(client: PoolClient, processId: number | undefined): void {
  if (isOtherSession(client, processId)) behindPooler.add(client);
}

/** A pooler gives a connection a process ID of its own, which is none of PostgreSQL. */
function isOtherSession(client: object, processId: number | undefined): boolean {
  return 'processID' in client && client.processID !== processId;
}

/** Whether a connection leads to the server itself: what is set for its session then holds for all its statements. */
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

/** Takes the names off the statements of a connection behind a pooler, where another session would not know them. */
export function forgetNamesBehindPooler(client: PoolClient): void {
  const query: (...parameters: unknown[]) => unknown = client.query.bind(client);
  const nameless = (first: unknown, ...others: unknown[]): unknown =>
    query(behindPooler.has(client) ? withoutName(first) : first, ...others);
  Object.assign(client, { query: nameless });
}

function withoutName(statement: unknown): unknown {
  // A statement with a `submit` of its own, such as a stream, has no name.
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return statement;
  return { ...statement, name: undefined };
}
