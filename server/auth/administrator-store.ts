import { and, asc, eq, sql } from 'drizzle-orm';
import { insertAuditEntry } from '#server/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { users } from '#server/kernel/database/schema.ts';

const ADMINISTRATORS_LISTED_MAX = 1_000;

/**
 * Grants or revokes administration for the users whose verified address this is, and notes it; gives how many there are.
 * An address that no provider has verified could be anybody's, so it is never granted anything.
 */
export async function setAdministrator(db: Database, email: string, isAdmin: boolean): Promise<number> {
  return await db.transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ isAdmin })
      .where(
        and(
          sql`lower(${users.email}) = ${email.toLowerCase()}`,
          isAdmin ? eq(users.emailVerified, true) : undefined,
        ),
      )
      .returning({ id: users.id });
    const action = isAdmin ? 'grant-administration' : 'revoke-administration';
    for (const { id } of changed)
      await insertAuditEntry(tx, { userId: null, action, subject: id, counts: {} });
    return changed.length;
  });
}

/** The addresses of those who were granted administration by command, in order. */
export async function listAdministrators(db: Database): Promise<string[]> {
  const rows = await db
    .select({ email: users.email, id: users.id })
    .from(users)
    .where(eq(users.isAdmin, true))
    .orderBy(asc(users.email), asc(users.id))
    .limit(ADMINISTRATORS_LISTED_MAX);
  return rows.map(({ email, id }) => email ?? `user ${id}`);
}
