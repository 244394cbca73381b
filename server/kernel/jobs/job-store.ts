import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type JobList, jobListSchema, type JobRun, jobRunSchema } from '#contract/operations/jobs.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { jobRuns } from './job-run-schema.ts';
import type { Job } from './job.ts';
import { isoMilliseconds } from '#server/kernel/database/query-rows.ts';

/**
 * A job replaces one of the same `key` that has not begun, and runs when that would have, or `delaySeconds` later. With
 * `movesTime` it runs `delaySeconds` later in any case.
 */
export type JobOptions = { key?: string; delaySeconds?: number; movesTime?: boolean };

/** Adds a job, which runs once the transaction `tx` is committed; nothing remains of it where that fails. */
export async function addJob<Payload>(
  tx: Database,
  { name, queue, attemptsMax }: Job<Payload>,
  payload: Payload,
  { key, delaySeconds, movesTime = delaySeconds === undefined }: JobOptions = {},
): Promise<void> {
  await tx.execute(sql`
    SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, queue_name => ${queue}::text,
      max_attempts => ${attemptsMax}::int, job_key => ${key ?? null}::text,
      run_at => now() + ${delaySeconds ?? 0}::float8 * interval '1 second',
      job_key_mode => ${movesTime ? 'replace' : 'preserve_run_at'}::text)`);
}

/** Renews the locks of the jobs of a pool of workers. The library has no call for it (docs/decisions/0013). */
export async function renewLocks(db: Database, poolId: string): Promise<void> {
  for (const table of ['_private_jobs', '_private_job_queues']) {
    await db.execute(sql`
      UPDATE graphile_worker.${sql.identifier(table)} SET locked_at = now() WHERE locked_by = ${poolId}`);
  }
}

// Servers renew the locks of their jobs every minute.
const ABANDONED_AFTER = sql`interval '4 minutes'`;

/** Frees jobs of killed servers: those locked for too long or, where `isOnlyServer`, all that are locked. */
export async function releaseAbandonedJobs(db: Database, isOnlyServer: boolean): Promise<void> {
  await db.execute(sql`
    SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
    FROM graphile_worker.jobs
    WHERE locked_by IS NOT NULL AND (${isOnlyServer} OR locked_at < now() - ${ABANDONED_AFTER})`);
}

const jobRows = z.array(z.object({ id: z.string() }));

/** Deletes jobs that have failed for good and were last tried before so many days; returns their number. */
export async function deleteFailedJobs(db: Database, days: number): Promise<number> {
  const { rows } = await db.execute(sql`
    SELECT id::text AS id FROM graphile_worker.complete_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs
      WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - ${days}::int * interval '1 day'
    ))`);
  return jobRows.parse(rows).length;
}

export async function deleteWaitingJobs(tx: Database): Promise<void> {
  await tx.execute(sql`
    SELECT FROM graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs WHERE locked_at IS NULL))`);
}

/** Deletes the jobs that do not run and whose payload holds one of these ids and addresses, and not only as a part of a longer one. */
export async function deleteJobsAbout(tx: Database, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const escaped = text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    const pattern = String.raw`(?<![\w.+'-])${escaped}(?![\w-]|\.\w)`;
    await tx.execute(sql`
      SELECT FROM graphile_worker.complete_jobs(ARRAY(
        SELECT id FROM graphile_worker._private_jobs
        WHERE locked_at IS NULL AND payload::text ~* ${pattern}
      ))`);
  }
}

/** Returns whether a job of this name waits or runs. */
export async function isUnderWay(db: Database, { name }: Pick<Job<unknown>, 'name'>): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT FROM graphile_worker.jobs
    WHERE task_identifier = ${name} AND (locked_at IS NOT NULL OR attempts < max_attempts) LIMIT 1`);
  return rows.length > 0;
}

/** Lists the jobs that are not done: failed ones first, then running ones, then in the order in which they are due. */
export async function listJobs(db: Database, limit: number): Promise<JobList> {
  const { rows } = await db.execute(sql`
    WITH jobs AS (
      SELECT *, CASE
          WHEN locked_at IS NOT NULL THEN 'running'
          WHEN attempts >= max_attempts THEN 'failed'
          WHEN attempts > 0 THEN 'retrying'
          ELSE 'waiting'
        END AS state
      FROM graphile_worker.jobs
    )
    SELECT count(*)::int AS total, count(*) FILTER (WHERE state = 'failed')::int AS failed,
      coalesce((
        SELECT json_agg(listed ORDER BY position)
        FROM (
          SELECT id::text AS id, task_identifier AS name, queue_name AS queue, state, attempts,
            max_attempts AS "attemptsMax", last_error AS "lastError",
            ${sql.raw(isoMilliseconds('created_at'))} AS "createdAt",
            ${sql.raw(isoMilliseconds('run_at'))} AS "runAt",
            row_number() OVER (
              ORDER BY array_position(ARRAY['failed', 'running', 'retrying', 'waiting'], state), run_at, id
            ) AS position
          FROM jobs ORDER BY position LIMIT ${limit}
        ) AS listed
      ), '[]') AS jobs
    FROM jobs`);
  return jobListSchema.parse(rows[0]);
}

// So many that succeeded, and as many that failed.
const RUNS_LISTED = 25;
const RUNS_KEPT = 500;

const runRows = jobRunSchema.array();

/** Lists the last runs that succeeded and the last ones that failed, latest first. */
export async function listJobRuns(db: Database): Promise<JobRun[]> {
  const { rows } = await db.execute(sql`
    SELECT id::text AS id, name, duration_ms AS "durationMs", error,
      ${sql.raw(isoMilliseconds('ended_at'))} AS "endedAt"
    FROM (
      SELECT *, row_number() OVER (PARTITION BY error IS NULL ORDER BY job_runs.id DESC) AS age FROM job_runs
    ) AS runs
    WHERE age <= ${RUNS_LISTED} ORDER BY runs.id DESC`);
  return runRows.parse(rows);
}

export async function insertJobRun(db: Database, run: typeof jobRuns.$inferInsert): Promise<void> {
  await db.insert(jobRuns).values(run);
}

export async function deleteOldJobRuns(db: Database): Promise<void> {
  await db.execute(sql`
    DELETE FROM job_runs WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY error IS NULL ORDER BY id DESC) AS age FROM job_runs
      ) AS runs
      WHERE age > ${RUNS_KEPT}
    )`);
}
