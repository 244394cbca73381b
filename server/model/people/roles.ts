import type { Role } from '#contract/people/labels.ts';

/** What says which role a user has. */
export type RoleClaim = { role: Role; email: string | null; emailVerified: boolean };

/** The granted role; users whose address is on the list of the server, and verified by the provider, are owners. */
export function findRole(user: RoleClaim, adminEmails: ReadonlySet<string>): Role {
  return isOwnerBySettings(user, adminEmails) ? 'owner' : user.role;
}

/** Whether the settings of the server make a user an owner, whatever is granted here. */
export function isOwnerBySettings(
  { email, emailVerified }: Omit<RoleClaim, 'role'>,
  adminEmails: ReadonlySet<string>,
): boolean {
  return email !== null && emailVerified && adminEmails.has(email.toLowerCase());
}
