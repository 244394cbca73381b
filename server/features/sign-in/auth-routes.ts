import type { SignInServices } from './own-accounts.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as openid from 'openid-client';
import type { UserId } from '#contract/ids.ts';
import type { SignInError } from '#contract/sign-in/labels.ts';
import { signInEndpoints } from '#contract/people/schemas.ts';
import type { Database, OpenDatabase } from '#server/kernel/database/database.ts';
import { type Call, serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Identity } from '#server/model/people/identity.ts';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import { holdAuthSession } from '#server/model/people/recent-sign-in.ts';
import { loginPath, safeReturnTo } from './return-to.ts';
import { ATTEMPT_COOKIE, ATTEMPT_LASTS_MS, readAttempt } from './sign-in-attempt.ts';
import { cookieOptions, hashToken, signInCookieName } from '#server/model/people/auth-cookie.ts';
import { findIdentityUser, linkIdentity } from '#server/model/people/auth-session-store.ts';
import { endSession, startAuthSession } from './start-auth-session.ts';

/** Serves sign-in and sign-out. `provider` is null where users sign in only with accounts of this server, on the login page. */
export function mountAuthRoutes(app: FastifyInstance, services: SignInServices): void {
  const { database, provider, settings } = services;
  const { publicUrl } = settings;
  mountLogin(app, services);
  mountCallback(app, services);

  serve(app, signInEndpoints.logout, async ({ request, reply, viewer }) => {
    const token = request.cookies[signInCookieName(publicUrl)];
    if (token) await database.db.transaction((tx) => endSession(tx, 'signedOut', hashToken(token)));
    // Browsers set and delete a cookie with the prefix `__Host-` only with these options.
    const options = cookieOptions(publicUrl, 0);
    for (const name of [signInCookieName(publicUrl), ...(provider?.cookieNames ?? [])])
      reply.clearCookie(name, options);
    const continueAt = viewer && provider && (await provider.endUrl(`${publicUrl}/`));
    return { signedOut: true as const, continueAt: continueAt?.href ?? null };
  });

  serve(app, signInEndpoints.provider, async () => ({
    name: provider?.name ?? 'your account',
    isLocal: provider?.isLocal ?? false,
  }));
}

function mountLogin(app: FastifyInstance, { provider, settings: { publicUrl } }: SignInServices): void {
  const begin = async ({ query, request, reply }: Call<typeof signInEndpoints.login>) => {
    const returnTo = safeReturnTo(query.returnTo);
    const elsewhere = samePageAtPublicUrl(request, publicUrl, returnTo);
    if (elsewhere) return reply.redirect(elsewhere);
    if (!provider) return reply.redirect(loginPath(returnTo));
    try {
      const { url, attempt } = await provider.begin(returnTo);
      const options = { ...cookieOptions(publicUrl, ATTEMPT_LASTS_MS), signed: true };
      return reply.setCookie(ATTEMPT_COOKIE, JSON.stringify(attempt), options).redirect(url.href);
    } catch (error) {
      const isPerson = request.headers.accept?.includes('text/html') ?? false;
      if (!(error instanceof AppError && isPerson)) throw error;
      request.log.error({ err: error }, 'the sign-in provider does not answer');
      return backToLogin(reply, 'unavailable', returnTo);
    }
  };
  serve(app, signInEndpoints.login, begin);
}

function mountCallback(app: FastifyInstance, { database, provider, settings }: SignInServices): void {
  const { publicUrl } = settings;
  const finish = async ({ request, reply, viewer }: Call<typeof signInEndpoints.callback>) => {
    const cookie = request.unsignCookie(request.cookies[ATTEMPT_COOKIE] ?? '');
    const attempt = readAttempt(cookie.valid ? cookie.value : null, Date.now());
    reply.clearCookie(ATTEMPT_COOKIE, { path: '/' });
    if (!attempt || !provider) return backToLogin(reply, 'expired');
    try {
      const identity = await provider.finish(new URL(request.url, publicUrl), attempt);
      if (attempt.linkTo !== undefined) {
        // The identity is linked only if the user who began the attempt has come back.
        const isLinked =
          attempt.linkTo === viewer?.id &&
          (await linkToAccount(database, identity, viewer.id, (tx) =>
            holdAuthSession(tx, { settings }, request),
          ));
        return reply.redirect(`${attempt.returnTo}?${isLinked ? 'done' : 'error'}=linked`);
      }
      await startAuthSession({ database, publicUrl }, { request, reply }, (tx) =>
        findIdentityUser(tx, identity),
      );
      return reply.redirect(attempt.returnTo);
    } catch (error) {
      const reason = whyRefused(error);
      if (reason !== 'cancelled') request.log.warn({ err: error }, 'a sign-in failed');
      return backToLogin(reply, reason, attempt.returnTo);
    }
  };
  serve(app, signInEndpoints.callback, finish);
}

/** Links an identity to a user and records that; false where it belongs to another user. */
async function linkToAccount(
  { db }: OpenDatabase,
  identity: Identity,
  userId: UserId,
  hold: (tx: Database) => Promise<void>,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await hold(tx);
    const isLinked = await linkIdentity(tx, identity, userId);
    if (isLinked) await recordSignInChange(tx, userId, 'link-provider');
    return isLinked;
  });
}

function backToLogin(reply: FastifyReply, reason: SignInError, returnTo = '/'): FastifyReply {
  return reply.redirect(loginPath(returnTo, reason));
}

function whyRefused(error: unknown): SignInError {
  if (error instanceof AppError && error.code === 'suspended') return 'suspended';
  if (isProviderUnavailable(error)) return 'unavailable';
  return error instanceof openid.AuthorizationResponseError && error.error === 'access_denied'
    ? 'cancelled'
    : 'failed';
}

/** Tests if the error says that the provider is unreachable or does not answer in time. */
function isProviderUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unavailable';
  // `fetch` throws this message for every failure of the network.
  if (error instanceof TypeError) return error.message === 'fetch failed';
  return error instanceof openid.ClientError && error.code === 'OAUTH_TIMEOUT';
}

const NAMES_OF_THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the same page at the public URL, or null if the browser is there already. This machine has several host names, each
 * with its own cookies: a browser that came by another one than the provider returns to goes to that one first.
 */
function samePageAtPublicUrl(request: FastifyRequest, publicUrl: string, returnTo: string): string | null {
  const { hostname } = new URL(publicUrl);
  const cameBy = request.hostname;
  const isOtherName =
    cameBy !== hostname && NAMES_OF_THIS_MACHINE.has(cameBy) && NAMES_OF_THIS_MACHINE.has(hostname);
  // It redirects only once: a proxy that changes the host name would cause a loop.
  const hasMoved = new URL(request.url, publicUrl).searchParams.has('moved');
  if (!isOtherName || hasMoved) return null;
  return `${publicUrl}/api/login?${new URLSearchParams({ returnTo, moved: '1' }).toString()}`;
}
