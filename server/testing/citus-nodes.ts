import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';

/** A Citus of one coordinator and two workers, reached through sockets. */
export type CitusNodes = {
  /** The servers, as the connection string of the database `postgres` of each; the coordinator is the first. */
  connectionStrings: string[];
  stop: () => Promise<void>;
};

/** Their folders. */
export const CITUS_NODES = ['coordinator', 'worker-1', 'worker-2'];

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '300',
  max_prepared_transactions: '300',
  // Each database has a worker that maintains it.
  max_worker_processes: '100',
  max_locks_per_transaction: '256',
};

/** Starts three servers from programs that have Citus, with files below `folder`. */
export async function startCitusNodes(
  folder: string,
  binFolder: string | null,
  settings: Record<string, string> = {},
): Promise<CitusNodes> {
  const servers = await Promise.all(
    CITUS_NODES.map((name) =>
      startEmbeddedPostgres({
        folder: join(folder, name),
        binFolder,
        settings: { ...SETTINGS, ...settings },
      }),
    ),
  );
  return {
    connectionStrings: servers.map(({ connectionString }) => connectionString),
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

/** Makes an empty database with Citus at all nodes; gives the connection string of that at the coordinator. */
export async function createCitusDatabase(
  connectionStrings: readonly string[],
  name: string,
): Promise<string> {
  const databases = connectionStrings.map((server) => inDatabase(server, name));
  await Promise.all(connectionStrings.map((server) => runOn(server, `CREATE DATABASE ${name}`)));
  await Promise.all(databases.map((database) => runOn(database, 'CREATE EXTENSION citus')));
  const [coordinator = '', ...workers] = databases;
  await runOn(coordinator, `SELECT citus_set_coordinator_host(${addressOf(coordinator)})`);
  for (const worker of workers) await runOn(coordinator, `SELECT citus_add_node(${addressOf(worker)})`);
  return coordinator;
}

/** The servers of a Citus that runs already, of which `coordinator` is the address; they are reached with the same user. */
export async function findCitusNodes(coordinator: string): Promise<string[]> {
  const rows = await runOn(
    coordinator,
    "SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid",
  );
  return rows.map(({ nodename, nodeport }) => {
    const url = new URL(coordinator);
    url.hostname = String(nodename);
    url.port = String(nodeport);
    return inDatabase(url.href, 'postgres');
  });
}

/** The same server, another database. */
export function inDatabase(connectionString: string, name: string): string {
  return connectionString.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);
}

function addressOf(connectionString: string): string {
  const { host, port } = new Client({ connectionString });
  return `'${host}', ${port}`;
}

export async function runOn(connectionString: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
