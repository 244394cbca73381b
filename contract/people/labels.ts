import type { UserId } from '#contract/ids.ts';

/** The roles, from the fewest to the most permissions. */
export const ROLES = ['member', 'moderator', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

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

type Named = {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  displayName: string | null;
};

/**
 * Returns the text after the @ on a profile: the part of the e-mail address before the @, else the name in plain
 * lower-case letters, such as `zoe.faber` for 'Zoë Faber'. Returns null without both.
 */
export function formatUsername({ email, firstName, lastName, displayName }: Named): string | null {
  const localPart = email?.split('@')[0] ?? '';
  if (localPart !== '') return localPart;
  const name = [firstName, lastName].filter(Boolean).join(' ') || (displayName ?? '');
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter(Boolean).join('.') || null;
}
