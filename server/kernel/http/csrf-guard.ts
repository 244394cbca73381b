import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/kernel/errors.ts';
import { SAFE_METHODS } from './safe-methods.ts';

/**
 * Refuses calls that change something and that a browser makes on behalf of another site. Programs that are no browsers send
 * neither header; another site cannot make them send our cookie, so they pass.
 */
export function guardAgainstCsrf(app: FastifyInstance, publicUrl: string): void {
  const ownOrigin = new URL(publicUrl).origin;
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method) || comesFromOwnSite(request, ownOrigin)) return;
    throw new AppError('not_allowed', 'This call came from another site and was refused.');
  });
}

function comesFromOwnSite({ headers }: FastifyRequest, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || headers.origin === ownOrigin;
}
