import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { Logger, runMigrations as runJobMigrations } from 'graphile-worker';
import { Client } from 'pg';
import { projectFolder } from '#server/kernel/project-folder.ts';
import { StartError } from '#server/kernel/errors.ts';

/** The database cannot be used. */
class DatabaseError extends StartError {
  override name = 'DatabaseError';
}

const MIGRATIONS_FOLDER = join(projectFolder, 'server', 'kernel', 'database', 'migrations');

// Any number that no other program locks in the same database.
const MIGRATION_LOCK = 7_248_001;

const OLDEST_MAJOR_VERSION = 15;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Brings the tables of the database at `connectionString` up to date; throws a DatabaseError where there is no
 * database that can be used. Copies of the server that start together take turns; a database that is up to date
 * is left alone.
 */
export async function migrate(connectionString: string): Promise<void> {
  const client = await connect(connectionString);
  try {
    await requireVersion(client);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await runMigrations(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER });
    // The tables of the job queue, in a schema of their own.
    await runJobMigrations({ connectionString, logger: new Logger(() => () => undefined) });
  } finally {
    await client.end(); // releases the lock
  }
}

/** A connection of its own: the lock belongs to it, and a migration may take longer than any query should. */
async function connect(connectionString: string): Promise<Client> {
  const client = new Client({
    connectionString,
    application_name: 'pitboard migrations',
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

async function requireVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; majorVersion: number }>(
    `SELECT current_setting('server_version') AS version,
            current_setting('server_version_num')::int / 10000 AS "majorVersion"`,
  );
  const [server] = rows;
  if (server && server.majorVersion >= OLDEST_MAJOR_VERSION) return;
  throw new DatabaseError(
    `The database runs on PostgreSQL ${server?.version}; Pitboard needs ${OLDEST_MAJOR_VERSION} or later.`,
  );
}

function describe(error: unknown): string {
  // Where a name has several addresses, each failed by itself and the whole has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(describe).join(', ');
  return error instanceof Error ? error.message : String(error);
}
