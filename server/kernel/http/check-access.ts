import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { mayAdminister, mayModerate, type Viewer } from '#contract/people/labels.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Returns the viewer of a call; a user whose account is to be deleted counts as a guest for most of them. */
export function findViewer(
  { forLeaving }: Endpoint,
  { viewer, leavingViewer }: FastifyRequest,
): Viewer | null {
  return viewer ?? (forLeaving ? leavingViewer : null);
}

/** Checks that the caller may make a call. @throws AppError `not_signed_in`, `account_leaving`, `not_allowed` */
export function checkAccess(endpoint: Endpoint, request: FastifyRequest): void {
  const { access } = endpoint;
  if (access === 'public') return;
  const viewer = findViewer(endpoint, request);
  if (viewer === null && request.leavingViewer !== null)
    throw new AppError('account_leaving', 'Your account is to be deleted. Keep it first.');
  if (viewer === null) throw new AppError('not_signed_in', 'Please sign in first.');
  if (access === 'owner' && viewer.role !== 'owner')
    throw new AppError('not_allowed', 'Only owners may do this.');
  if (access === 'admin' && !mayAdminister(viewer))
    throw new AppError('not_allowed', 'Only administrators may do this.');
  if (access === 'moderator' && !mayModerate(viewer))
    throw new AppError('not_allowed', 'Only moderators and administrators may do this.');
}

/**
 * Checks again, after the body has come, that the caller may make the call: a body may take an hour, and the caller may have lost
 * the session, the token or the role meanwhile. @throws AppError as `checkAccess` does
 */
export async function checkAccessAgain(request: FastifyRequest): Promise<void> {
  const { endpoint } = request.routeOptions.config;
  if (endpoint === undefined || endpoint.access === 'public') return;
  await request.server.endpointHooks.authenticate(request);
  checkAccess(endpoint, request);
}
