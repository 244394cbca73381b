import { and, asc, count, desc, eq, sql } from 'drizzle-orm';
import type { AuthSessionId, PasskeyId, UserId } from '#contract/ids.ts';
import type { Role } from '#contract/people/labels.ts';
import { OWN_ISSUER } from './identity.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { passkeys, passwords, recoveryCodes, signIns, users } from './schema.ts';

/** Finds the password of an email address in lower case; its hash is null where the password has ended. */
export async function findPassword(
  db: Database,
  email: string,
): Promise<{ userId: UserId; hash: string | null } | undefined> {
  const { userId, hash } = passwords;
  const [row] = await db.select({ userId, hash }).from(passwords).where(eq(passwords.email, email));
  return row;
}

export async function findOwnPassword(
  db: Database,
  userId: UserId,
): Promise<{ email: string; hash: string | null } | undefined> {
  const { email, hash } = passwords;
  const [row] = await db.select({ email, hash }).from(passwords).where(eq(passwords.userId, userId));
  return row;
}

/** Stores a user's first password; returns false where another account signs in with the email address already. */
export async function insertPassword(
  db: Database,
  password: { userId: UserId; email: string; hash: string },
): Promise<boolean> {
  const inserted = await db
    .insert(passwords)
    .values(password)
    .onConflictDoNothing({ target: passwords.email })
    .returning({ userId: passwords.userId });
  return inserted.length > 0;
}

/** Replaces the password of a user; returns false where they have none. */
export async function updatePassword(db: Database, userId: UserId, hash: string): Promise<boolean> {
  const changed = await db
    .update(passwords)
    .set({ hash, changedAt: sql`now()` })
    .where(eq(passwords.userId, userId))
    .returning({ userId: passwords.userId });
  return changed.length > 0;
}

/**
 * Records that an email address belongs to its user, as long as the user still has it; returns true where that was not
 * known before.
 */
export async function confirmEmail(tx: Database, userId: UserId, email: string): Promise<boolean> {
  const isFirst = and(
    eq(users.id, userId),
    eq(users.emailVerified, false),
    sql`lower(${users.email}) = ${email}`,
  );
  const changed = await tx
    .update(users)
    .set({ emailVerified: true })
    .where(isFirst)
    .returning({ id: users.id });
  return changed.length > 0;
}

/** Inserts a user whose account is one of this server; returns the id. */
export async function insertOwnUser(
  db: Database,
  user: { firstName: string; lastName: string; email: string; emailVerified: boolean; role: Role },
): Promise<UserId> {
  const fullName = `${user.firstName} ${user.lastName}`;
  const [row] = await db
    .insert(users)
    .values({ ...user, fullName, issuer: OWN_ISSUER, subject: sql`gen_random_uuid()::text` })
    .returning({ id: users.id });
  if (!row) throw new Error('The user was not inserted.');
  return row.id;
}

/** Returns the fields of a user that their credentials need. */
export async function getCredentialOwner(db: Database, userId: UserId) {
  const { issuer, email, emailVerified, fullName } = users;
  const [row] = await db
    .select({ issuer, email, emailVerified, fullName })
    .from(users)
    .where(eq(users.id, userId));
  if (!row) throw new Error(`There is no user ${userId}.`);
  return row;
}

export type Passkey = typeof passkeys.$inferSelect;

export async function findPasskey(db: Database, credentialId: string): Promise<Passkey | undefined> {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row;
}

export async function findPasskeyOwner(db: Database, id: PasskeyId): Promise<UserId | undefined> {
  const [row] = await db.select({ userId: passkeys.userId }).from(passkeys).where(eq(passkeys.id, id));
  return row?.userId;
}

/** Lists the passkeys of a user, oldest first. There are at most PASSKEYS_MAX. */
export async function listPasskeys(db: Database, userId: UserId): Promise<Passkey[]> {
  return await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

/** Inserts a passkey; returns false where it is registered already, for this user or another. */
export async function insertPasskey(db: Database, passkey: typeof passkeys.$inferInsert): Promise<boolean> {
  const inserted = await db
    .insert(passkeys)
    .values(passkey)
    .onConflictDoNothing({ target: passkeys.credentialId })
    .returning({ id: passkeys.id });
  return inserted.length > 0;
}

export async function updatePasskeyUse(db: Database, id: PasskeyId, counter: number): Promise<void> {
  await db
    .update(passkeys)
    .set({ counter, lastUsedAt: sql`now()` })
    .where(eq(passkeys.id, id));
}

export async function renamePasskey(db: Database, id: PasskeyId, name: string): Promise<void> {
  await db.update(passkeys).set({ name }).where(eq(passkeys.id, id));
}

export async function insertRecoveryCodes(
  db: Database,
  userId: UserId,
  codesSha256: readonly string[],
): Promise<void> {
  await db.insert(recoveryCodes).values(codesSha256.map((codeSha256) => ({ userId, codeSha256 })));
}

/** Finds the user with this e-mail address and recovery code, which stays valid, in one query: unknown addresses take as long. */
export async function findRecoveryCodeOwner(
  db: Database,
  email: string,
  codeSha256: string,
): Promise<UserId | undefined> {
  const [row] = await db
    .select({ userId: passwords.userId })
    .from(passwords)
    .innerJoin(recoveryCodes, eq(recoveryCodes.userId, passwords.userId))
    .where(and(eq(passwords.email, email), eq(recoveryCodes.codeSha256, codeSha256)));
  return row?.userId;
}

/** Redeems a recovery code; returns false where the user has no such code, or has used it. */
export async function redeemRecoveryCode(db: Database, userId: UserId, codeSha256: string): Promise<boolean> {
  const used = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeSha256, codeSha256)))
    .returning({ userId: recoveryCodes.userId });
  return used.length > 0;
}

export async function countRecoveryCodes(db: Database, userId: UserId): Promise<number> {
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  return row?.left ?? 0;
}

const DEVICES_LISTED_MAX = 100;

/** Lists the auth sessions of a user that have not ended, the one used last first. */
export async function listDevices(db: Database, userId: UserId) {
  const { id, tokenSha256, createdAt, lastSeenAt, userAgent, expiresAt } = signIns;
  return await db
    .select({ id, tokenSha256, createdAt, lastSeenAt, userAgent })
    .from(signIns)
    .where(and(eq(signIns.userId, userId), sql`${expiresAt} > now()`))
    .orderBy(desc(lastSeenAt), asc(id))
    .limit(DEVICES_LISTED_MAX);
}

export async function findDeviceOwner(db: Database, id: AuthSessionId): Promise<UserId | undefined> {
  const [row] = await db.select({ userId: signIns.userId }).from(signIns).where(eq(signIns.id, id));
  return row?.userId;
}
