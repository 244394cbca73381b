import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { distribute } from '#server/kernel/database/distribute.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import {
  type CitusNodes,
  createCitusDatabase,
  findCitusNodes,
  inDatabase,
  runOn,
  startCitusNodes,
} from './citus-nodes.ts';
import { startPgbouncer } from './pgbouncer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that Pitboard is connected to, or the pgbouncer before it. */
    testServerConnectionString: string;
    /** The server itself, and the others of a Citus. */
    testServers: string[];
  }
}

/** The migrated database that every test database is a copy of. */
export const TEMPLATE_DATABASE = 'pitboard_template';

/**
 * One PostgreSQL for a whole run of the tests, on files that are thrown away afterwards; nothing is flushed to
 * the disk, for speed. PITBOARD_POSTGRES_BIN runs the same tests on another PostgreSQL; with PITBOARD_TEST_CITUS, on three with
 * Citus, started from these programs (`start`) or reached at the address of their coordinator.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-test-'));
  const servers = await startServers(folder, process.env['PITBOARD_TEST_CITUS'] ?? null);
  const [serverConnectionString = ''] = servers.connectionStrings;
  if (servers.connectionStrings.length === 1) await makeTemplate(serverConnectionString);
  else await makeCitusTemplate(servers.connectionStrings);
  const pooler =
    process.env['PITBOARD_TEST_PGBOUNCER'] === undefined
      ? null
      : await startPgbouncer(join(folder, 'pgbouncer'), serverConnectionString, findBinFolder());
  project.provide('testServerConnectionString', pooler?.connectionString ?? serverConnectionString);
  project.provide('testServers', servers.connectionStrings);
  return async () => {
    await pooler?.stop();
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

function findBinFolder(): string | null {
  return process.env['PITBOARD_POSTGRES_BIN'] ?? null;
}

async function startServers(folder: string, citus: string | null): Promise<CitusNodes> {
  const binFolder = findBinFolder();
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  if (citus === 'start') return startCitusNodes(folder, binFolder, settings);
  if (citus !== null) {
    return { connectionStrings: await findCitusNodes(citus), stop: () => Promise.resolve() };
  }
  const { connectionString, stop } = await startEmbeddedPostgres({
    folder: join(folder, 'database'),
    binFolder,
    // No copy follows this server, and no table lives long enough to be cleaned up.
    settings: {
      ...settings,
      max_connections: '200',
      wal_level: 'minimal',
      max_wal_senders: '0',
      autovacuum: 'off',
    },
  });
  return { connectionStrings: [connectionString], stop };
}

async function makeTemplate(connectionString: string): Promise<void> {
  await runOn(connectionString, `CREATE DATABASE ${TEMPLATE_DATABASE}`);
  if (existsSync(join(projectFolder, 'server/kernel/database/migrations/meta/_journal.json'))) {
    await migrate(inDatabase(connectionString, TEMPLATE_DATABASE));
  }
}

// Few shards keep the work that is done for every shard small.
const SHARD_COUNT = 4;

/** A template at every node: a database of Citus is copied like any other, once nothing is connected to it. */
async function makeCitusTemplate(servers: readonly string[]): Promise<void> {
  for (const server of servers) {
    await runOn(server, `DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`);
  }
  const template = await createCitusDatabase(servers, TEMPLATE_DATABASE);
  await migrate(template);
  await distribute(template, SHARD_COUNT);
  for (const server of servers) {
    await runOn(server, `ALTER DATABASE ${TEMPLATE_DATABASE} ALLOW_CONNECTIONS false`);
    await runOn(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${TEMPLATE_DATABASE}'`,
    );
  }
}
