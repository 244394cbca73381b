import { Client, type ClientConfig } from 'pg';
import { StartError } from '#server/kernel/errors.ts';

export class DatabaseError extends StartError {
  override name = 'DatabaseError';
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens a connection of its own, whose session can be given settings and locks, and on which a statement may take longer than a
 * query should. PostgreSQL lists it as `name`.
 * @throws DatabaseError
 */
export function connect(connectionString: string, name: string): Promise<Client> {
  return connectAs(Client, connectionString, name);
}

/** Does the same with a client of a given class. @throws DatabaseError */
export async function connectAs<C extends Client>(
  ClientClass: new (config: ClientConfig) => C,
  connectionString: string,
  name: string,
): Promise<C> {
  const client = new ClientClass({
    connectionString,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A connection that breaks fails the query under way; without a listener it would end the process as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    // Pitboard's own is reached through a socket, and so may others be.
    const advice = client.host.startsWith('/')
      ? 'Check DATABASE_URL; without it, the database is damaged: restore a backup as docs/operations.md says.'
      : 'Check DATABASE_URL.';
    throw new DatabaseError(
      `The database ${client.database ?? ''} at ${client.host}:${client.port} cannot be used: ${describe(cause)}. ${advice}`,
      { cause },
    );
  }
}

function describe(error: unknown): string {
  // A name may have several addresses: each failed by itself, and the whole has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(describe).join(', ');
  return error instanceof Error ? error.message : String(error);
}
