import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { SAMPLE_LAP_FILES } from './labels.ts';

export const sampleEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/samples/:fileName',
    access: 'public',
    summary: `A sample lap file to try an upload with: ${SAMPLE_LAP_FILES.map(({ fileName }) => `\`${fileName}\``).join(', ')}.`,
    params: z.object({ fileName: z.string() }),
    response: 'application/octet-stream',
  }),
};
