import type { FastifyRequest } from 'fastify';
import type { Database, OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { hashToken, signInCookieName } from './auth-cookie.ts';
import { findAuthSession } from './auth-session-store.ts';
import { lockUsers } from './ending-store.ts';

type SessionDeps = { database: OpenDatabase; settings: { publicUrl: string } };

/**
 * Returns the auth session of a call.
 * @throws AppError `not_signed_in` for a call without one, such as a call with an API token
 */
export async function getAuthSession({ database, settings }: SessionDeps, request: FastifyRequest) {
  const tokenSha256 = hashToken(request.cookies[signInCookieName(settings.publicUrl)] ?? '');
  const session = await findAuthSession(database.db, tokenSha256);
  if (!session) throw new AppError('not_signed_in', 'Please sign in first.');
  return { ...session, tokenSha256 };
}

/**
 * Holds the auth session of a call until the end of the transaction, so that it inserts nothing that opens an account, and no
 * link, after an event has ended the session and all else.
 * @throws AppError `not_signed_in`
 */
export async function holdAuthSession(
  tx: Database,
  { settings }: Pick<SessionDeps, 'settings'>,
  request: FastifyRequest,
): Promise<void> {
  const tokenSha256 = hashToken(request.cookies[signInCookieName(settings.publicUrl)] ?? '');
  const found = await findAuthSession(tx, tokenSha256);
  if (found) await lockUsers(tx, [found.userId]);
  if (!(await findAuthSession(tx, tokenSha256))) throw new AppError('not_signed_in', 'Please sign in first.');
}

/**
 * Refuses calls of an auth session that began long ago: a device that is left unattended and signed in must not be
 * enough to take over an account or the server.
 * @throws AppError `confirmation_needed`, `not_signed_in`
 */
export function requireRecentSignIn(deps: SessionDeps) {
  return async (request: FastifyRequest, sentence = 'Sign in again to change how you sign in.') => {
    const session = await getAuthSession(deps, request);
    if (!session.isRecent) throw new AppError('confirmation_needed', sentence);
  };
}
