import type { FastifyInstance } from 'fastify';
import { isAdminRole, type Viewer } from '#contract/people/labels.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { findRole } from '#server/model/people/roles.ts';
import { hashToken, signInCookieName } from '#server/model/people/auth-cookie.ts';
import { findSignedInUser, touchSignIn } from '#server/model/people/auth-session-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null for a guest. */
    viewer: Viewer | null;
    /** The position in the log of the database after the viewer's last change, for `database.read`; null before the first one. */
    replayPosition: string | null;
  }
}

export type ViewerOptions = {
  publicUrl: string;
  /** In lower case. */
  adminEmails: ReadonlySet<string>;
  /** Whether people of the embedded provider are let in: only as long as it is the one that signs people in. */
  acceptsLocalAccounts: boolean;
};

/** Finds out, before each call of the API, who asks. Needs the cookies to be parsed by then. */
export function authenticateViewers(
  app: FastifyInstance,
  { pool, db }: OpenDatabase,
  options: ViewerOptions,
): void {
  const cookieName = signInCookieName(options.publicUrl);
  app.decorateRequest('viewer', null);
  app.decorateRequest('replayPosition', null);
  app.addHook('onRequest', async (request) => {
    const token = request.cookies[cookieName];
    if (!token || !request.url.startsWith('/api/')) return;
    const tokenSha256 = hashToken(token);
    const user = await findSignedInUser(pool, tokenSha256, options.acceptsLocalAccounts);
    if (!user) return;
    const role = findRole(user, options.adminEmails);
    // Who can change what belongs to others signs in twice a day; ASVS 3.3.2. Ready-made accounts have nothing to sign in with.
    if (role !== 'member' && user.isOlderThanHalfDay && !options.acceptsLocalAccounts) return;
    if (user.isSeenLongAgo) await touchSignIn(db, tokenSha256);
    request.viewer = { id: user.id, role, isAdmin: isAdminRole(role) };
    request.replayPosition = user.replayPosition;
  });
}
