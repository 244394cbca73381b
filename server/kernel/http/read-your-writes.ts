import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { SAFE_METHODS } from './safe-methods.ts';

/** Records, before a change is answered, what a replica must have replayed: drivers see their own changes. */
export function readYourWrites(app: FastifyInstance, database: OpenDatabase): void {
  app.addHook('onRoute', (route) => {
    const isSafe = [route.method].flat().every((method) => SAFE_METHODS.has(method));
    if (!isSafe) route.onSend = [route.onSend ?? [], record].flat();
  });

  async function record({ viewer }: FastifyRequest, { statusCode }: FastifyReply): Promise<void> {
    if (statusCode < 400 && viewer) await database.recordReplayPosition(viewer.id);
  }
}
