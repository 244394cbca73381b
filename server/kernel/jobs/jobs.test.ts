import { once } from 'node:events';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { runJobs } from '#server/testing/run-jobs.ts';
import { useTestDatabase } from '#server/testing/test-database.ts';
import { defineJob, handleJob, type JobHandler } from './job.ts';
import {
  addJob,
  deleteFailedJobs,
  deleteJobsAbout,
  deleteOldJobRuns,
  listJobRuns,
  listJobs,
  releaseAbandonedJobs,
} from './job-store.ts';
import { startJobs } from './start-jobs.ts';

const opened = useTestDatabase();

afterEach(() => query('DELETE FROM graphile_worker._private_jobs'));

const query = (text: string) => opened.database.pool.query(text);
const run = (...handlers: JobHandler[]) => runJobs(opened.database, handlers);
const list = () => listJobs(opened.database.db, 100);

const greet = defineJob({ name: 'greet', payload: z.object({ name: z.string() }), attemptsMax: 2 });

const lockSince = (minutes: number) =>
  query(
    `UPDATE graphile_worker._private_jobs SET locked_by = 'killed', locked_at = now() - interval '${minutes} minutes'`,
  );

function start(handlers: JobHandler[], isOnlyServer = false) {
  const { connectionString } = opened;
  const log = pino({ level: 'silent' });
  return startJobs({ connectionString, log, handlers, schedule: [], isOnlyServer });
}

test('a job runs once its transaction is committed, and never where that fails', async () => {
  const greeted: string[] = [];
  const handler = handleJob(greet, async ({ name }) => void greeted.push(name));
  await run(handler); // the first worker makes the kind of job known
  await opened.database.db.transaction(async (tx) => {
    await addJob(tx, greet, { name: 'Ana' });
    await run(handler);
    expect(greeted).toEqual([]);
  });
  const failing = opened.database.db.transaction(async (tx) => {
    await addJob(tx, greet, { name: 'Bo' });
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  await run(handler);
  expect(greeted).toEqual(['Ana']);
  expect(await list()).toEqual({ jobs: [], total: 0, failed: 0 });
});

test('a job that fails is tried again later, as often as it may be, and then stays with its error', async () => {
  await addJob(opened.database.db, greet, { name: 'Ana' });
  const handler = handleJob(greet, () => Promise.reject(new Error('No voice.')));
  await run(handler);
  const [waiting] = (await list()).jobs;
  expect(waiting).toMatchObject({ name: 'greet', state: 'retrying', attempts: 1, attemptsMax: 2 });
  expect(Date.parse(waiting?.runAt ?? '')).toBeGreaterThan(Date.parse(waiting?.createdAt ?? ''));
  await query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await run(handler);
  const failed = await list();
  expect(failed).toMatchObject({ total: 1, failed: 1, jobs: [{ state: 'failed', attempts: 2 }] });
  expect(failed.jobs[0]?.lastError).toContain('No voice.');
  await run(handler);
  expect(await list()).toEqual(failed);

  expect(await deleteFailedJobs(opened.database.db, 30)).toBe(0);
  await query("UPDATE graphile_worker._private_jobs SET updated_at = now() - interval '31 days'");
  expect(await deleteFailedJobs(opened.database.db, 30)).toBe(1);
  expect((await list()).total).toBe(0);
});

test('a payload that is not what the job takes fails before any work is done', async () => {
  await query(`SELECT graphile_worker.add_job('greet', '{"name": 7}')`);
  const work = vi.fn<() => Promise<void>>();
  await run(handleJob(greet, work));
  expect(work).not.toHaveBeenCalled();
  expect((await list()).jobs[0]?.lastError).toContain('name');
});

test('a job with the key of one that has not begun replaces it', async () => {
  const greeted: string[] = [];
  await addJob(opened.database.db, greet, { name: 'Ana' }, { key: 'one' });
  await addJob(opened.database.db, greet, { name: 'Bo' }, { key: 'one' });
  await addJob(opened.database.db, greet, { name: 'Cy' }, { key: 'two' });
  await run(handleJob(greet, async ({ name }) => void greeted.push(name)));
  expect(greeted).toEqual(['Bo', 'Cy']);
});

test('the jobs about somebody are deleted, and not those about people with a longer address or id', async () => {
  const { db } = opened.database;
  const names = [
    'to Ann@x.org.',
    'joann@x.org',
    'ann@x.org.uk',
    'my-ann@x.org',
    "d'ann@x.org",
    'ann@xyorg',
    'Bo <ann@x.org>, Cy',
  ];
  for (const name of names) await addJob(db, greet, { name });
  await deleteJobsAbout(db, ['ann@x.org', 'a(b']);
  const greeted: string[] = [];
  await run(handleJob(greet, async ({ name }) => void greeted.push(name)));
  expect(greeted).toEqual(['joann@x.org', 'ann@x.org.uk', 'my-ann@x.org', "d'ann@x.org", 'ann@xyorg']);
});

test('jobs of one queue run one after the other on all servers together, and each of them once', async () => {
  const payload = z.object({ index: z.int() });
  const queued = defineJob({ name: 'queued', payload, queue: 'narrow' });
  const free = defineJob({ name: 'free', payload });
  let runningCount = 0;
  let mostRunning = 0;
  const done: number[] = [];
  const handlers = [
    handleJob(queued, async ({ index }) => {
      mostRunning = Math.max(mostRunning, ++runningCount);
      await query('SELECT pg_sleep(0.02)');
      runningCount--;
      done.push(index);
    }),
    handleJob(free, async ({ index }) => void done.push(index)),
  ];
  const servers = [start(handlers), start(handlers)];
  for (let index = 0; index < 10; index++) {
    await addJob(opened.database.db, queued, { index });
    await addJob(opened.database.db, free, { index: 100 + index });
  }
  // Each job begins right after the one before it: ten polls would take longer than this.
  await expect.poll(async () => (await list()).total, { timeout: 18_000 }).toBe(0);
  await Promise.all(servers.map(({ stop }) => stop()));
  expect(done.filter((index) => index < 100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(done.toSorted((a, b) => a - b).slice(10)).toEqual(Array.from({ length: 10 }, (_, i) => 100 + i));
  expect(mostRunning).toBe(1);
});

test('the last runs are kept with their time and why they failed', async () => {
  await query('DELETE FROM job_runs');
  const handler = handleJob(greet, ({ name }) =>
    name === 'Bo' ? Promise.reject(new Error('No voice.')) : Promise.resolve(),
  );
  await addJob(opened.database.db, greet, { name: 'Ana' });
  await addJob(opened.database.db, greet, { name: 'Bo' });
  const server = start([handler]);
  await expect.poll(async () => (await listJobRuns(opened.database.db)).length, { timeout: 20_000 }).toBe(2);
  await server.stop();
  const runs = await listJobRuns(opened.database.db);
  expect(runs).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'greet', error: null }),
      expect.objectContaining({ name: 'greet', error: 'No voice.' }),
    ]),
  );
  expect(Math.abs(Date.parse(runs[0]?.endedAt ?? '') - Date.now())).toBeLessThan(600_000);

  await query(`INSERT INTO job_runs (name, duration_ms) SELECT 'greet', n FROM generate_series(1, 600) AS n`);
  await deleteOldJobRuns(opened.database.db);
  const { rows } = await query('SELECT count(*)::int AS count, count(error)::int AS failed FROM job_runs');
  expect(rows).toEqual([{ count: 501, failed: 1 }]);
  expect(await listJobRuns(opened.database.db)).toHaveLength(26);
});

test('a stop asks running jobs to end, waits for them, and leaves all others for the next server', async () => {
  let begun = false;
  const server = start([
    handleJob(greet, async (_payload, signal) => {
      begun = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await addJob(opened.database.db, greet, { name: 'the rest' });
    }),
  ]);
  await addJob(opened.database.db, greet, { name: 'Ana' });
  await vi.waitUntil(() => begun, 20_000);
  await server.stop();
  expect((await list()).jobs).toMatchObject([{ name: 'greet', state: 'waiting', attempts: 0 }]);
});

test('a job whose server was killed is taken up by the next one, or after a while by any other', async () => {
  const greeted: string[] = [];
  const handler = handleJob(greet, async ({ name }) => void greeted.push(name));
  await addJob(opened.database.db, greet, { name: 'Ana' });
  await lockSince(3);
  await releaseAbandonedJobs(opened.database.db, false);
  await run(handler);
  expect((await list()).jobs).toMatchObject([{ state: 'running' }]);
  await lockSince(5);
  await releaseAbandonedJobs(opened.database.db, false);
  await run(handler);
  expect(greeted).toEqual(['Ana']);

  await addJob(opened.database.db, greet, { name: 'Bo' });
  await lockSince(0);
  const server = start([handler], true);
  await expect.poll(() => greeted, { timeout: 20_000 }).toEqual(['Ana', 'Bo']);
  await server.stop();
});

test('a job that takes long is not taken for abandoned', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const handler = handleJob(greet, (_payload, signal) => once(signal, 'abort').then(() => undefined));
    const server = start([handler]);
    await addJob(opened.database.db, greet, { name: 'Ana' });
    const stateOfJob = async () => (await list()).jobs[0]?.state;
    await vi.waitUntil(async () => (await stateOfJob()) === 'running', 20_000);
    await query("UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 hour'");
    vi.advanceTimersByTime(60_000);
    const isRenewed = async () =>
      (await query("SELECT FROM graphile_worker.jobs WHERE locked_at > now() - interval '1 minute'"))
        .rowCount;
    await vi.waitUntil(async () => (await isRenewed()) === 1, 20_000);
    await releaseAbandonedJobs(opened.database.db, false);
    expect(await stateOfJob()).toBe('running');
    await server.stop();
  } finally {
    vi.useRealTimers();
  }
});

test('jobs go on after the database has broken every connection', async () => {
  const greeted: string[] = [];
  const server = start([handleJob(greet, async ({ name }) => void greeted.push(name))]);
  await addJob(opened.database.db, greet, { name: 'Ana' });
  await expect.poll(() => greeted, { timeout: 20_000 }).toEqual(['Ana']);
  await query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await addJob(opened.database.db, greet, { name: 'Bo' });
  await expect.poll(() => greeted, { timeout: 20_000 }).toEqual(['Ana', 'Bo']);
  await server.stop();
});
