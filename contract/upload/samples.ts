import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { SAMPLE_LAP_FILES } from './labels.ts';

export const sampleEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/samples',
    access: 'public',
    summary: 'The sample lap files to try an upload with; none where an owner has switched them off.',
    response: z.object({
      samples: z.array(z.object({ fileName: z.string(), trackName: z.string(), format: z.string() })),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/samples/:fileName',
    access: 'public',
    summary: `A sample lap file to try an upload with: ${SAMPLE_LAP_FILES.map(({ fileName }) => `\`${fileName}\``).join(', ')}.`,
    params: z.object({ fileName: z.string() }),
    response: 'application/octet-stream',
    errors: { not_found: 'There is no such sample, or an owner has switched samples off.' },
  }),
};
