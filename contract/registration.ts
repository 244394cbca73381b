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
