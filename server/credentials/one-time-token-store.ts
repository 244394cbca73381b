import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { hashToken, newToken } from '#server/auth/sign-in-cookie.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { oneTimeTokens } from '#server/kernel/database/credential-schema.ts';

export type OneTimeToken = typeof oneTimeTokens.$inferSelect;
export type TokenPurpose = OneTimeToken['purpose'];

type NewToken = Omit<typeof oneTimeTokens.$inferInsert, 'tokenSha256' | 'expiresAt' | 'id' | 'usesLeft'> & {
  lastsMs: number;
  usesLeft?: number;
  /** Where something else than a link carries it. */
  token?: string;
};

/** Keeps the hash of a new token; gives the token, which is known nowhere else. */
export async function insertOneTimeToken(
  db: Database,
  { lastsMs, usesLeft = 1, token = newToken(), ...given }: NewToken,
): Promise<{ token: string; id: string }> {
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

/** A token that can still be used. */
export async function findOneTimeToken(
  db: Database,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | undefined> {
  const [row] = await db.select().from(oneTimeTokens).where(isUsable(purpose, token));
  return row;
}

/** Redeems a token once, and gives it; undefined where it cannot be used any more. Of two calls at once, one gets the last use. */
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

/** Makes all tokens of a user for one purpose void. */
export async function removeOneTimeTokens(
  db: Database,
  purpose: TokenPurpose,
  userId: string,
): Promise<void> {
  await db
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.purpose, purpose), eq(oneTimeTokens.userId, userId)));
}
