import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import {
  Logger,
  type ParsedCronItem,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import { type Database, type OpenDatabase, openDatabase } from '#server/kernel/database/database.ts';
import { describeError } from '#server/kernel/log/describe-error.ts';
import { defineJob, handleJob, type Job, type JobHandler } from './job.ts';
import {
  deleteFailedJobs,
  deleteOldJobRuns,
  insertJobRun,
  releaseAbandonedJobs,
  renewLocks,
} from './job-store.ts';
import { z } from 'zod';

/** A job that is added again and again, by one of all copies of the server. */
export type ScheduledJob = {
  job: Pick<Job<unknown>, 'name' | 'queue' | 'attemptsMax'>;
  /** The times at which it is added, as in a crontab, in UTC. */
  crontab: string;
};

export type JobDeps = {
  connectionString: string;
  log: FastifyBaseLogger;
  handlers: readonly JobHandler[];
  schedule: readonly ScheduledJob[];
  /** True if no other server works on this database, so that every job that is locked at the start was abandoned. */
  isOnlyServer: boolean;
};

// Long work such as retiming may take one, and everything else the other.
const CONCURRENCY = 2;
// Polling finds jobs where the database cannot notify us, as behind pgbouncer in transaction mode; else they begin at once.
const POLL_INTERVAL_MS = 2_000;
const RESTART_PAUSE_MS = 5_000;
const LOCK_RENEWAL_MS = 60_000;
const FAILED_KEPT_DAYS = 30;

const releaseAbandoned = defineJob({ name: 'release-abandoned-jobs', payload: z.object({}) });
const OWN_SCHEDULE: ScheduledJob = { job: releaseAbandoned, crontab: '*/2 * * * *' };

/**
 * Makes the library wait for the note that a job is done, which it does in batches only: else a database that is unavailable
 * then would end the process, and a stop would leave the job locked.
 */
export const JOB_PRESET = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** Runs jobs until it is stopped, which waits for those that are running. */
export function startJobs(deps: JobDeps): { stop: () => Promise<void> } {
  const { connectionString, log, isOnlyServer } = deps;
  const stopping = new AbortController();
  // The connection that is notified of jobs is silent for hours, so these are apart from those of calls.
  const database = openDatabase(connectionString, {
    silenceMaxMs: 0,
    onConnectionLost: ({ message }) =>
      log.warn({ reason: message }, 'A database connection of the jobs was lost'),
  });
  let runner: Runner | null = null;
  let poolId: string | null = null;
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => (poolId = workerPool.id));
  lookAgainAfterQueuedJobs(events);
  const renewal = setInterval(() => {
    if (poolId === null) return;
    renewLocks(database.db, poolId).catch((error: unknown) => {
      log.warn({ err: error }, 'The locks of running jobs could not be renewed');
    });
  }, LOCK_RENEWAL_MS);
  const running = keepRunning();
  return {
    stop: async () => {
      stopping.abort();
      await runner?.stop().catch(() => undefined); // has stopped by itself
      await running;
      clearInterval(renewal);
      await database.close();
    },
  };

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await releaseAbandonedJobs(database.db, isOnlyServer);
        runner = await run({ ...describeRun(deps, database, stopping.signal), events });
        if (stopping.signal.aborted) await runner.stop();
        await runner.promise;
      } catch (error) {
        log.error({ err: error }, 'Background jobs have stopped and will be started again');
      }
      runner = null;
      await sleep(RESTART_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
}

// A worker looks for its next job while the note that the last one is done is on its way, so the queue still seems taken.
const LOOK_AGAIN_AFTER_MS = [20, 200];

/** Lets a worker look for the next job of a queue once the last one of it is noted as done. */
function lookAgainAfterQueuedJobs(events: WorkerEvents): void {
  let workers: WorkerPool | null = null;
  events.on('pool:create', ({ workerPool }) => {
    workers = workerPool;
  });
  events.on('pool:gracefulShutdown', () => (workers = null));
  events.on('job:complete', ({ job }) => {
    if (job.job_queue_id === null) return;
    for (const afterMs of LOOK_AGAIN_AFTER_MS) setTimeout(() => workers?.nudge(1), afterMs);
  });
}

function describeRun({ log, handlers, schedule }: JobDeps, database: OpenDatabase, signal: AbortSignal) {
  const own = handleJob(releaseAbandoned, async () => {
    await releaseAbandonedJobs(database.db, false);
    await deleteFailedJobs(database.db, FAILED_KEPT_DAYS);
    await deleteOldJobRuns(database.db);
  });
  return {
    pgPool: database.pool,
    logger: toJobLogger(log),
    preset: JOB_PRESET,
    concurrency: CONCURRENCY,
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    noPreparedStatements: true, // which pgbouncer in transaction mode cannot keep
    taskList: toTaskList([...handlers.map((handler) => recordRuns(database.db, log, handler)), own], signal),
    parsedCronItems: [...schedule, OWN_SCHEDULE].flatMap(toCronItems),
  };
}

/** Records when each run ended, how long it took and why it failed, for administrators. */
function recordRuns(db: Database, log: FastifyBaseLogger, { name, run: work }: JobHandler): JobHandler {
  const record = async (beganMs: number, error: string | null): Promise<void> => {
    try {
      await insertJobRun(db, { name, durationMs: Math.round(performance.now() - beganMs), error });
    } catch (cause) {
      log.warn({ err: cause, name }, 'The run of a job could not be recorded');
    }
  };
  return {
    name,
    run: async (payload, signal) => {
      const beganMs = performance.now();
      try {
        await work(payload, signal);
      } catch (error) {
        await record(beganMs, describeError(error).message);
        throw error;
      }
      await record(beganMs, null);
    },
  };
}

export function toTaskList(handlers: readonly JobHandler[], signal: AbortSignal): TaskList {
  return Object.fromEntries(
    handlers.map(({ name, run: work }) => [name, (payload: unknown) => work(payload, signal)]),
  );
}

function toCronItems({ job: { name, queue, attemptsMax }, crontab }: ScheduledJob): ParsedCronItem[] {
  const options = { maxAttempts: attemptsMax, jobKey: name, ...(queue !== null && { queueName: queue }) };
  return parseCronItems([{ task: name, match: crontab, options }]);
}

/** Logs failed jobs only: every job that is done would be a line. */
export function toJobLogger(log: FastifyBaseLogger): Logger {
  return new Logger(() => (level, message, meta) => {
    const error = meta?.['error'];
    const name: string = level;
    if (name === 'error') log.error({ err: error }, message);
    else if (name === 'warning') log.warn({ err: error }, message);
    else log.debug(message);
  });
}
