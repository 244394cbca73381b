import type { FastifyInstance } from 'fastify';
import { demoEndpoints } from '#contract/demo/schemas.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import type { Demo } from './open-demo.ts';

export function mountDemoRoutes(app: FastifyInstance, demo: Demo): void {
  serve(app, demoEndpoints.status, () => demo.status());

  serve(app, demoEndpoints.remove, ({ viewer }) => demo.remove(viewer.id));
}
