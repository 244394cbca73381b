import type { FastifyInstance } from 'fastify';
import { SAFE_METHODS } from './safe-methods.ts';

/**
 * Ends connections whose client has begun to send a body and then sends nothing for `idleMaxMs`; without this limit, connections and
 * half files could be held for ever. There is no limit on the whole body, nor on the work after it; Node limits headers itself.
 */
export function setBodyIdleTimeout(app: FastifyInstance, idleMaxMs: number): void {
  app.server.on('request', (request) => {
    if (SAFE_METHODS.has(request.method ?? 'GET')) return;
    // Without a listener for the timeout, Node ends the connection.
    request.socket.setTimeout(idleMaxMs);
    request.once('end', () => request.socket.setTimeout(0));
  });
}
