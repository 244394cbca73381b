import { createHash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';

/** Carries the token of a sign-in on this computer; see `signInCookieName`. */
export const SIGN_IN_COOKIE = 'pitboard_sign_in';

/**
 * The cookie that carries the token of a sign-in at `publicUrl`. On https its name tells browsers to take it from this
 * very host only: neither a page on a subdomain nor somebody on an unencrypted line can plant one.
 */
export function signInCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${SIGN_IN_COOKIE}` : SIGN_IN_COOKIE;
}

/** How long a browser stays signed in. */
export const SIGN_IN_LASTS_MS = 30 * 24 * 60 * 60 * 1000;

const TOKEN_BYTES = 32; // 256 bits cannot be guessed

/** A random token that cannot be guessed. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is kept of a token. It needs no salt: the token is random already. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** No script reads our cookies, no other site sends them along, and they travel over https only, except on this machine. */
export function cookieOptions(publicUrl: string, maxAgeMs: number): CookieSerializeOptions {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: !isLocalHttp(new URL(publicUrl)),
    maxAge: Math.floor(maxAgeMs / 1000),
  };
}

function isLocalHttp({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
