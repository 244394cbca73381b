/** What says whether a user administers. */
export type AdministratorClaim = { isAdmin: boolean; email: string | null; emailVerified: boolean };

/** Administrators are those granted by command, and those whose address is on the list and verified by the provider. */
export function isAdministrator(user: AdministratorClaim, adminEmails: ReadonlySet<string>): boolean {
  return (
    user.isAdmin || (user.email !== null && user.emailVerified && adminEmails.has(user.email.toLowerCase()))
  );
}
