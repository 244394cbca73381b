import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { DATABASE_USER, prepareCluster } from '#server/kernel/database/postgres-cluster.ts';
import {
  asAccount,
  findPostgresProgram,
  PROGRAM_ENVIRONMENT,
  type PostgresProgram,
} from '#server/kernel/database/postgres-program.ts';
import { until } from '../faults/processes.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';

/** One PostgreSQL server on this computer. */
export type PostgresServer = {
  port: number;
  connectionString: string;
  query: <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** Ends it without any warning. */
  kill: () => Promise<void>;
  /** Starts it again on its files. */
  start: () => Promise<void>;
};

/** A primary and its streaming replica. */
export type PostgresPair = {
  primary: PostgresServer;
  replica: PostgresServer;
  /** Sets whether a commit waits until the replica has it on its disk too, as it does at first. */
  setSynchronous: (isSynchronous: boolean) => Promise<void>;
  remove: () => Promise<void>;
};

export const PASSWORD = 'of-the-tests';
const SETTINGS = { shared_buffers: '32MB', jit: 'off', wal_keep_size: '256MB', timezone: 'UTC' };

/** Starts both, from the programs of the embedded PostgreSQL or of those that PITBOARD_POSTGRES_BIN names. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-replica-'));
  const folders = { primary: join(folder, 'primary'), replica: join(folder, 'replica') };
  const program = await findPostgresProgram(folders.primary, process.env['PITBOARD_POSTGRES_BIN'] ?? null);
  await prepareCluster(program, folders.primary, PASSWORD);
  // A cluster that has never run is a base backup of itself.
  await promisify(execFile)('cp', ['-a', folders.primary, folders.replica]);
  await writeFile(join(folders.replica, 'standby.signal'), '');
  const primary = makeServer(program, folders.primary, await findFreePort());
  await primary.start();
  // Not before: the same port could be found twice.
  const replica = makeServer(program, folders.replica, await findFreePort(), {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${DATABASE_USER} password=${PASSWORD}`,
  });
  const remove = async (): Promise<void> => {
    await Promise.all([primary.kill(), replica.kill()]);
    await rm(folder, { recursive: true, force: true });
  };
  const setSynchronous = async (isSynchronous: boolean): Promise<void> => {
    // A name of its own for each replica would be safer; here is only one.
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? '*' : ''}'`);
    await primary.query('SELECT pg_reload_conf()');
    await until(async () => {
      const rows = await primary.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
      return rows.length === (isSynchronous ? 1 : 0);
    });
  };
  try {
    await replica.start();
    await setSynchronous(true);
  } catch (error) {
    await remove();
    throw error;
  }
  return { primary, replica, setSynchronous, remove };
}

/** Runs one statement over a connection of its own. */
export async function queryOnce<Row extends QueryResultRow>(
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A server on the files of `folder`, which is not started yet; servers reach each other with the password. */
export function makeServer(
  program: PostgresProgram,
  folder: string,
  port: number,
  settings: Record<string, string> = {},
): PostgresServer {
  const connectionString = `postgresql://${DATABASE_USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const all = {
    ...SETTINGS,
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
  };
  let child: ChildProcess | null = null;
  return {
    port,
    connectionString,
    query: (text, values) => queryOnce(connectionString, text, values),
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    start: async () => {
      const parameters = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const started = spawn(join(program.binFolder, 'postgres'), ['-D', folder, ...parameters], {
        ...asAccount(program.account),
        env: { ...PROGRAM_ENVIRONMENT, PGPASSWORD: PASSWORD },
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child = started;
      const messages: string[] = [];
      started.stderr.setEncoding('utf8').on('data', (text: string) => messages.push(text));
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${messages.join('')}`);
        return queryOnce(connectionString, 'SELECT 1').then(
          () => true,
          () => false,
        );
      });
    },
  };
}
