import type { Role } from '#contract/people/labels.ts';

/** Holds the fields of a user that decide their role. */
export type RoleClaim = { role: Role; email: string | null; emailVerified: boolean };

/** Returns the role of a user: owner for a verified email address in the server's settings, else the granted role. */
export function findRole(user: RoleClaim, adminEmails: ReadonlySet<string>): Role {
  return isOwnerBySettings(user, adminEmails) ? 'owner' : user.role;
}

/** Checks whether the settings of the server make a user an owner, regardless of the granted role. */
export function isOwnerBySettings(
  { email, emailVerified }: Omit<RoleClaim, 'role'>,
  adminEmails: ReadonlySet<string>,
): boolean {
  return email !== null && emailVerified && adminEmails.has(email.toLowerCase());
}
