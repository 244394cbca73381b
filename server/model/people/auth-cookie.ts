import { createHash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';

/** Names the sign-in cookie on http; see `signInCookieName`. */
export const SIGN_IN_COOKIE = 'pitboard_sign_in';

/**
 * Returns the name of a cookie at `publicUrl`. On https its prefix tells browsers to accept it from this exact host
 * only: neither a page on a subdomain nor an attacker on an unencrypted connection can set one.
 */
export function hostCookieName(publicUrl: string, name: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** Returns the name of the cookie that carries the token of a sign-in at `publicUrl`. */
export function signInCookieName(publicUrl: string): string {
  return hostCookieName(publicUrl, SIGN_IN_COOKIE);
}

export const SIGN_IN_LASTS_MS = 30 * 24 * 60 * 60 * 1000;

const TOKEN_BYTES = 32; // 256 bits cannot be guessed

/** Returns a random token that cannot be guessed. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the hash of a token that is stored in its place. The hash needs no salt: the token is random already. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Returns the options of our cookies: no script reads them, no other site sends them, and they travel over https only,
 * except on this machine.
 */
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
