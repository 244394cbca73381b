import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

export const systemEndpoints = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    access: 'public',
    summary: 'Whether the server runs, and which version.',
    response: z.object({ status: z.literal('ok'), version: z.string() }),
  }),
  ready: endpoint({
    method: 'GET',
    path: '/api/ready',
    access: 'public',
    summary:
      'Whether a load balancer should send calls here: 503 while the database does not answer or the server stops.',
    response: z.object({
      status: z.literal('ready'),
      backup: z
        .union([
          z.object({ ageHours: z.number(), isProven: z.boolean(), problem: z.string().optional() }),
          z.object({ problem: z.string() }),
        ])
        .nullable()
        .optional()
        .meta({
          description:
            'The latest backup, where backups are made; null before the first one. A problem says why it is unknown, or how many backups are damaged.',
        }),
    }),
  }),
  docs: endpoint({
    method: 'GET',
    path: '/api/docs',
    access: 'public',
    summary: 'This page: every call of the API, to be read by people.',
    response: 'text/html',
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'This API as an OpenAPI 3.1 document.',
    response: z.record(z.string(), z.unknown()),
  }),
};
