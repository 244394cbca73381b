import { randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull } from '#server/kernel/files/disk-space.ts';
import { startPostgresChild, type PostgresChild, type PostgresChildOptions } from './postgres-child.ts';
import { DATABASE_USER, prepareCluster } from './postgres-cluster.ts';
import { type Account, EmbeddedPostgresError, findPostgresProgram } from './postgres-program.ts';
import { makeSocketFolder, deleteSocketFolder } from './socket-folder.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';

export type EmbeddedPostgresOptions = {
  /** The folder of the database; it is made when missing. The log is next to it. */
  folder: string;
  /** Folder of another PostgreSQL's `postgres` and `initdb`; null: the one among the installed packages. */
  binFolder?: string | null;
  /** PostgreSQL settings over our own, by name. */
  settings?: Record<string, string>;
  /** Called when PostgreSQL ended by itself and was started again. */
  onRestart?: () => void;
  /** Called when PostgreSQL ended by itself and cannot be started again. */
  onFailure?: (error: Error) => void;
};

/** A PostgreSQL server that belongs to this process: it ends with it, however it ends. */
export type EmbeddedPostgres = {
  connectionString: string;
  /** Stops the server, within `patienceMs` where that is given. */
  stop: (patienceMs?: number) => Promise<void>;
};

type Endpoint = { connectionString: string; settings: Record<string, string>; password: string | null };

const SETTINGS = {
  max_connections: '40',
  shared_buffers: '128MB',
  // Compiling a plan costs more than any of our queries.
  jit: 'off',
  // Rows are read from memory or flash. With PostgreSQL's own 4, made for turning disks, the laps that a lap is compared with
  // take eight times as long.
  random_page_cost: '1.1',
  log_checkpoints: 'off',
  timezone: 'UTC',
};

// Something that ends PostgreSQL again and again is no accident any more.
const RESTARTS_MAX = 3;
const RESTARTS_WINDOW_MS = 60_000;
const FULL_DISK_RETRY_MS = 1_000;

/**
 * Starts PostgreSQL on its own files and waits until it accepts connections.
 * Reached through a socket that only this user may open; on Windows through loopback with a password.
 * When it ends by itself it is started again, a few times; committed changes survive that.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(dirname(options.folder), { recursive: true });
  const folder = join(await realpath(dirname(options.folder)), basename(options.folder));
  const program = await findPostgresProgram(folder, options.binFolder ?? null);
  const endpoint =
    process.platform === 'win32'
      ? await loopbackEndpoint(folder)
      : await socketEndpoint(folder, program.account);
  await prepareCluster(program, folder, endpoint.password);
  return superviseServer(
    {
      program,
      folder,
      settings: { ...SETTINGS, ...endpoint.settings, ...options.settings },
      logFile: `${folder}.log`,
    },
    endpoint,
    options,
  );
}

async function superviseServer(
  childOptions: PostgresChildOptions,
  endpoint: Endpoint,
  { onRestart, onFailure }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  let child: PostgresChild = await startPostgresChild(childOptions);
  let isStopping = false;

  async function keepRunning(): Promise<void> {
    let restartsMs: number[] = [];
    for (;;) {
      await child.ended;
      if (isStopping) return;
      restartsMs = restartsMs.filter((atMs) => atMs > Date.now() - RESTARTS_WINDOW_MS);
      const isFull = await isDiskFull(childOptions.folder);
      if (restartsMs.length >= RESTARTS_MAX && !isFull) {
        throw new EmbeddedPostgresError(
          `The database ended ${restartsMs.length + 1} times within a minute. Its messages are in ${childOptions.logFile}.`,
        );
      }
      restartsMs.push(Date.now());
      const next = await startWithRoom(childOptions, () => isStopping);
      if (next === null) return;
      child = next;
      if (isStopping) return child.stop();
      onRestart?.();
    }
  }
  const kept = keepRunning().catch((error: Error) => onFailure?.(error));

  return {
    connectionString: endpoint.connectionString,
    stop: async (patienceMs) => {
      isStopping = true;
      await child.stop(patienceMs);
      await kept;
      const socketFolder = endpoint.settings['unix_socket_directories'];
      if (socketFolder) await deleteSocketFolder(socketFolder);
    },
  };
}

/** Waits for room where the disk is full; null where the server is stopped meanwhile. */
async function startWithRoom(
  options: PostgresChildOptions,
  isStopping: () => boolean,
): Promise<PostgresChild | null> {
  while (!isStopping()) {
    try {
      return await startPostgresChild(options);
    } catch (error) {
      if (!(await isDiskFull(options.folder))) throw error;
      await sleep(FULL_DISK_RETRY_MS);
    }
  }
  return null;
}

/** The socket lies in a folder that only the account of the server may enter; no password is needed there. */
async function socketEndpoint(folder: string, account: Account | null): Promise<Endpoint> {
  const socketFolder = await makeSocketFolder(folder, account);
  return {
    connectionString: `postgresql://${DATABASE_USER}@/postgres?host=${encodeURIComponent(socketFolder)}`,
    settings: {
      listen_addresses: '',
      unix_socket_directories: socketFolder,
      unix_socket_permissions: '0700',
    },
    password: null,
  };
}

async function loopbackEndpoint(folder: string): Promise<Endpoint> {
  const passwordFile = `${folder}.password`;
  const known = await readFile(passwordFile, 'utf8').catch(() => null);
  const password = known ?? randomBytes(24).toString('hex');
  if (known === null) await writeFile(passwordFile, password, { mode: 0o600 });
  const port = await findFreePort();
  return {
    connectionString: `postgresql://${DATABASE_USER}:${password}@127.0.0.1:${port}/postgres`,
    settings: { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' },
    password,
  };
}
