import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { openDatabase, type OpenDatabase } from '#server/kernel/database/database.ts';
import { inDatabase, runOn } from './citus-nodes.ts';
import { TEMPLATE_DATABASE } from './test-server.ts';

/** A migrated, empty database of its own. */
export type TestDatabase = {
  connectionString: string;
  /** The same database without the pooler that there may be. */
  directConnectionString: string;
  /** Removes it and closes the connections that are still open. */
  drop: () => Promise<void>;
};

/**
 * Makes a database for one test file, as a copy of the migrated template (some 30 ms). Call it in `beforeAll`,
 * open it with `openDatabase`, and in `afterAll` close that first, then `drop` this.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const servers = inject('testServers');
  const onAll = (statement: string) => Promise.all(servers.map((server) => runOn(server, statement)));
  const name = `test_${randomBytes(6).toString('hex')}`;
  // To copy the files takes half of the time that it takes to log every page.
  await onAll(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`);
  // As `distribute` says to the database of which this is a copy, which settings do not follow.
  const [coordinator = ''] = servers;
  if (servers.length > 1) {
    await runOn(coordinator, `ALTER DATABASE ${name} SET citus.multi_shard_modify_mode = 'sequential'`);
  }
  return {
    connectionString: inDatabase(inject('testServerConnectionString'), name),
    directConnectionString: inDatabase(coordinator, name),
    drop: () => dropDatabase(servers, name),
  };
}

const DROPS_AGAIN_MAX = 9;

/** Drops a database at all servers. A worker of Citus that connects again meanwhile may hold it for a moment. */
export async function dropDatabase(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers) {
    const drop = () => runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    let dropped = drop();
    for (let again = 0; again < DROPS_AGAIN_MAX; again++) dropped = dropped.catch(drop);
    await dropped;
  }
}

/** One that is open; `close` removes it. */
export type OpenTestDatabase = Omit<TestDatabase, 'drop'> & {
  database: OpenDatabase;
  close: () => Promise<void>;
};

/** Makes and opens a database for one test file: call it in `beforeAll`, and what it gives as `close` in `afterAll`. */
export async function openTestDatabase(): Promise<OpenTestDatabase> {
  const { drop, ...addresses } = await createTestDatabase();
  const database = openDatabase(addresses.connectionString);
  return { ...addresses, database, close: () => database.close().then(drop) };
}
