import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
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
  // A copy of the files takes half of the time that a log of every page takes.
  await onAll(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`);
  // `distribute` set this for the template, and a copy has no settings of its template.
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

/** A migrated, empty database that is open. */
export type OpenTestDatabase = Omit<TestDatabase, 'drop'> & { database: OpenDatabase };

/** Makes and opens a database; `close` removes it. */
export async function openTestDatabase(): Promise<OpenTestDatabase & { close: () => Promise<void> }> {
  const { drop, ...addresses } = await createTestDatabase();
  const { connectionString, directConnectionString } = addresses;
  const database = openDatabase(connectionString, { directConnectionString });
  return { ...addresses, database, close: () => database.close().then(drop) };
}

/** Opens a database for the tests of one file; call it at the top of the file. Hooks and tests can use the result. */
export function useTestDatabase(): OpenTestDatabase {
  let opened: Awaited<ReturnType<typeof openTestDatabase>> | undefined;
  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened?.close());
  const getOpened = () => {
    if (!opened) throw new Error('The database is opened before the first test.');
    return opened;
  };
  return {
    get database() {
      return getOpened().database;
    },
    get connectionString() {
      return getOpened().connectionString;
    },
    get directConnectionString() {
      return getOpened().directConnectionString;
    },
  };
}

/** Opens a test database once more, as another copy of the server does; it is closed when the test has finished. */
export function openAgain({ pool }: OpenDatabase): OpenDatabase {
  const { connectionString } = pool.options;
  if (connectionString === undefined) throw new Error('The database has no address.');
  const { database: name = '' } = new Client({ connectionString });
  const [coordinator = ''] = inject('testServers');
  const opened = openDatabase(connectionString, { directConnectionString: inDatabase(coordinator, name) });
  onTestFinished(() => opened.close());
  return opened;
}
