import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAdminRole } from '#contract/people/labels.ts';
import { findTokenScope } from '#contract/sign-in/labels.ts';
import { findRole } from '#server/model/people/roles.ts';
import { hashToken } from '#server/model/people/auth-cookie.ts';
import type { Authenticate, ViewerOptions } from './authenticate.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countCall } from '#server/kernel/rate-limits/call-count-store.ts';
import { findTokenUser, recordTokenUse, type TokenUser } from '#server/model/people/api-token-store.ts';
import { MINUTE_MS } from '#engine/durations.ts';

const CALLS_PER_MINUTE = 120;

/**
 * Authenticates calls with an API token. Such a call has no other sign-in, is limited to the token's scopes, and is refused
 * where the token is invalid, even where a guest could call. Register it after `authenticateViewers`. Returns a function that
 * authenticates a call again, which does not count towards the limit.
 */
export function authenticateTokens(
  app: FastifyInstance,
  { pool, db }: OpenDatabase,
  options: ViewerOptions,
): Authenticate {
  const findUser = async (request: FastifyRequest): Promise<TokenUser | null> => {
    const { authorization } = request.headers;
    if (authorization === undefined || !request.url.startsWith('/api/')) return null;
    request.viewer = null;
    request.leavingViewer = null;
    const [, token] = /^Bearer +([\w-]{1,200})$/i.exec(authorization) ?? [];
    const user = token && (await findTokenUser(pool, hashToken(token), options.acceptsLocalAccounts));
    if (!user) throw new AppError('not_signed_in', 'The API token is unknown, expired or revoked.');
    return user;
  };
  const admit = (request: FastifyRequest, user: TokenUser): void => {
    checkScope(request, user);
    const role = user.scopes.includes('admin') ? findRole(user, options.adminEmails) : 'member';
    request.viewer = { id: user.id, role, isAdmin: isAdminRole(role) };
    request.replayPosition = user.replayPosition;
  };
  app.addHook('onRequest', async (request) => {
    const user = await findUser(request);
    if (user === null) return;
    const { calls } = await countCall(pool, `token ${user.tokenId}`, MINUTE_MS);
    if (calls > CALLS_PER_MINUTE)
      throw new AppError('too_many_requests', 'Too many calls with this token. Please wait a minute.');
    admit(request, user);
    if (user.isUsedLongAgo) await recordTokenUse(db, user.tokenId);
  });
  return async (request) => {
    const user = await findUser(request);
    if (user !== null) admit(request, user);
  };
}

function checkScope({ routeOptions }: FastifyRequest, { scopes }: TokenUser): void {
  const { endpoint } = routeOptions.config;
  const scope = endpoint ? findTokenScope(endpoint) : null;
  if (scope === null)
    throw new AppError('not_allowed', 'No API token may make this call. Sign in with a browser for it.');
  if (!scopes.includes(scope))
    throw new AppError('not_allowed', `This call needs an API token with the scope ${scope}.`);
}
