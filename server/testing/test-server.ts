import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { projectFolder } from '#server/kernel/project-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServerConnectionString: string;
  }
}

/** The migrated database that every test database is a copy of. */
export const TEMPLATE_DATABASE = 'pitboard_template';

/**
 * One PostgreSQL for a whole run of the tests, on files that are thrown away afterwards; nothing is flushed to
 * the disk, for speed. PITBOARD_POSTGRES_BIN runs the same tests on another PostgreSQL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-test-'));
  const server = await startEmbeddedPostgres({
    folder: join(folder, 'database'),
    binFolder: process.env['PITBOARD_POSTGRES_BIN'] ?? null,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  await makeTemplate(server.connectionString);
  project.provide('testServerConnectionString', server.connectionString);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function makeTemplate(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await client.end();
  if (existsSync(join(projectFolder, 'server/kernel/database/migrations/meta/_journal.json'))) {
    await migrate(connectionString.replace(/\/postgres(?=\?|$)/, `/${TEMPLATE_DATABASE}`));
  }
}
