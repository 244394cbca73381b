import { and, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { DRIVER_NAME } from './driver-name.ts';
import { oneTimeTokens, users } from './schema.ts';

/** The time for which an account can be kept after its owner has deleted it. */
export const KEEPABLE_DAYS = 7;

/** Finds the name that others see of a user, and when the account is deleted; null where it stays. */
export async function findDeletion(db: Database, userId: UserId) {
  const { deletionDueAt, email } = users;
  const [row] = await db
    .select({ name: readAs(z.string(), sql.raw(DRIVER_NAME)), deletionDueAt, email })
    .from(users)
    .where(eq(users.id, userId));
  return row;
}

/** Has an account deleted in seven days; returns the time. A time that is set already stays. */
export async function setDeletionDue(tx: Database, userId: UserId): Promise<Date> {
  const due = sql`coalesce(${users.deletionDueAt}, now() + ${KEEPABLE_DAYS}::int * interval '1 day')`;
  const [row] = await tx
    .update(users)
    .set({ deletionDueAt: due })
    .where(eq(users.id, userId))
    .returning({ deletionDueAt: users.deletionDueAt });
  if (!row?.deletionDueAt) throw new Error(`There is no user ${userId}.`);
  return row.deletionDueAt;
}

/** Takes the deletion of an account back; returns false where none was set. */
export async function clearDeletionDue(tx: Database, userId: UserId): Promise<boolean> {
  const rows = await tx
    .update(users)
    .set({ deletionDueAt: null })
    .where(and(eq(users.id, userId), isNotNull(users.deletionDueAt)))
    .returning({ id: users.id });
  return rows.length > 0;
}

/** Lists the users whose seven days are over. */
export async function listDueDeletions(db: Database): Promise<UserId[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(lte(users.deletionDueAt, sql`now()`));
  return rows.map(({ id }) => id);
}

export async function isDeletionDue(tx: Database, userId: UserId): Promise<boolean> {
  return (await tx.$count(users, and(eq(users.id, userId), lte(users.deletionDueAt, sql`now()`)))) > 0;
}

/** Deletes the links that were made for the e-mail addresses of users who are about to be deleted. */
export async function deleteLinksFor(tx: Database, emails: readonly string[]): Promise<void> {
  for (const email of emails)
    await tx.delete(oneTimeTokens).where(eq(oneTimeTokens.email, email.toLowerCase()));
}

/** Lists the e-mail addresses of users. */
export async function listEmails(tx: Database, userIds: readonly UserId[]): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email })
    .from(users)
    .where(sql`${users.id} = ANY(${sql.param(userIds)}::uuid[]) AND ${users.email} IS NOT NULL`);
  return rows.flatMap(({ email }) => email ?? []);
}
