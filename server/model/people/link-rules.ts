import { isAdminRole, mayChangeRole } from '#contract/people/labels.ts';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { OneTimeToken } from './one-time-token-store.ts';
import { findRoleClaim } from './people-store.ts';
import { findRole } from './roles.ts';

/**
 * Checks at its redemption that the maker of an invitation or of a link for a new password could still make it: they are
 * not suspended, and may still give the role or manage the person. The server itself, which mails links, always could.
 */
export async function isMakerStillAllowed(
  db: Database,
  { purpose, createdBy, role, userId }: Pick<OneTimeToken, 'purpose' | 'createdBy' | 'role' | 'userId'>,
  adminEmails: ReadonlySet<string>,
): Promise<boolean> {
  if (createdBy === null) return true;
  const findCurrentRole = async (id: UserId) => {
    const claim = await findRoleClaim(db, id);
    return claim && claim.suspendedAt === null ? findRole(claim, adminEmails) : null;
  };
  const makerRole = await findCurrentRole(createdBy);
  if (makerRole === null) return false;
  const maker = { role: makerRole, isAdmin: isAdminRole(makerRole) };
  if (purpose === 'invitation') return mayChangeRole(maker, 'member', role ?? 'member');
  const target = userId && (await findCurrentRole(userId));
  return target !== null && mayChangeRole(maker, target, target);
}
