import type { UserId } from '#contract/ids.ts';

/** The roles, from the fewest to the most permissions. */
export const ROLES = ['member', 'moderator', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

export const ROLE_LABELS: Record<Role, string> = {
  member: 'Member',
  moderator: 'Moderator',
  admin: 'Administrator',
  owner: 'Owner',
};

/** The signed-in user, as far as permissions need it. `isAdmin` is true for administrators and owners. */
export type Viewer = { id: UserId; role: Role; isAdmin: boolean };

type HasRole = Pick<Viewer, 'role' | 'isAdmin'>;

/** Returns true where `role` has fewer permissions than `other`. */
export function isLower(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) < ROLES.indexOf(other);
}

/** Returns true for administrators and owners. */
export function isAdminRole(role: Role): boolean {
  return role === 'admin' || role === 'owner';
}

/** Returns true for administrators: only they add tracks and car models. */
export function mayAdminister(viewer: HasRole | null): boolean {
  return viewer !== null && viewer.isAdmin;
}

/** Returns true for moderators and administrators: they decide on flagged laps. */
export function mayModerate(viewer: HasRole | null): boolean {
  return viewer !== null && (viewer.isAdmin || viewer.role === 'moderator');
}

/** Administrators appoint and dismiss moderators, and only owners administrators and owners. */
export function mayChangeRole(viewer: HasRole | null, from: Role, to: Role): boolean {
  if (!mayAdminister(viewer)) return false;
  return viewer?.role === 'owner' || !(isAdminRole(from) || isAdminRole(to));
}

export const USERNAME_CHARACTERS_MAX = 30;
export const USERNAME_FORM = /^[a-z0-9._-]{3,30}$/;
export const USERNAME_RULE = 'Use 3 to 30 small letters, digits, dots, hyphens or underscores.';

// They could be taken for people who speak for the site, or for pages of it.
const RESERVED_USERNAMES: ReadonlySet<string> = new Set(
  `member moderator admin owner account administrator anonymous api club deleted everyone guest help login mail me moderation mod none null official pitboard profile root security server settings site staff steward stewards support system team undefined user webmaster you`.split(
    ' ',
  ),
);

/** Returns true for usernames that no driver may choose, with any dots, hyphens and underscores in them. */
export function isReservedUsername(username: string): boolean {
  return RESERVED_USERNAMES.has(username.replaceAll(/[._-]/g, ''));
}

type FullName = { firstName: string | null; lastName: string | null };

/** Joins first and last name, for a comparison with the records of a board. Empty without either. */
export function fullName(person: FullName): string {
  return [person.firstName, person.lastName].filter(Boolean).join(' ');
}

/** Formats the name to show for a person. */
export function formatDisplayName(person: FullName & { displayName: string | null }): string {
  return person.displayName || fullName(person) || 'User';
}

type Named = {
  /** The driver chooses it; null or absent without a choice. */
  username?: string | null;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  displayName: string | null;
};

/**
 * Returns the text after the @ on a profile: the one that the driver has chosen, else the part of the e-mail address before
 * the @, else the name in plain lower-case letters, such as `zoe.faber` for 'Zoë Faber'. Returns null without all of them.
 */
export function formatUsername({
  username = null,
  email,
  firstName,
  lastName,
  displayName,
}: Named): string | null {
  if (username !== null) return username;
  const localPart = email?.split('@')[0] ?? '';
  if (localPart !== '') return localPart;
  const name = fullName({ firstName, lastName }) || (displayName ?? '');
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter(Boolean).join('.') || null;
}
