import { runOnce } from 'graphile-worker';
import { pino } from 'pino';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import type { JobHandler } from '#server/kernel/jobs/job.ts';
import { JOB_PRESET, toJobLogger, toTaskList } from '#server/kernel/jobs/start-jobs.ts';

/** Runs every job that is due, one after the other, until there is none; those that fail stay for a later attempt. */
export async function runJobs({ pool }: OpenDatabase, handlers: readonly JobHandler[]): Promise<void> {
  const logger = toJobLogger(pino({ level: 'silent' }));
  const taskList = toTaskList(handlers, new AbortController().signal);
  await runOnce({ pgPool: pool, logger, taskList, noHandleSignals: true, preset: JOB_PRESET });
}
