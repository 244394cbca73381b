import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countCall } from './call-count-store.ts';

const MINUTE_MS = 60_000;

/**
 * Limits the calls of those routes that say how many one address and one driver may make, each route by itself: their
 * `groupId` must name them. All copies of the server count together.
 */
export async function limitCalls(app: FastifyInstance, { pool }: OpenDatabase): Promise<void> {
  // The plugin makes its store itself, and one more for each route; all are the same table.
  class SharedCounts implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (key, callback, windowMs) => {
      void countCall(pool, key, windowMs).then(
        // oxlint-disable-next-line promise/no-callback-in-promise -- The plugin asks for its stores this way.
        ({ calls, msLeft }) => callback(null, { current: calls, ttl: msLeft }),
        // oxlint-disable-next-line promise/no-callback-in-promise -- The plugin asks for its stores this way.
        (error: Error) => callback(error),
      );
    };
    child = (): FastifyRateLimitStore => this;
  }
  // Somebody who is signed in is counted by themselves, wherever they are.
  app.addHook('onRoute', (route) => {
    const { callsPerMinute, endpoint } = route.config ?? {};
    if (callsPerMinute === undefined || endpoint === undefined) return;
    const name = `${endpoint.method} ${endpoint.path}`;
    const countDriver = async ({ viewer }: FastifyRequest): Promise<void> => {
      if (viewer === null) return;
      const { calls } = await countCall(pool, `driver ${viewer.id} ${name}`, MINUTE_MS);
      if (calls > callsPerMinute) throw tooManyCalls();
    };
    route.onRequest = [route.onRequest ?? [], countDriver].flat();
  });
  await app.register(rateLimit, { global: false, errorResponseBuilder: tooManyCalls, store: SharedCounts });
}

function tooManyCalls(): AppError {
  return new AppError('too_many_requests', 'Too many requests. Please wait a minute and try again.');
}
