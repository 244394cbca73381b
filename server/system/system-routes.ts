import type { FastifyInstance } from 'fastify';
import { systemEndpoints } from '#contract/system.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { serve } from '#server/endpoints.ts';
import { openApiDocument } from '#server/openapi.ts';
import { checkDatabase } from './health-store.ts';

export function mountSystemRoutes(
  app: FastifyInstance,
  { pool }: OpenDatabase,
  about: { version: string; publicUrl: string },
): void {
  serve(app, systemEndpoints.health, async () => {
    await checkDatabase(pool);
    return { status: 'ok' as const, version: about.version };
  });

  const document = openApiDocument(about);
  serve(app, systemEndpoints.openApi, async () => document);
}
