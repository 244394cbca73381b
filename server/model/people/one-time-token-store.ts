import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { InvitationId, UserId } from '#contract/ids.ts';
import type { Role } from '#contract/people/labels.ts';
import { hashToken, newToken } from './auth-cookie.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { PERSON_NAME } from './driver-name.ts';
import { oneTimeTokens, users } from './schema.ts';

export type OneTimeToken = typeof oneTimeTokens.$inferSelect;
export type TokenPurpose = OneTimeToken['purpose'];

type NewToken = Omit<typeof oneTimeTokens.$inferInsert, 'tokenSha256' | 'expiresAt' | 'id' | 'usesLeft'> & {
  lastsMs: number;
  usesLeft?: number;
  /** Holds the token where something other than a link carries it. */
  token?: string;
};

/** Stores the hash of a new token; returns the token, which is stored nowhere. */
export async function insertOneTimeToken(
  db: Database,
  { lastsMs, usesLeft = 1, token = newToken(), ...given }: NewToken,
): Promise<{ token: string; id: InvitationId }> {
  await db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, sql`now()`));
  const [row] = await db
    .insert(oneTimeTokens)
    .values({
      ...given,
      usesLeft,
      tokenSha256: hashToken(token),
      expiresAt: sql`now() + ${lastsMs} * interval '1 millisecond'`,
    })
    .returning({ id: oneTimeTokens.id });
  if (!row) throw new Error('The token was not inserted.');
  return { token, id: row.id };
}

function isUsable(purpose: TokenPurpose, token: string) {
  return and(
    eq(oneTimeTokens.tokenSha256, hashToken(token)),
    eq(oneTimeTokens.purpose, purpose),
    gt(oneTimeTokens.usesLeft, 0),
    gt(oneTimeTokens.expiresAt, sql`now()`),
  );
}

/** Finds a token that can still be used. */
export async function findOneTimeToken(
  db: Database,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | undefined> {
  const [row] = await db.select().from(oneTimeTokens).where(isUsable(purpose, token));
  return row;
}

/**
 * Redeems a token once and returns it; undefined where it cannot be used any more. Of two calls at once, only one gets
 * the last use.
 */
export async function redeemOneTimeToken(
  db: Database,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | undefined> {
  const [row] = await db
    .update(oneTimeTokens)
    .set({ usesLeft: sql`${oneTimeTokens.usesLeft} - 1` })
    .where(isUsable(purpose, token))
    .returning();
  return row;
}

const INVITATIONS_LISTED_MAX = 500;

/** Lists the invitations that can still be used, the one that expires first at the top. */
export async function listInvitations(db: Database) {
  const { id, role, usesLeft, expiresAt, createdBy, purpose } = oneTimeTokens;
  return await db
    .select({
      id,
      role,
      usesLeft,
      expiresAt,
      createdBy: readAs(z.string().nullable(), sql.raw(PERSON_NAME)),
    })
    .from(oneTimeTokens)
    .leftJoin(users, eq(users.id, createdBy))
    .where(and(eq(purpose, 'invitation'), gt(usesLeft, 0), gt(expiresAt, sql`now()`)))
    .orderBy(asc(expiresAt), asc(id))
    .limit(INVITATIONS_LISTED_MAX);
}

/** Finds an invitation that can still be used. */
export async function findInvitation(db: Database, id: InvitationId): Promise<{ role: Role } | undefined> {
  const { purpose, usesLeft, expiresAt, role } = oneTimeTokens;
  const [row] = await db
    .select({ role })
    .from(oneTimeTokens)
    .where(
      and(eq(oneTimeTokens.id, id), eq(purpose, 'invitation'), gt(usesLeft, 0), gt(expiresAt, sql`now()`)),
    )
    .for('update');
  return row && { role: row.role ?? 'member' };
}

const LINKS_LISTED_MAX = 100;

/** Lists the invitations and password links that a user made and that can still be used, the one that expires first at the top. */
export async function listLinksMadeBy(db: Database, userId: UserId) {
  const { purpose, role, usesLeft, expiresAt, createdBy, userId: resetOf } = oneTimeTokens;
  const rows = await db
    .select({
      purpose,
      role,
      usesLeft,
      expiresAt,
      resetsPasswordOf: readAs(z.string().nullable(), sql.raw(PERSON_NAME)),
    })
    .from(oneTimeTokens)
    .leftJoin(users, eq(users.id, resetOf))
    .where(
      and(
        eq(createdBy, userId),
        inArray(purpose, ['invitation', 'reset']),
        gt(usesLeft, 0),
        gt(expiresAt, sql`now()`),
      ),
    )
    .orderBy(asc(expiresAt), asc(oneTimeTokens.id))
    .limit(LINKS_LISTED_MAX);
  return rows.map(({ purpose: kind, ...rest }) => ({
    ...rest,
    kind: kind === 'reset' ? ('reset' as const) : ('invitation' as const),
  }));
}

/** Deletes all one-time tokens: links and challenges of all users. */
export async function deleteOneTimeTokens(tx: Database): Promise<void> {
  await tx.delete(oneTimeTokens);
}
