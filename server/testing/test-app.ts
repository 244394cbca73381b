import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type AppOptions, buildApp } from '#server/app.ts';
import type { AppSettings } from '#server/model/services.ts';
import { listJobHandlers } from '#server/background-jobs.ts';
import type { Database, OpenDatabase } from '#server/kernel/database/database.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { listWrongSessionBests } from './session-bests.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { type LapWorkers, startLapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { watchAuditedCalls } from './audited-calls.ts';
import { runJobs } from './run-jobs.ts';
import { createTestClient, type TestClient } from './test-client.ts';
import { openTestDatabase } from './test-database.ts';
import { openTestStorage } from './test-storage.ts';

type RunningApp = {
  fastify: FastifyInstance;
  database: OpenDatabase;
  storage: Storage;
  incomingFolder: string;
  /** All test files of a process share these, so no test closes them. */
  lapWorkers: LapWorkers;
  /** Runs all background jobs that are due. */
  runJobs: () => Promise<void>;
};

/** Sends headers, such as a cookie or an API token, from an IP address. Null is a guest. */
export type Person = { headers?: object; remoteAddress?: string } | null;

/** The whole app on a database of its own, and clients that call it. */
export type TestApp = RunningApp & {
  db: Database;
  as: (person: Person) => TestClient;
  asGuest: () => TestClient;
};

export const TEST_COOKIE_SECRET = 'a secret that only the tests know';

const SETTINGS: AppSettings = {
  version: '1.2.3',
  publicUrl: 'http://localhost:4200',
  cookieSecret: TEST_COOKIE_SECRET,
  adminEmails: ['admin@pitboard.example'],
  oidc: null,
  hasOwnAccounts: false,
  registration: null,
  trustProxy: 'loopback',
  driverQuotaBytes: 1_000_000_000,
  mapTiles: null,
  mail: null,
  updateUrl: null,
  backupTarget: null,
  webhookLoopback: false,
};

let sharedWorkers: LapWorkers | undefined;

/** Starts one pool for all test files of a process, because a thread loads the sources in half a second. */
function sharedLapWorkers(): LapWorkers {
  sharedWorkers ??= startLapWorkers();
  return sharedWorkers;
}

export type TestAppOptions = Pick<
  AppOptions,
  | 'metrics'
  | 'isDraining'
  | 'demo'
  | 'renderer'
  | 'backupTarget'
  | 'logger'
  | 'deleteSetUpLink'
  | 'noticePollMs'
  | 'publishedSets'
> & {
  settings?: Partial<AppSettings>;
  webFolder?: string;
  /** The database of another app that works side by side with this one; it stays open. */
  database?: OpenDatabase;
  /** Every call is made, with values that may change nothing: then no audit entry is expected. */
  callsAreBlind?: true;
};

/**
 * Starts the app for the tests of one file; call it at the top of the file. The result can be used in hooks and tests.
 * A function gives options that an earlier hook prepares. The end of the file fails if a test has left boards that
 * differ from the laps, or if an endpoint wrote no audit entry that it declares.
 */
export function useTestApp(
  options: TestAppOptions | (() => TestAppOptions | Promise<TestAppOptions>) = {},
): TestApp {
  let running: Awaited<ReturnType<typeof runApp>> | undefined;
  beforeAll(async () => {
    running = await runApp(typeof options === 'function' ? await options() : options);
  });
  afterAll(() => running?.close());
  return toTestApp(() => {
    if (!running) throw new Error('The app starts before the first test.');
    return running;
  });
}

/** Starts one more app within a test, until the test ends. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const running = await runApp(options);
  onTestFinished(() => running.close());
  return toTestApp(() => running);
}

function toTestApp(getApp: () => RunningApp): TestApp {
  const as: TestApp['as'] = (person) =>
    createTestClient(({ headers, ...request }) =>
      getApp().fastify.inject({
        ...request,
        headers: { ...person?.headers, ...headers },
        ...(person?.remoteAddress && { remoteAddress: person.remoteAddress }),
      }),
    );
  return {
    get fastify() {
      return getApp().fastify;
    },
    get database() {
      return getApp().database;
    },
    get db() {
      return getApp().database.db;
    },
    get storage() {
      return getApp().storage;
    },
    get incomingFolder() {
      return getApp().incomingFolder;
    },
    get lapWorkers() {
      return getApp().lapWorkers;
    },
    runJobs: () => getApp().runJobs(),
    as,
    asGuest: () => as(null),
  };
}

async function runApp(options: TestAppOptions): Promise<RunningApp & { close: () => Promise<void> }> {
  const own = options.database ? null : await openTestDatabase();
  const database = options.database ?? own?.database;
  if (!database) throw new Error('There is no database.');
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-app-'));
  const storage = await openTestStorage(join(folder, 'files'));
  const incomingFolder = join(folder, 'incoming');
  await mkdir(incomingFolder);
  const lapWorkers = sharedLapWorkers();
  const settings = { ...SETTINGS, ...options.settings };
  const { settings: _settings, webFolder, database: _database, callsAreBlind = false, ...given } = options;
  const auditedCalls = watchAuditedCalls();
  const fastify = await buildApp({
    ...given,
    settings,
    database,
    storage,
    lapWorkers,
    incomingFolder,
    webFolder: webFolder ?? join(projectFolder, 'no-web-client-here'),
  });
  auditedCalls.stop();
  const downloadFolder = join(folder, 'downloads');
  const { publishedSets } = given;
  const folders = { incomingFolder, downloadFolder };
  const jobs = { database, storage, lapWorkers, log: fastify.log, settings, ...folders };
  return {
    fastify,
    database,
    storage,
    incomingFolder,
    lapWorkers,
    runJobs: () => runJobs(database, listJobHandlers({ ...jobs, ...(publishedSets && { publishedSets }) })),
    close: async () => {
      await fastify.close();
      const unaudited = callsAreBlind ? [] : await auditedCalls.listUnaudited(database.db);
      // The app that opened a shared database checks its boards.
      const wrong = own ? await listWrongSessionBests(database.db) : [];
      await own?.close();
      await rm(folder, { recursive: true, force: true });
      if (wrong.length > 0) throw new Error(`Boards differ from the laps: sessions ${wrong.join(', ')}.`);
      if (unaudited.length > 0)
        throw new Error(`These calls wrote no audit entry that they declare: ${unaudited.join(', ')}.`);
    },
  };
}
