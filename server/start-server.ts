import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { keepCookieSecret, lockDataFolder } from './data-folder.ts';
import { openDatabase } from './db/database.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { loadLibraries } from './db/load-libraries.ts';
import { migrate } from './db/migrate.ts';
import { openLog } from './logging.ts';
import { projectFolder, webFolder } from './project-folder.ts';
import { StartError } from './start-error.ts';
import { openStorage } from './storage/open-storage.ts';
import { startSweeping } from './start-sweeping.ts';
import { startLapWorkers } from './workers/lap-workers.ts';

export type StartOptions = {
  /** Told, in words for a person, what is being done. */
  say: (line: string) => void;
  /** Told when the server can no longer work and must be stopped. */
  onFailure: (error: Error) => void;
};

export type StartedServer = {
  version: string;
  /** Finishes the requests under way, within limits, and closes everything. */
  stop: () => Promise<void>;
};

// A large upload over a slow line may be cut off here; its client sees that it was not accepted.
const REQUESTS_PATIENCE_MS = 10_000;
const IDLE_CHECK_INTERVAL_MS = 50;
const POOL_PATIENCE_MS = 2_000;

/** Starts everything that a server consists of, in order; what was opened is closed again when a step fails. */
export async function startServer(config: Config, options: StartOptions): Promise<StartedServer> {
  const opened: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = opened.pop(); close; close = opened.pop()) await close();
  };
  try {
    const version = await readVersion();
    await openEverything(config, version, options, (close) => opened.push(close));
    return { version, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type OnClose = (close: () => Promise<void>) => void;

async function openEverything(
  config: Config,
  version: string,
  { say, onFailure }: StartOptions,
  onClose: OnClose,
): Promise<void> {
  const startMs = Date.now();
  const isEmbedded = config.databaseUrl === null;
  const folder = await lockDataFolder(config.dataFolder);
  onClose(folder.release);
  const log = await openLog({ level: config.logLevel, folder: isEmbedded ? folder.path : null });
  const connectionString = config.databaseUrl ?? (await startPostgres());
  say('Bringing the tables up to date, and the tracks and cars of the library in …');
  await migrate(connectionString);
  const database = openDatabase(connectionString, {
    onConnectionLost: (error) => log.warn({ err: error }, 'A database connection was lost'),
  });
  onClose(() => closeWithin(POOL_PATIENCE_MS, database.close()));
  await loadLibraries(database.db);
  const lapWorkers = startLapWorkers();
  onClose(() => lapWorkers.close());
  const storage = await openStorage(config, folder.path);
  const app = await buildApp({
    settings: { ...config, version, cookieSecret: config.cookieSecret ?? (await keepCookieSecret(folder)) },
    database,
    storage,
    lapWorkers,
    incomingFolder: await emptyFolder(join(folder.path, 'incoming')),
    webFolder,
    logger: log,
  });
  onClose(() => closeApp(app));
  await listen(app, config);
  onClose(
    startSweeping({ storage, db: database.db, log, serverStartMs: startMs, isShared: config.s3 !== null }),
  );
  await folder.announce({ url: config.publicUrl, connectionString: isEmbedded ? connectionString : null });

  async function startPostgres(): Promise<string> {
    say(`Starting the database in ${folder.path} …`);
    const postgres = await startEmbeddedPostgres({
      folder: join(folder.path, 'database'),
      binFolder: config.postgresBinFolder,
      onRestart: () => log.error('The database ended unexpectedly and was started again'),
      onFailure,
    });
    onClose(postgres.stop);
    return postgres.connectionString;
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: () => `Listening on ${host}:${port}` });
  } catch (cause) {
    throw new StartError(describeListenError(cause, host, port), { cause });
  }
}

function describeListenError(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const hint = `Choose another port, for example PORT=${port + 1} npm start.`;
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program. ${hint}`;
  if (code === 'EACCES') return `This account may not listen on port ${port}. ${hint}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this computer.`;
  return `Pitboard cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}

async function closeApp(app: FastifyInstance): Promise<void> {
  // A connection that was busy when the server stopped listening would stay open for the next request, which never comes.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  const cutOff = setTimeout(() => app.server.closeAllConnections(), REQUESTS_PATIENCE_MS);
  await app.close();
  clearInterval(closeIdle);
  clearTimeout(cutOff);
}

/** A folder for files on their way in: those of a server that was killed never arrived. */
async function emptyFolder(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** Waits for `closing`, but not for ever: a query that hangs is cut off when the database is stopped. */
async function closeWithin(patienceMs: number, closing: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([closing, new Promise((resolve) => (timer = setTimeout(resolve, patienceMs)))]);
  clearTimeout(timer);
}

async function readVersion(): Promise<string> {
  const text = await readFile(join(projectFolder, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
