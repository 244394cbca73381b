import { and, eq, lt, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Role } from '#contract/permissions.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { signIns, users } from '#server/kernel/database/schema.ts';
import { changeDrivers } from '#server/boards/change-laps.ts';
import { LOCAL_ISSUER } from './identity.ts';
import type { Identity } from './identity.ts';

export type SignedInUser = {
  id: string;
  role: Role;
  email: string | null;
  emailVerified: boolean;
  /** Up to where a replica must have replayed to show the viewer's own changes; null before the first one. */
  replayPosition: string | null;
};

const FIND_SIGNED_IN_USER = {
  name: 'find-signed-in-user',
  text: `
    SELECT users.id, users.role, users.email, users.email_verified AS "emailVerified",
      replay_positions.position::text AS "replayPosition"
    FROM sign_ins JOIN users ON users.id = sign_ins.user_id
      LEFT JOIN replay_positions ON replay_positions.user_id = users.id
    WHERE sign_ins.token_sha256 = $1 AND sign_ins.expires_at > now()
      AND ($2 OR users.issuer <> '${LOCAL_ISSUER}')`,
};

/** Whose sign-in this is, as long as it has not ended. */
export async function findSignedInUser(
  pool: Pool,
  tokenSha256: string,
  acceptsLocalAccounts: boolean,
): Promise<SignedInUser | undefined> {
  const { rows } = await pool.query<SignedInUser>({
    ...FIND_SIGNED_IN_USER,
    values: [tokenSha256, acceptsLocalAccounts],
  });
  return rows[0];
}

/** Makes or refreshes the user behind `identity`; what the driver has chosen here stays. Gives the user's id. */
export async function upsertUser(db: Database, identity: Identity): Promise<string> {
  const { issuer, subject, ...claims } = identity;
  return await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ id: users.id, fullName: users.fullName })
      .from(users)
      .where(and(eq(users.issuer, issuer), eq(users.subject, subject)));
    const upsert = async () => {
      const [row] = await tx
        .insert(users)
        .values(identity)
        .onConflictDoUpdate({ target: [users.issuer, users.subject], set: claims })
        .returning({ id: users.id });
      if (!row) throw new Error(`The user ${subject} of ${issuer} was neither inserted nor found.`);
      return row.id;
    };
    const isShownOtherwise = before && before.fullName !== claims.fullName;
    return await (isShownOtherwise ? changeDrivers(tx, [before.id], upsert) : upsert());
  });
}

export async function insertSignIn(
  db: Database,
  tokenSha256: string,
  signIn: { userId: string; lastsMs: number },
): Promise<void> {
  await db.insert(signIns).values({
    tokenSha256,
    userId: signIn.userId,
    expiresAt: sql`now() + ${signIn.lastsMs} * interval '1 millisecond'`,
  });
}

export async function removeSignIn(db: Database, tokenSha256: string): Promise<void> {
  await db.delete(signIns).where(eq(signIns.tokenSha256, tokenSha256));
}

export async function removeExpiredSignIns(db: Database): Promise<void> {
  await db.delete(signIns).where(lt(signIns.expiresAt, sql`now()`));
}
