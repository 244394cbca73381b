import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { SIGN_IN_ERRORS } from '#contract/sign-in/labels.ts';
import type { Database, OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  cookieOptions,
  hashToken,
  newToken,
  SIGN_IN_LASTS_MS,
  signInCookieName,
} from '#server/model/people/auth-cookie.ts';
import {
  findAuthSession,
  insertSignIn,
  isSuspended,
  pruneSignIns,
} from '#server/model/people/auth-session-store.ts';
import { findOwnPassword } from '#server/model/people/credential-store.ts';
import { endByEvent } from '#server/model/people/ending-store.ts';
import { rememberDevice } from './known-device.ts';

const USER_AGENT_CHARACTERS_MAX = 300;

export type AuthSessionDeps = { database: OpenDatabase; publicUrl: string };

/**
 * Signs the browser in as the user whom `findUser` returns; the changes of `findUser` are committed only with the sign-in. The
 * token is always new, so a token that an attacker planted in this browser before is worthless. Returns the user.
 * @throws AppError `suspended`
 */
export async function startAuthSession(
  { database, publicUrl }: AuthSessionDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  findUser: (tx: Database) => Promise<UserId>,
): Promise<UserId> {
  const token = newToken();
  const cookieName = signInCookieName(publicUrl);
  const tokenBefore = request.cookies[cookieName];
  const { userId, hash } = await database.db.transaction(async (tx) => {
    const userId = await findUser(tx);
    if (await isSuspended(tx, userId)) throw new AppError('suspended', SIGN_IN_ERRORS.suspended);
    if (tokenBefore) await endSession(tx, 'signedIn', hashToken(tokenBefore));
    await pruneSignIns(tx);
    const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS_MAX) ?? null;
    await insertSignIn(tx, hashToken(token), { userId, lastsMs: SIGN_IN_LASTS_MS, userAgent });
    return { userId, hash: (await findOwnPassword(tx, userId))?.hash ?? null };
  });
  await database.recordReplayPosition(userId); // shows a new account or name at once
  reply.setCookie(cookieName, token, cookieOptions(publicUrl, SIGN_IN_LASTS_MS));
  rememberDevice({ request, reply }, publicUrl, { userId, hash });
  return userId;
}

/** Ends the auth session of a token, if there still is one. */
export async function endSession(
  tx: Database,
  event: 'signedIn' | 'signedOut',
  tokenSha256: string,
): Promise<void> {
  const session = await findAuthSession(tx, tokenSha256);
  if (session) await endByEvent(tx, event, { userId: session.userId, tokenSha256 });
}
