import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  asAccount,
  findPostgresProgram,
  PROGRAM_ENVIRONMENT,
} from '#server/kernel/database/postgres-program.ts';
import { runOn } from './citus-nodes.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';

/** A pgbouncer in transaction mode before a server; fewer connections to that than Pitboard opens, so that they change hands. */
export type Pgbouncer = { connectionString: string; stop: () => Promise<void> };

const SERVER_CONNECTIONS_MAX = 6;
const START_PATIENCE_MS = 10_000;

/** Starts Debian's pgbouncer with its files in `folder`, before the server at `connectionString`, with all databases of it. */
export async function startPgbouncer(
  folder: string,
  connectionString: string,
  binFolder: string | null,
): Promise<Pgbouncer> {
  const { account } = await findPostgresProgram(folder, binFolder);
  await mkdir(folder, { recursive: true });
  if (account) await chown(folder, account.uid, account.gid);
  const { host, port: serverPort, user } = new Client({ connectionString });
  const port = await findFreePort();
  const settingsFile = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=${host} port=${serverPort} user=${user}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${SERVER_CONNECTIONS_MAX}`,
    'max_client_conn = 1000',
    'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout',
  ];
  await writeFile(settingsFile, settings.join('\n'));
  const child = spawn('/usr/sbin/pgbouncer', [settingsFile], {
    ...asAccount(account),
    env: PROGRAM_ENVIRONMENT,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  const address = `postgresql://${user}@127.0.0.1:${port}/postgres`;
  const giveUpAtMs = Date.now() + START_PATIENCE_MS;
  while (!(await answers(address))) {
    if (child.exitCode !== null || Date.now() > giveUpAtMs)
      throw new Error(`pgbouncer did not start:\n${said}`);
    await sleep(50);
  }
  return {
    connectionString: address,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function answers(address: string): Promise<boolean> {
  return runOn(address, 'SELECT 1').then(
    () => true,
    () => false,
  );
}
