import type { FastifyRequest } from 'fastify';
import { hashToken, signInCookieName } from '#server/model/people/auth-cookie.ts';
import { findAuthSession } from '#server/model/people/auth-session-store.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';

type SessionParts = { database: OpenDatabase; settings: { publicUrl: string } };

/** The auth session that a call comes with. @throws AppError `not_signed_in` where it came with something else, such as a token */
export async function getAuthSession({ database, settings }: SessionParts, request: FastifyRequest) {
  const tokenSha256 = hashToken(request.cookies[signInCookieName(settings.publicUrl)] ?? '');
  const session = await findAuthSession(database.db, tokenSha256);
  if (!session) throw new AppError('not_signed_in', 'Please sign in first.');
  return { ...session, tokenSha256 };
}

/** A device that is left alone signed in must not be enough to take an account or the server over. @throws AppError `confirmation_needed` */
export async function requireRecent(
  parts: SessionParts,
  request: FastifyRequest,
  sentence = 'Sign in again to change how you sign in.',
) {
  const session = await getAuthSession(parts, request);
  if (session.isRecent) return session;
  throw new AppError('confirmation_needed', sentence);
}
