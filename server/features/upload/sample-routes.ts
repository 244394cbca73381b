import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { SAMPLE_LAP_FILES } from '#contract/upload/labels.ts';
import { sampleEndpoints } from '#contract/upload/samples.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';

const SAMPLES_FOLDER = join(projectFolder, 'data', 'lap-files');

export function mountSampleRoutes(app: FastifyInstance): void {
  serve(app, sampleEndpoints.get, async ({ params, reply }) => {
    const sample = SAMPLE_LAP_FILES.find(({ fileName }) => fileName === params.fileName);
    if (!sample) throw new AppError('not_found', 'There is no such sample.');
    return reply
      .header('content-disposition', `attachment; filename="${sample.fileName}"`)
      .type(sampleEndpoints.get.response)
      .send(await readFile(join(SAMPLES_FOLDER, sample.fileName)));
  });
}
