import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { nonnegativeInt, nullableText, positiveInt } from '#contract/values.ts';

const JOB_STATES = ['failed', 'running', 'retrying', 'waiting'] as const;

const jobSchema = z.object({
  id: z.string().meta({ examples: ['128'] }),
  name: z.string().meta({ description: 'The kind of work.', examples: ['retime-track'] }),
  queue: nullableText.meta({
    description: 'Jobs of one queue run one after the other.',
    examples: ['retiming'],
  }),
  state: z.enum(JOB_STATES).meta({
    description: '`retrying`: has failed and will be tried again. `failed`: is not tried again.',
  }),
  attempts: nonnegativeInt.meta({ examples: [2] }),
  attemptsMax: positiveInt.meta({ examples: [10] }),
  lastError: nullableText.meta({ examples: ['The storage does not answer.'] }),
  createdAt: z.iso.datetime().meta({ examples: ['2026-06-06T13:03:11.000Z'] }),
  runAt: z.iso.datetime().meta({
    description: 'When it is due; attempts that failed move it into the future.',
    examples: ['2026-06-06T13:03:31.000Z'],
  }),
});

export const jobRunSchema = z.object({
  id: z.string().meta({ examples: ['4711'] }),
  name: z.string().meta({ description: 'The kind of work.', examples: ['make-backup'] }),
  endedAt: z.iso.datetime().meta({ examples: ['2026-06-06T02:24:02.000Z'] }),
  durationMs: z.int().meta({ examples: [5_120] }),
  error: nullableText.meta({ description: 'Why it has failed; null where it was done.', examples: [null] }),
});

export type JobRun = z.infer<typeof jobRunSchema>;

export const jobListSchema = z.object({
  jobs: z
    .array(jobSchema)
    .meta({ description: 'Failed ones first, then running ones, then by when they are due.' }),
  total: z.int().meta({ description: 'All jobs that are not done.', examples: [1] }),
  failed: z.int().meta({ description: 'The failed jobs without further attempts.', examples: [0] }),
});

export type JobList = z.infer<typeof jobListSchema>;

const JOBS_MAX = 200;

export const jobEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/jobs',
    access: 'admin',
    summary:
      'Background work that waits, runs or has failed for good, and the last runs: 25 that were done and 25 that failed.',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(JOBS_MAX).default(JOBS_MAX),
    }),
    response: jobListSchema.extend({
      runs: z.array(jobRunSchema).meta({ description: 'Latest first.' }),
    }),
  }),
};
