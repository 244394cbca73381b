import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { Logger, runMigrations as runJobMigrations } from 'graphile-worker';
import type { Client } from 'pg';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { connect, connectAs, DatabaseError } from './connect.ts';
import { isDistributed, spreadNewTables } from './distribute.ts';
import { InterceptingClient, type SendQuery } from './intercepting-client.ts';
import { isServerItself } from './pooler.ts';

const MIGRATIONS_FOLDER = join(projectFolder, 'server', 'kernel', 'database', 'migrations');

// Any number that no other program locks in the same database.
const MIGRATION_LOCK = 7_248_001;

const NAME = 'pitboard migrations';
const OLDEST_MAJOR_VERSION = 15;

/**
 * Brings the tables of the database at `connectionString` up to date; throws a DatabaseError where there is no
 * database that can be used. Copies of the server that start together take turns; a database that is up to date
 * is left alone. `migrationsFolder` is for tests.
 */
export async function migrate(connectionString: string, migrationsFolder = MIGRATIONS_FOLDER): Promise<void> {
  const lock = await connect(connectionString, NAME);
  try {
    await requireVersion(lock);
    // Of a transaction: a pooler would give the session, and a lock of it, to somebody else.
    await lock.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    await lock.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await migrateTables(connectionString, migrationsFolder);
    // The tables of the job queue, in a schema of their own.
    await runJobMigrations({ connectionString, logger: new Logger(() => () => undefined) });
  } finally {
    await lock.end(); // releases it
  }
}

async function migrateTables(connectionString: string, migrationsFolder: string): Promise<void> {
  const client = await connectAs(MigrationClient, connectionString, NAME);
  try {
    // The role of a server behind a pooler has a limit that is meant for queries.
    if (await isServerItself(client)) await client.query('SET statement_timeout = 0');
    if (await isDistributed(client)) client.afterStatement = await spreadNewTables(client);
    await runMigrations(drizzle(client), { migrationsFolder });
  } finally {
    await client.end();
  }
}

/** Does something after each statement of a migration and before the next one. */
class MigrationClient extends InterceptingClient {
  afterStatement: (() => Promise<void>) | null = null;

  protected override intercept(send: SendQuery, parameters: readonly unknown[]): unknown {
    const result = send(...parameters);
    const { afterStatement } = this;
    if (!(result instanceof Promise) || afterStatement === null) return result;
    return result.then(async (answer: unknown) => {
      this.afterStatement = null; // its own statements are none of the migration
      await afterStatement();
      this.afterStatement = afterStatement;
      return answer;
    });
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
