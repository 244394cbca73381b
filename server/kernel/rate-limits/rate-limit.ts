import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { listCountedNetworks } from './address-networks.ts';
import { countCall } from './call-count-store.ts';
import { MINUTE_MS } from '#engine/durations.ts';

/** Limits calls by IP address and by user, counted under the `groupId` of a route by all copies of the server. */
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
  // A signed-in user has a count of their own, whatever address the call comes from. The plugin counts the smallest network of
  // an address, and this hook the larger one of a guest.
  app.addHook('onRoute', (route) => {
    const { endpoint } = route.config ?? {};
    if (endpoint?.limit === undefined) return;
    const { limit } = endpoint;
    const name = `${endpoint.method} ${endpoint.path}`;
    const countUser = async ({ viewer, ip }: FastifyRequest): Promise<void> => {
      const [, network] = listCountedNetworks(ip);
      const counted = viewer ? { name: `driver ${viewer.id}`, factor: 1 } : network;
      if (counted === undefined) return;
      const { calls } = await countCall(pool, `${counted.name} ${name}`, MINUTE_MS);
      if (calls > counted.factor * limit) throw tooManyCalls();
    };
    route.onRequest = [route.onRequest ?? [], countUser].flat();
  });
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: tooManyCalls,
    keyGenerator: ({ ip }) => listCountedNetworks(ip)[0].name,
    store: SharedCounts,
  });
}

function tooManyCalls(): AppError {
  return new AppError('too_many_requests', 'Too many requests. Please wait a minute and try again.');
}
