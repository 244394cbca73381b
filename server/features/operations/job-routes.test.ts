import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob, handleJob } from '#server/kernel/jobs/job.ts';
import { addJob, insertJobRun } from '#server/kernel/jobs/job-store.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { runJobs } from '#server/testing/run-jobs.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

const get = (who: Person, query = '') => app.as(who).get(`/api/admin/jobs${query}`);

test('administrators see what waits and what has failed, failed work first', async () => {
  const { db } = app.database;
  const admin = await insertSignedIn(db, { isAdmin: true });
  expect((await get(admin)).json()).toEqual({ jobs: [], total: 0, failed: 0, runs: [] });

  const failing = defineJob({ name: 'failing', payload: z.object({}), queue: 'narrow', attemptsMax: 1 });
  await addJob(db, failing, {});
  await runJobs(app.database, [handleJob(failing, () => Promise.reject(new Error('The disk is full.')))]);
  await addJob(db, defineJob({ name: 'waiting', payload: z.object({}) }), {});
  const answer = await get(admin);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    total: 2,
    failed: 1,
    jobs: [
      { name: 'failing', queue: 'narrow', state: 'failed', attempts: 1, attemptsMax: 1 },
      { name: 'waiting', queue: null, state: 'waiting', attempts: 0, attemptsMax: 10, lastError: null },
    ],
  });
  expect(answer.json().jobs[0].lastError).toContain('The disk is full.');
  await insertJobRun(db, { name: 'failing', durationMs: 12, error: 'The disk is full.' });
  expect((await get(admin)).json().runs).toMatchObject([
    { name: 'failing', durationMs: 12, error: 'The disk is full.' },
  ]);
  expect((await get(admin, '?limit=1')).json().jobs).toHaveLength(1);
  expect((await get(admin, '?limit=0')).statusCode).toBe(400);
});

test('guests and other drivers do not', async () => {
  expect((await get(null)).statusCode).toBe(401);
  const driver = await insertSignedIn(app.db);
  expect((await get(driver)).statusCode).toBe(403);
});
