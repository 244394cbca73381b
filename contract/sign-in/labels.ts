/** The registration policies: people with an invitation, everybody, or no one. */
export const REGISTRATIONS = ['invited', 'open', 'closed'] as const;

export type Registration = (typeof REGISTRATIONS)[number];

/** The rules for passwords follow OWASP ASVS 2.1. */
export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 128;

export const EMAIL_CHARACTERS_MAX = 254;

export const INVITATION_USES_MAX = 100;

export const INVITATION_DAYS_MAX = 30;

export const PASSKEYS_MAX = 20;

/** The purposes of single-use links; the kind is part of the URL of the login page. */
export const LINK_KINDS = ['set-up', 'invitation', 'reset', 'sign-in', 'confirmation'] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/** The things that end with a changed password only if the person chooses so. */
export const ASKED_ABOUT = ['passkeys', 'linkedIdentities'] as const;

export type AskedAbout = (typeof ASKED_ABOUT)[number];

/** Settings that a server runs without, but a club needs. */
export const MISSING_SETTINGS = ['mail', 'backups', 'updates'] as const;

export type MissingSetting = (typeof MISSING_SETTINGS)[number];

/** The kinds of links that are only sent by mail and take effect with one click. */
export type MailedLinkKind = 'sign-in' | 'confirmation';

/** Returns the path of a link's page. No server, log or referrer receives the token behind the `#`. */
export function linkPath(kind: LinkKind, token: string): string {
  return `/login?link=${kind}#${token}`;
}

/** The reasons why a sign-in failed: the login page opens with `?error=` and one of these. */
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

export const TOKEN_SCOPES = ['read', 'upload', 'admin'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const TOKEN_SCOPE_LABELS: Record<TokenScope, { label: string; hint: string }> = {
  read: { label: 'Read', hint: 'Boards, laps, sessions and events, as you see them.' },
  upload: { label: 'Upload', hint: 'Upload lap files in your name.' },
  admin: { label: 'Administer', hint: 'Tracks, cars, events and jobs, as long as you are an administrator.' },
};

export const TOKEN_DAYS = [7, 30, 90, 365] as const;

export const TOKENS_MAX = 20;
export const TOKEN_NAME_CHARACTERS_MAX = 60;

// These subjects hold the user's own account or permissions, or replace all data. They need a signed-in browser.
const READABLE =
  /^\/api\/(tracks|laps|sessions|samples|users|user-cars|car-library|events|images|system|health|ready|docs|openapi|embed|feed)/;
const UPLOADS = /^(POST \/api\/(upload|analyze-gps)|\w+ \/api\/pending-files(\/:fileToken)?)$/;
const ADMINISTERED =
  /^\/api\/(admin\/(tracks|cars|car-library|jobs|track-proposals|retimings|audit-log|backups(?!\/:name)|parse-tracks|create-tracks)|apex|events)(\/|$)/;

/** Finds the scope that a token needs for a call; null for calls that refuse tokens. */
export function findTokenScope({
  method,
  path,
  access,
}: Pick<Endpoint, 'method' | 'path' | 'access'>): TokenScope | null {
  if (UPLOADS.test(`${method} ${path}`)) return 'upload';
  if (access === 'admin' || access === 'moderator' || access === 'owner')
    return ADMINISTERED.test(path) ? 'admin' : null;
  return method === 'GET' && READABLE.test(path) ? 'read' : null;
}
