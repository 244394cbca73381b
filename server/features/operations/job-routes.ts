import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { jobEndpoints } from '#contract/operations/jobs.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { listJobRuns, listJobs } from '#server/kernel/jobs/job-store.ts';

/** Shows administrators the background jobs and their failures. */
export function mountJobRoutes(app: FastifyInstance, { database: { db } }: Services): void {
  serve(app, jobEndpoints.list, async ({ query }) => ({
    ...(await listJobs(db, query.limit)),
    runs: await listJobRuns(db),
  }));
}
