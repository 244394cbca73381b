import { beforeAll, expect, test } from 'vitest';
import type * as slowWorker from '#server/testing/slow-worker.ts';
import { startWorkerPool, type WorkerLimits } from './worker-pool.ts';

const open = (limits: Partial<WorkerLimits>) =>
  startWorkerPool<typeof slowWorker>('testing/slow-worker', 'rest', {
    timeLimitMs: 60_000,
    heapMegabytesMax: 128,
    threadsMax: 1,
    ...limits,
  });

/** A task's time includes the start of a thread, so a busy machine gets more of it. */
let timeLimitMs = 2_000;

beforeAll(async () => {
  const pool = open({});
  const startMs = Date.now();
  await pool.run('rest', { restMs: 0 });
  timeLimitMs = Math.max(timeLimitMs, 8 * (Date.now() - startMs));
  await pool.close();
});

test('waiting for a thread does not count as time that a task takes', async () => {
  const pool = open({ timeLimitMs });
  const restMs = timeLimitMs / 6;
  // Together they take longer than each of them may.
  const tasks = Array.from({ length: 8 }, () => pool.run('rest', { restMs }));
  expect(pool.load()).toEqual({ running: 1, waiting: 7 });
  expect(await Promise.all(tasks)).toEqual(tasks.map(() => restMs));
  expect(pool.load()).toEqual({ running: 0, waiting: 0 });
  await pool.close();
});

test('a task that takes too long is given up, and those that waited for it run', async () => {
  const pool = open({ timeLimitMs });
  const tooLong = pool.run('rest', { restMs: 120_000 });
  const next = pool.run('rest', { restMs: 1 });
  await expect(tooLong).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await next).toBe(1);
  await pool.close();
});

test('a full queue refuses the next task and does the others', async () => {
  const pool = open({ waitingMax: 2 });
  const tasks = [1, 2, 3].map((restMs) => pool.run('rest', { restMs }));
  await expect(pool.run('rest', { restMs: 4 })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Too many files are being read. Please try again in a minute.',
  });
  expect(await Promise.all(tasks)).toEqual([1, 2, 3]);
  await pool.close();
});
