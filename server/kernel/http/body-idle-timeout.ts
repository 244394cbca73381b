import type { FastifyInstance } from 'fastify';

const BODILESS_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Ends connections whose client has begun to send a body and is silent for `silenceMaxMs`: otherwise anybody could hold
 * connections and half files for ever. How long the whole body takes is left to the client's line. Silent headers are Node's own
 * matter; work that follows the body may take its time.
 */
export function cutOffSilent(app: FastifyInstance, silenceMaxMs: number): void {
  app.server.on('request', (request) => {
    if (BODILESS_METHODS.has(request.method ?? 'GET')) return;
    // Nobody listens for the time-out, and then Node ends the connection.
    request.socket.setTimeout(silenceMaxMs);
    request.once('end', () => request.socket.setTimeout(0));
  });
}
