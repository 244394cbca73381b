import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const systemEndpoints = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    access: 'public',
    summary: 'Whether the server and its database answer.',
    response: z.object({ status: z.literal('ok'), version: z.string() }),
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'This API as an OpenAPI 3.1 document.',
    response: z.record(z.string(), z.unknown()),
  }),
};
