import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAdminRole, type Viewer } from '#contract/people/labels.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { findRole } from '#server/model/people/roles.ts';
import { hashToken, signInCookieName } from '#server/model/people/auth-cookie.ts';
import { findSignedInUser, touchSignIn } from '#server/model/people/auth-session-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated user; null for a guest. */
    viewer: Viewer | null;
    /** The authenticated user whose account is to be deleted; null for all others. `viewer` is null then. */
    leavingViewer: Viewer | null;
    /** The position in the log of the database after the viewer's last change, for `database.read`; null before the first one. */
    replayPosition: string | null;
  }
}

export type ViewerOptions = {
  publicUrl: string;
  /** These addresses are in lower case. */
  adminEmails: ReadonlySet<string>;
  /** True lets users of the embedded provider in; it is true only while that provider signs users in. */
  acceptsLocalAccounts: boolean;
};

/** Authenticates a call. @throws AppError for an API token that does not permit it */
export type Authenticate = (request: FastifyRequest) => Promise<void>;

/**
 * Authenticates each call of the API. The cookies must be parsed before. Returns a function that authenticates a call again,
 * after its body has come.
 */
export function authenticateViewers(
  app: FastifyInstance,
  { pool, db }: OpenDatabase,
  options: ViewerOptions,
): Authenticate {
  const cookieName = signInCookieName(options.publicUrl);
  app.decorateRequest('viewer', null);
  app.decorateRequest('leavingViewer', null);
  app.decorateRequest('replayPosition', null);
  const authenticate: Authenticate = async (request) => {
    request.viewer = null;
    request.leavingViewer = null;
    const token = request.cookies[cookieName];
    if (!token || !request.url.startsWith('/api/')) return;
    const tokenSha256 = hashToken(token);
    const user = await findSignedInUser(pool, tokenSha256, options.acceptsLocalAccounts);
    if (!user) return;
    const role = findRole(user, options.adminEmails);
    // A user who can change the data of others signs in twice a day (ASVS 3.3.2). Ready-made accounts have nothing to sign in
    // with.
    if (role !== 'member' && user.isOlderThanHalfDay && !options.acceptsLocalAccounts) return;
    if (user.isSeenLongAgo) await touchSignIn(db, tokenSha256);
    const viewer = { id: user.id, role, isAdmin: isAdminRole(role) };
    if (user.isLeaving) request.leavingViewer = viewer;
    else request.viewer = viewer;
    request.replayPosition = user.replayPosition;
  };
  app.addHook('onRequest', authenticate);
  return authenticate;
}
