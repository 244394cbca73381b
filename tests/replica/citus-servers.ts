import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distribute } from '#server/kernel/database/distribute.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { prepareCluster } from '#server/kernel/database/postgres-cluster.ts';
import { findPostgresProgram } from '#server/kernel/database/postgres-program.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';
import { CITUS_NODES, createCitusDatabase } from '#server/testing/citus-nodes.ts';
import { makeServer, PASSWORD, queryOnce, type PostgresServer } from './postgres-pair.ts';

/** A Citus of one coordinator and two workers on ports of this computer, with Pitboard's tables spread over them. */
export type CitusServers = Pick<PostgresServer, 'connectionString' | 'query'> & {
  /** The coordinator is the first. */
  servers: PostgresServer[];
  /** Starts one more server with Citus, which the coordinator does not know yet. */
  startNode: (name: string) => Promise<PostgresServer>;
  remove: () => Promise<void>;
};

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '200',
  max_prepared_transactions: '200',
  max_worker_processes: '40',
  'citus.node_conninfo': 'sslmode=prefer',
};
const SHARD_COUNT = 6;

/** Starts the servers from the programs in `binFolder`, of a PostgreSQL that has Citus. */
export async function startCitusServers(binFolder: string): Promise<CitusServers> {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-citus-'));
  const servers: PostgresServer[] = [];
  const startNode = async (name: string): Promise<PostgresServer> => {
    const own = join(folder, name);
    const program = await findPostgresProgram(own, binFolder);
    await prepareCluster(program, own, PASSWORD);
    const server = makeServer(program, own, await findFreePort(), SETTINGS);
    servers.push(server);
    await server.start();
    return server;
  };
  const remove = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.kill()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // One after the other: the same port could be found twice.
    for (const name of CITUS_NODES) await startNode(name);
    const addresses = servers.map((server) => server.connectionString);
    const connectionString = await createCitusDatabase(addresses, 'pitboard');
    await migrate(connectionString);
    await distribute(connectionString, SHARD_COUNT);
    const query: PostgresServer['query'] = (text, values) => queryOnce(connectionString, text, values);
    return { connectionString, query, servers, startNode, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
