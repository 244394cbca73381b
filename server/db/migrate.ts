import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { projectFolder } from '#server/project-folder.ts';

const MIGRATIONS_FOLDER = join(projectFolder, 'server', 'db', 'migrations');

// Any number that no other program locks in the same database.
const MIGRATION_LOCK = 7_248_001;

/**
 * Brings the tables of the database at `connectionString` up to date.
 * Copies of the server that start together take turns; a database that is up to date is left alone.
 */
export async function migrate(connectionString: string): Promise<void> {
  // A connection of its own: the lock belongs to it, and a migration may take longer than any query should.
  const client = new Client({ connectionString, application_name: 'pitboard migrations' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await runMigrations(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER });
  } finally {
    await client.end(); // releases the lock
  }
}
