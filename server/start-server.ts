import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { z } from 'zod';
import { buildApp } from '#server/app.ts';
import { openBackupTarget } from '#server/features/operations/backups/open-target.ts';
import { startBackgroundJobs } from '#server/background-jobs.ts';
import type { Config } from '#server/kernel/config/config.ts';
import { offerSetUp } from '#server/features/sign-in/offer-set-up.ts';
import {
  type DataFolder,
  keepCookieSecret,
  leaveSetUpLink,
  lockDataFolder,
} from '#server/kernel/files/data-folder.ts';
import { type Database, type OpenDatabase, openDatabase } from '#server/kernel/database/database.ts';
import { explainFullDisk, watchDiskSpace } from '#server/kernel/files/disk-space.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { openDemo } from '#server/features/demo/open-demo.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { type Closing, openClosing } from '#server/kernel/process/closing.ts';
import { closeApp, listen } from '#server/kernel/http/listening.ts';
import { openLog } from '#server/kernel/log/logging.ts';
import { type Metrics, openMetrics, type WatchedDeps } from '#server/kernel/metrics/metrics.ts';
import { serveMetrics } from '#server/kernel/metrics/serve-metrics.ts';
import { projectFolder, webFolder } from '#server/kernel/files/project-folder.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { startLapWorkers } from '#server/model/laps/timing/lap-workers.ts';

export type StartOptions = {
  /** Prints the progress at the terminal. */
  print: (line: string) => void;
  /** Reports that the server can no longer work and must be stopped. */
  onFailure: (error: Error) => void;
};

export type StartedServer = {
  version: string;
  /** The link with which the owner's account is made, and the file that contains it; null once there is an owner. */
  setUp: { link: string; file: string } | null;
  /** Finishes the requests in progress and closes everything, within `DRAIN_SECONDS` and `STOP_MS`, whatever hangs. */
  stop: () => Promise<void>;
};

/** A stop takes no longer than this and `DRAIN_SECONDS`. */
export const STOP_MS = 10_000;

// The time that each step of a stop has in any case: together 9 seconds. Quick steps leave theirs to those after them.
const RESERVED_MS = {
  demo: 300,
  // After a failover of the database, the job library may wait for connections that never answer. Jobs are run again by another worker.
  jobs: 2_500,
  metrics: 200,
  requests: 2_500,
  threads: 300,
  connections: 700,
  // After a second of its time the database is stopped at once, and recovers at its next start.
  database: 2_000,
  diskSpace: 200,
  folder: 300,
};
const STEPS_MS = 9_000;

// No query of a page takes this long; one of an account export may.
const SLOW_QUERY_MS = 500;

/** Starts all parts of the server in order; if a step fails, it closes those that are open. */
export async function startServer(config: Config, options: StartOptions): Promise<StartedServer> {
  const closing = openClosing();
  const stop = async (): Promise<void> => {
    const givenUp = await closing.closeAll(STEPS_MS + config.drainMs);
    if (givenUp.length > 0) options.print(`Did not wait any longer for ${givenUp.join(', ')}.`);
  };
  try {
    const version = await readVersion();
    const setUp = await openEverything(config, version, options, closing);
    return { version, setUp, stop };
  } catch (error) {
    await stop();
    throw await explainFullDisk(error, config.dataFolder);
  }
}

async function openEverything(
  config: Config,
  version: string,
  options: StartOptions,
  closing: Closing,
): Promise<StartedServer['setUp']> {
  const { print } = options;
  const startedAt = new Date();
  const stopping = new AbortController();
  const folder = await lockDataFolder(config.dataFolder);
  closing.add('the data folder', RESERVED_MS.folder, folder.release);
  const { log, diskSpace } = await openLogOnDisk(config, folder.path, closing);
  const metrics = config.metricsPort === null ? null : openMetrics();
  const postgres = { ...options, config, folder: folder.path, log, closing };
  const { connectionString, database } = await openTables(postgres, metrics);
  const lapWorkers = startLapWorkers();
  closing.add('threads', RESERVED_MS.threads, lapWorkers.close);
  metrics?.watch({ pools: listPools(database), lapWorkers: lapWorkers.load });
  const storage = await openStorage(config, folder.path);
  const incomingFolder = await emptyFolder(join(folder.path, 'incoming'));
  const shared = { database, storage, lapWorkers, incomingFolder };
  const demo = await openDemo({ ...shared, db: database.db, log }, config.hasDemo);
  const backupTarget = await openBackupTarget(config);
  const cookieSecret = config.cookieSecret ?? (await keepCookieSecret(folder));
  const settings = { ...config, version, cookieSecret };
  const app = await buildApp({
    backupTarget,
    ...shared,
    settings,
    demo,
    webFolder,
    logger: log,
    ...(metrics && { metrics }),
    diskSpace,
    isDraining: () => stopping.signal.aborted,
    deleteSetUpLink: async () => void (await leaveSetUpLink(folder, null)),
  });
  await answerCalls(app, config, metrics, closing);
  const jobDeps = { ...shared, log, settings, downloadFolder: join(folder.path, 'downloads') };
  const backups = backupTarget && { target: backupTarget.storage, keep: config.backupsKept };
  const stopJobs = await startBackgroundJobs(jobDeps, { config, connectionString, startedAt, backups });
  closing.add('background jobs', RESERVED_MS.jobs, stopJobs);
  closing.add('load balancers', config.drainMs, () => drain(stopping, config.drainMs));
  demo.prepare(print);
  closing.add('the demo community', RESERVED_MS.demo, demo.stop);
  const ownDatabase = config.databaseUrl === null ? connectionString : null;
  await folder.announce({ url: config.publicUrl, connectionString: ownDatabase });
  return await findSetUp(config, database.db, folder);
}

type PostgresOptions = StartOptions & {
  config: Config;
  folder: string;
  log: FastifyBaseLogger;
  closing: Closing;
};

/** Opens the database with its tables up to date, and with the libraries. */
async function openTables(
  options: PostgresOptions,
  metrics: Metrics | null,
): Promise<{ connectionString: string; database: OpenDatabase }> {
  const { config, print, log, closing } = options;
  const connectionString = config.databaseUrl ?? (await startPostgres(options));
  print('Bringing the tables up to date, and the tracks and cars of the library in …');
  await migrate(config.databaseDirectUrl ?? connectionString);
  const database = openWatchedDatabase(connectionString, config, log, metrics);
  closing.add('connections to the database', RESERVED_MS.connections, database.close);
  await loadLibraries(database.db);
  return { connectionString, database };
}

async function startPostgres({
  config,
  folder,
  log,
  print,
  onFailure,
  closing,
}: PostgresOptions): Promise<string> {
  print(`Starting the database in ${folder} …`);
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, 'database'),
    binFolder: config.postgresBinFolder,
    onRestart: () => log.error('The database ended unexpectedly and was started again'),
    onFailure,
  });
  closing.add('the database', RESERVED_MS.database, postgres.stop);
  return postgres.connectionString;
}

async function findSetUp(config: Config, db: Database, folder: DataFolder): Promise<StartedServer['setUp']> {
  const link = config.hasOwnAccounts ? await offerSetUp(db, config.publicUrl) : null;
  const file = await leaveSetUpLink(folder, link);
  return link === null ? null : { link, file };
}

async function answerCalls(
  app: FastifyInstance,
  config: Config,
  metrics: Metrics | null,
  closing: Closing,
): Promise<void> {
  closing.add('requests under way', RESERVED_MS.requests, (patienceMs) => closeApp(app, patienceMs));
  await listen(app, config);
  if (!metrics) return;
  const close = await serveMetrics(metrics, { host: config.host, port: config.metricsPort ?? 0 });
  closing.add('metrics', RESERVED_MS.metrics, close);
}

/** Lets load balancers detect that this server stops, while it still answers. */
async function drain(stopping: AbortController, drainMs: number): Promise<void> {
  stopping.abort();
  await sleep(drainMs);
}

async function openLogOnDisk({ databaseUrl, s3, logLevel }: Config, folder: string, closing: Closing) {
  const isEmbedded = databaseUrl === null;
  // Little is written to this disk if database and files are remote.
  const diskSpace = isEmbedded || s3 === null ? await watchDiskSpace(folder) : null;
  if (diskSpace) closing.add('the disk', RESERVED_MS.diskSpace, diskSpace.stop);
  const log = openLog({ level: logLevel, folder: isEmbedded ? folder : null });
  diskSpace?.report(log);
  return { log, diskSpace };
}

function openWatchedDatabase(
  connectionString: string,
  { databaseReplicaUrl, databaseDirectUrl }: Config,
  log: FastifyBaseLogger,
  metrics: Metrics | null,
): OpenDatabase {
  return openDatabase(connectionString, {
    directConnectionString: databaseDirectUrl ?? connectionString,
    replicaConnectionString: databaseReplicaUrl,
    onReplicaUnavailable: (error) =>
      log.warn({ err: error }, 'The replica cannot be used; reads go to the primary'),
    onPooler: () =>
      log.warn(
        'The database is behind a pooler, which passes no notifications: live sessions are up to a second late, notices up to 3. Set DATABASE_DIRECT_URL to the address of the PostgreSQL server itself',
      ),
    // Only the message is logged: the error contains the whole connection.
    onConnectionLost: ({ message }) => log.warn({ reason: message }, 'A database connection was lost'),
    onQuery: (query, ms) => {
      if (ms < SLOW_QUERY_MS) return;
      metrics?.countSlowQuery();
      log.warn({ query, ms: Math.round(ms) }, 'A query was slow');
    },
  });
}

function listPools({ pool, replicaPool }: OpenDatabase): WatchedDeps['pools'] {
  const primary = { database: 'primary', pool } as const;
  return replicaPool ? [primary, { database: 'replica', pool: replicaPool }] : [primary];
}

/** Empties the folder for incoming files: those of a killed server are incomplete. */
async function emptyFolder(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

async function readVersion(): Promise<string> {
  const text = await readFile(join(projectFolder, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
