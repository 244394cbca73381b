import type { FastifyInstance } from 'fastify';
import { sessionEndpoints } from '#contract/sessions.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { serve } from '#server/endpoints.ts';
import { listSessions } from './session-store.ts';

export function mountSessionRoutes(app: FastifyInstance, { pool }: OpenDatabase): void {
  serve(app, sessionEndpoints.listOfUser, ({ params }) => listSessions(pool, params.userId));
}
