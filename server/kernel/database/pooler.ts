import type { PoolClient } from 'pg';

// Behind a pooler in transaction mode, such as pgbouncer, the next statement may run in another session of PostgreSQL.

const behindPooler = new WeakSet<PoolClient>();

/** Notes whether the session that answered as `processId` is the one that the connection was made to; a pooler gives a number of its own. */
export function notePooler(client: PoolClient, processId: number | undefined): void {
  if ('processID' in client && client.processID !== processId) behindPooler.add(client);
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
