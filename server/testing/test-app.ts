import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from '#server/app.ts';
import type { AppSettings } from '#server/model/services.ts';
import { listJobHandlers } from '#server/background-jobs.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { listWrongSessionBests } from '#server/model/boards/session-bests-store.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { type LapWorkers, startLapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { watchAuditedCalls } from './audited-calls.ts';
import { runJobs } from './run-jobs.ts';
import { openTestDatabase } from './test-database.ts';
import { openTestStorage } from './test-storage.ts';

/** The whole app on a database of its own. */
export type TestApp = {
  app: FastifyInstance;
  database: OpenDatabase;
  storage: Storage;
  incomingFolder: string;
  /** Shared by all test files of a process; not to be closed. */
  lapWorkers: LapWorkers;
  /** Runs all background jobs that are due. */
  runJobs: () => Promise<void>;
  close: () => Promise<void>;
};

const SETTINGS: AppSettings = {
  version: '1.2.3',
  publicUrl: 'http://localhost:4200',
  cookieSecret: 'a secret that only the tests know',
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

/** One pool for all test files of a process, which ends with it: to load the sources takes a thread half a second. */
function sharedLapWorkers(): LapWorkers {
  sharedWorkers ??= startLapWorkers();
  return sharedWorkers;
}

type TestAppOptions = Pick<AppOptions, 'metrics' | 'isDraining' | 'demo' | 'renderer' | 'backupTarget'> & {
  settings?: Partial<AppSettings>;
  webFolder?: string;
  /** Of another app, for two that work side by side; not closed with this one. */
  database?: OpenDatabase;
  /** Every call is made, with values that may change nothing: then no audit entry is expected. */
  callsAreBlind?: true;
};

/**
 * Builds the app for one test file: call it in `beforeAll`, and what it gives as `close` in `afterAll`, which
 * fails where any test has left boards other than the laps say, or an endpoint wrote no audit entry that it declares.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const own = options.database ? null : await openTestDatabase();
  const database = options.database ?? own?.database;
  if (!database) throw new Error('There is no database.');
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-app-'));
  const storage = await openTestStorage(join(folder, 'files'));
  const incomingFolder = join(folder, 'incoming');
  await mkdir(incomingFolder);
  const lapWorkers = sharedLapWorkers();
  const settings = { ...SETTINGS, ...options.settings };
  const { metrics, isDraining, demo, renderer, backupTarget } = options;
  const auditedCalls = watchAuditedCalls();
  const app = await buildApp({
    ...(metrics && { metrics }),
    ...(isDraining && { isDraining }),
    ...(demo && { demo }),
    ...(renderer && { renderer }),
    ...(backupTarget && { backupTarget }),
    settings,
    database,
    storage,
    lapWorkers,
    incomingFolder,
    webFolder: options.webFolder ?? join(projectFolder, 'no-web-client-here'),
  });
  auditedCalls.stop();
  return {
    app,
    database,
    storage,
    incomingFolder,
    lapWorkers,
    runJobs: () =>
      runJobs(
        database,
        listJobHandlers({ database, storage, lapWorkers, incomingFolder, log: app.log, settings }),
      ),
    close: async () => {
      await app.close();
      // A database that is shared is looked at by the test that made it.
      const unaudited = options.callsAreBlind ? [] : await auditedCalls.listUnaudited(database.db);
      const wrong = own ? await listWrongSessionBests(database.db) : [];
      await own?.close();
      await rm(folder, { recursive: true, force: true });
      if (wrong.length > 0)
        throw new Error(`Boards are not what the laps say: sessions ${wrong.join(', ')}.`);
      if (unaudited.length > 0)
        throw new Error(`These calls wrote no audit entry that they declare: ${unaudited.join(', ')}.`);
    },
  };
}
