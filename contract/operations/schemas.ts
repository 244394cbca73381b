import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { nullableText } from '#contract/values.ts';

const bytes = z.int().nonnegative();

export const operationEndpoints = {
  status: endpoint({
    method: 'GET',
    path: '/api/admin/operations',
    access: 'admin',
    summary: 'The version of this server, a newer one where there is one, and how full its disk is.',
    response: z.object({
      version: z.string().meta({ examples: ['0.2.0'] }),
      update: z
        .object({
          isChecked: z.boolean().meta({ description: 'False where the setting UPDATE_URL is missing.' }),
          latest: nullableText.meta({
            description: 'A newer version; null where none is known.',
            examples: ['0.3.0'],
          }),
        })
        .meta({
          description:
            'The server asks for it at most twice a day, and only when administrators open the page.',
        }),
      isBehindPooler: z.boolean().meta({
        description:
          'True where a pooler keeps the copies of the server from notifying each other, because DATABASE_DIRECT_URL is missing.',
      }),
      disk: z.object({
        freeBytes: bytes.meta({ description: 'On the disk of the data folder.' }),
        databaseBytes: bytes,
        lapFileBytes: bytes.meta({ description: 'All lap files, as they were sent.' }),
      }),
    }),
  }),
};
