import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { UserId } from '#contract/ids.ts';
import { isAdminRole, isLower, mayChangeRole, type Role, type Viewer } from '#contract/people/labels.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { endByEvent } from './ending-store.ts';
import { users } from './schema.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findRoleClaim } from './people-store.ts';
import { findRole, isOwnerBySettings } from './roles.ts';

const ADMINISTRATORS_LISTED_MAX = 1_000;

/**
 * Grants or revokes administration for the users with this verified email address, and records it in the audit log;
 * returns the number of users. The first administrator is an owner. An email address that no provider has verified
 * could be anybody's, so it is never granted anything.
 */
export async function setAdministrator(db: Database, email: string, isAdmin: boolean): Promise<number> {
  return await db.transaction(async (tx) => {
    await lockRoles(tx);
    const hadOwner = await hasOtherOwner(tx, null);
    const granted: Role = hadOwner ? 'admin' : 'owner';
    const isAddressee = sql`lower(${users.email}) = ${email.toLowerCase()}`;
    const isVerified = isAdmin ? eq(users.emailVerified, true) : undefined;
    const changed = await tx
      .update(users)
      .set({
        // Owners stay owners when administration is granted to them again.
        role: isAdmin ? sql`CASE WHEN ${users.role} = 'owner' THEN 'owner' ELSE ${granted} END` : 'member',
      })
      .where(and(isAddressee, isVerified))
      .returning({ id: users.id });
    // The error rolls the revocation back.
    if (!isAdmin && hadOwner && !(await hasOtherOwner(tx, null)))
      throw new AppError(
        'conflict',
        'This is the last owner. Grant administration to another address first.',
      );
    const action = isAdmin ? 'grant-administration' : 'revoke-administration';
    for (const { id } of changed) {
      if (!isAdmin) await endByEvent(tx, 'roleLowered', { userId: id });
      await insertAuditEntry(tx, { userId: null, action, subject: id, counts: {} });
    }
    return changed.length;
  });
}

/** Lists the email addresses of administrators and owners in order, except for those by settings alone. */
export async function listAdministrators(db: Database): Promise<string[]> {
  const rows = await db
    .select({ email: users.email, id: users.id, role: users.role })
    .from(users)
    .where(inArray(users.role, ['admin', 'owner']))
    .orderBy(asc(users.email), asc(users.id))
    .limit(ADMINISTRATORS_LISTED_MAX);
  return rows.map(({ email, id, role }) => `${email ?? `user ${id}`}${role === 'owner' ? ' (owner)' : ''}`);
}

type RoleChange = { userId: UserId; role: Role; adminEmails: ReadonlySet<string> };

/**
 * Checks that the viewer may give a user another role; returns the user.
 * @throws AppError `not_allowed`, `not_found`, and `conflict` where the settings of the server make the user an owner
 */
export async function checkMayChangeRole(
  db: Database,
  viewer: Viewer,
  { userId, role, adminEmails }: RoleChange,
): Promise<{ role: Role }> {
  const [user] = await db
    .select({ role: users.role, email: users.email, emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) throw new AppError('not_found', 'There is no such driver.');
  const isBySettings = isOwnerBySettings(user, adminEmails);
  if (!mayChangeRole(viewer, isBySettings ? 'owner' : user.role, role))
    throw new AppError('not_allowed', 'Only owners make and unmake administrators and owners.');
  if (isBySettings && role !== 'owner')
    throw new AppError('conflict', 'The settings of the server make this driver an owner.');
  return user;
}

/**
 * Changes the role of a user and records it in the audit log; the same role again changes nothing.
 * @throws AppError `not_allowed` where the viewer may not give the role, `not_found`, and `conflict` where no owner
 * would be left or the settings of the server make the user an owner
 */
export async function changeRole(db: Database, caller: Viewer, change: RoleChange): Promise<void> {
  const { userId, role, adminEmails } = change;
  await db.transaction(async (tx) => {
    await lockRoles(tx);
    // Another change may have taken the role from the caller while this one waited.
    const viewer = await getViewerNow(tx, caller, adminEmails);
    const user = await checkMayChangeRole(tx, viewer, change);
    if (user.role === role) return;
    if (user.role === 'owner') await checkIsNotLastOwner(tx, userId);
    await tx.update(users).set({ role }).where(eq(users.id, userId));
    if (isLower(role, user.role)) await endByEvent(tx, 'roleLowered', { userId });
    await insertAuditEntry(tx, {
      userId: viewer.id,
      action: 'change-role',
      subject: userId,
      counts: {},
      changes: { role: [user.role, role] },
    });
  });
}

async function getViewerNow(tx: Database, { id }: Viewer, adminEmails: ReadonlySet<string>): Promise<Viewer> {
  const claim = await findRoleClaim(tx, id);
  if (!claim || claim.suspendedAt !== null) throw new AppError('not_signed_in', 'Please sign in first.');
  const role = findRole(claim, adminEmails);
  return { id, role, isAdmin: isAdminRole(role) };
}

/**
 * Checks that an owner is left after an account is removed. Call it before the removal, in the same transaction.
 * @throws AppError `conflict` where the account is the only one that owns this server
 */
export async function checkLeavesAnOwner(tx: Database, userId: UserId): Promise<void> {
  await lockRoles(tx);
  const [user] = await tx.select({ role: users.role }).from(users).where(eq(users.id, userId));
  if (user?.role === 'owner') await checkIsNotLastOwner(tx, userId);
}

async function checkIsNotLastOwner(tx: Database, userId: UserId): Promise<void> {
  if (await hasOtherOwner(tx, userId)) return;
  throw new AppError('conflict', 'This is the last owner. Make another driver an owner first.');
}

/**
 * Checks whether this server has an owner who may sign in. Call it within a transaction: concurrent callers wait for
 * each other.
 */
export async function hasOwner(tx: Database): Promise<boolean> {
  await lockRoles(tx);
  return await hasOtherOwner(tx, null);
}

/** Serializes changes of roles: two owners could otherwise revoke each other's role at once. */
async function lockRoles(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('roles', 0))`);
}

async function hasOtherOwner(tx: Database, userId: UserId | null): Promise<boolean> {
  const isOther = userId === null ? undefined : ne(users.id, userId);
  // A suspended owner could not let anybody in again, and an owner who leaves is soon gone.
  const stays = and(isNull(users.suspendedAt), isNull(users.deletionDueAt));
  return (await tx.$count(users, and(eq(users.role, 'owner'), stays, isOther))) > 0;
}

/** Lists the owners, those by a verified address in the settings included, without people who leave. */
export async function listOwnerIds(db: Database, adminEmails: ReadonlySet<string>): Promise<UserId[]> {
  return await listIdsWithRoles(db, ['owner'], adminEmails);
}

/** Lists the administrators and owners, as `listOwnerIds` lists owners. */
export async function listAdministratorIds(
  db: Database,
  adminEmails: ReadonlySet<string>,
): Promise<UserId[]> {
  return await listIdsWithRoles(db, ['admin', 'owner'], adminEmails);
}

async function listIdsWithRoles(
  db: Database,
  roles: Role[],
  adminEmails: ReadonlySet<string>,
): Promise<UserId[]> {
  const isOwner = or(
    inArray(users.role, roles),
    and(eq(users.emailVerified, true), inArray(sql`lower(${users.email})`, [...adminEmails])),
  );
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isOwner, isNull(users.deletionDueAt), isNull(users.suspendedAt)))
    .orderBy(asc(users.id))
    .limit(ADMINISTRATORS_LISTED_MAX);
  return rows.map(({ id }) => id);
}
