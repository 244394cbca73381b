import type { FastifyInstance } from 'fastify';
import { SAMPLE_LAP_FILES } from '#contract/upload/labels.ts';
import { sampleEndpoints } from '#contract/upload/samples.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { hasSamples } from '#server/model/club/club-settings-store.ts';
import { readSample } from '#server/model/laps/sample-files.ts';
import type { Services } from '#server/model/services.ts';

/** Serves the sample lap files, unless the owner has switched them off. */
export function mountSampleRoutes(app: FastifyInstance, { database: { pool } }: Services): void {
  serve(app, sampleEndpoints.list, async () => ({
    samples: (await hasSamples(pool)) ? [...SAMPLE_LAP_FILES] : [],
  }));

  serve(app, sampleEndpoints.get, async ({ params: { fileName }, reply }) => {
    const sample = (await hasSamples(pool)) ? await readSample(fileName) : undefined;
    // The name of a sample fits into a header; that of a call may not.
    const content = found(sample, sampleEndpoints.get);
    return reply
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .type(sampleEndpoints.get.response)
      .send(content);
  });
}
