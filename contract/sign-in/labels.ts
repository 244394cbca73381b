/** Who may make an account here: those with an invitation, anybody, or no one any more. */
export const REGISTRATIONS = ['invited', 'open', 'closed'] as const;

export type Registration = (typeof REGISTRATIONS)[number];

/** Rules for passwords: those of OWASP ASVS 2.1. */
export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 128;

export const EMAIL_CHARACTERS_MAX = 254;

/** How many people one invitation can let in. */
export const INVITATION_USES_MAX = 100;

/** How long an invitation may stay open. */
export const INVITATION_DAYS_MAX = 30;

export const PASSKEYS_MAX = 20;

/** What a link that works once is for; it is part of the address of the login page. */
export const LINK_KINDS = ['set-up', 'invitation', 'reset', 'sign-in', 'confirmation'] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/** Settings of the server that a site works without, and a club misses. */
export const MISSING_SETTINGS = ['mail', 'backups', 'updates'] as const;

export type MissingSetting = (typeof MISSING_SETTINGS)[number];

/** Links that are only ever mailed, and do what they do with a click. */
export type MailedLinkKind = 'sign-in' | 'confirmation';

/** The address of the page that a link opens. The token is behind the `#`: no server, log or referrer ever sees it. */
export function linkPath(kind: LinkKind, token: string): string {
  return `/login?link=${kind}#${token}`;
}

/** Why a sign-in came to nothing: the login page is opened with `?error=` and one of these. */
export const SIGN_IN_ERRORS = {
  cancelled: 'The sign-in was cancelled.',
  expired: 'The sign-in took too long or was begun in another browser. Please try again.',
  failed: 'The sign-in did not work. Please try again.',
  suspended: 'This account is suspended. Write to the people who run this site.',
  linked: 'That identity belongs to another account here already, so it was not linked.',
  unavailable: 'The sign-in provider does not answer just now. Please try again in a minute.',
} as const;

export type SignInError = keyof typeof SIGN_IN_ERRORS;

import type { Endpoint } from '#contract/endpoint.ts';

// No schema in this file: the browser takes the words without taking the validator with them.

/** What an API token may be allowed to do. */
export const TOKEN_SCOPES = ['read', 'upload', 'admin'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** How each scope is offered. */
export const TOKEN_SCOPE_LABELS: Record<TokenScope, { label: string; hint: string }> = {
  read: { label: 'Read', hint: 'Boards, laps and sessions, as you see them.' },
  upload: { label: 'Upload', hint: 'Upload lap files in your name.' },
  admin: { label: 'Administer', hint: 'Tracks, cars and jobs, as long as you are an administrator.' },
};

/** For how many days a token can be made. */
export const TOKEN_DAYS = [7, 30, 90, 365] as const;

export const TOKENS_MAX = 20;
export const TOKEN_NAME_CHARACTERS_MAX = 60;

// What is somebody's own account, or says who may do what, is changed and read with a browser that is signed in.
// So is what replaces everything.
const READABLE =
  /^\/api\/(tracks|laps|sessions|samples|users|user-cars|car-library|images|system|health|ready|docs|openapi|embed|feed)/;
const UPLOADS = /^(POST \/api\/(upload|analyze-gps)|\w+ \/api\/pending-files(\/:fileToken)?)$/;
const ADMINISTERED =
  /^\/api\/(admin\/(tracks|cars|car-library|jobs|track-proposals|retimings|audit-log|backups(?!\/:name)|parse-tracks|create-tracks)|apex)(\/|$)/;

/** The scope that a token needs for a call; null for calls that no token may make. */
export function findTokenScope({
  method,
  path,
  access,
}: Pick<Endpoint, 'method' | 'path' | 'access'>): TokenScope | null {
  if (UPLOADS.test(`${method} ${path}`)) return 'upload';
  if (access === 'admin' || access === 'moderator') return ADMINISTERED.test(path) ? 'admin' : null;
  return method === 'GET' && READABLE.test(path) ? 'read' : null;
}
