import type { UserId } from '#contract/ids.ts';

/** What people may do here, from the least to the most. */
export const ROLES = ['member', 'moderator', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** Who asks: a signed-in user, as far as permissions care. `isAdmin` is true for administrators and owners. */
export type Viewer = { id: UserId; role: Role; isAdmin: boolean };

type HasRole = Pick<Viewer, 'role' | 'isAdmin'>;

/** Administrators and owners. */
export function isAdminRole(role: Role): boolean {
  return role === 'admin' || role === 'owner';
}

/** Only administrators add tracks and car models. */
export function mayAdminister(viewer: HasRole | null): boolean {
  return viewer !== null && viewer.isAdmin;
}

/** Moderators decide on flagged laps, and so do administrators. */
export function mayModerate(viewer: HasRole | null): boolean {
  return viewer !== null && (viewer.isAdmin || viewer.role === 'moderator');
}

/** Administrators make and unmake moderators; only owners make and unmake administrators and owners. */
export function mayChangeRole(viewer: HasRole | null, from: Role, to: Role): boolean {
  if (!mayAdminister(viewer)) return false;
  return viewer?.role === 'owner' || !(isAdminRole(from) || isAdminRole(to));
}

/** The parts of a user that the username is made from. */
type Named = {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  displayName: string | null;
};

/**
 * What follows the @ on a profile: the part of the e-mail address before the @, else the name in plain lower-case letters,
 * such as `zoe.faber` for 'Zoë Faber'. Null without both.
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
