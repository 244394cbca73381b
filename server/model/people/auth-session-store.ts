import { and, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { z } from 'zod';
import { type AuthSessionId, type UserId, userIdSchema } from '#contract/ids.ts';
import { ROLES } from '#contract/people/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { changeDrivers } from '#server/model/boards/change-laps.ts';
import { IS_LEAVING } from './driver-name.ts';
import { makeNameFree } from './name-store.ts';
import { lockUsers } from './ending-store.ts';
import { DEMO_ISSUER, type Identity, LOCAL_ISSUER } from './identity.ts';
import { linkedIdentities, signIns, users } from './schema.ts';

const signedInUserRow = z.object({
  id: userIdSchema,
  role: z.enum(ROLES),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  /** Holds the position in the write-ahead log after the viewer's last change; null before the first one. */
  replayPosition: z.string().nullable(),
  /** Is true where the device was last recorded as seen more than ten minutes ago. */
  isSeenLongAgo: z.boolean(),
  /** Is true where the user signed in more than twelve hours ago. */
  isOlderThanHalfDay: z.boolean(),
  /** Is true where the account is to be deleted. */
  isLeaving: z.boolean(),
});

export type SignedInUser = z.infer<typeof signedInUserRow>;

const FIND_SIGNED_IN_USER = {
  name: 'find-signed-in-user',
  text: `
    SELECT users.id, users.role, users.email, users.email_verified AS "emailVerified",
      replay_positions.position::text AS "replayPosition",
      sign_ins.last_seen_at < now() - interval '10 minutes' AS "isSeenLongAgo",
      sign_ins.created_at < now() - interval '12 hours' AS "isOlderThanHalfDay",
      ${IS_LEAVING} AS "isLeaving"
    FROM sign_ins JOIN users ON users.id = sign_ins.user_id
      LEFT JOIN replay_positions ON replay_positions.user_id = users.id
    WHERE sign_ins.token_sha256 = $1 AND sign_ins.expires_at > now() AND users.suspended_at IS NULL
      AND ($2 OR users.issuer NOT IN ('${LOCAL_ISSUER}', '${DEMO_ISSUER}'))`,
};

/** Finds the user of a sign-in, as long as it has not ended. */
export async function findSignedInUser(
  pool: Pool,
  tokenSha256: string,
  acceptsLocalAccounts: boolean,
): Promise<SignedInUser | undefined> {
  const [user] = await queryRows(pool, signedInUserRow, {
    ...FIND_SIGNED_IN_USER,
    values: [tokenSha256, acceptsLocalAccounts],
  });
  return user;
}

/**
 * Inserts or updates the user of `identity` and keeps the settings that the driver has chosen here; returns the user's
 * id.
 */
export async function upsertUser(db: Database, identity: Identity): Promise<UserId> {
  const { issuer, subject } = identity;
  return await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ id: users.id, fullName: users.fullName })
      .from(users)
      .where(and(eq(users.issuer, issuer), eq(users.subject, subject)));
    const isSameName = before !== undefined && before.fullName === identity.fullName;
    const named = isSameName ? identity : await makeNameFree(tx, before?.id ?? null, identity);
    const { issuer: _issuer, subject: _subject, ...claims } = named;
    const upsert = async () => {
      const [row] = await tx
        .insert(users)
        .values(named)
        .onConflictDoUpdate({ target: [users.issuer, users.subject], set: claims })
        .returning({ id: users.id });
      if (!row) throw new Error(`The user ${subject} of ${issuer} was neither inserted nor found.`);
      return row.id;
    };
    const isShownOtherwise = before && before.fullName !== claims.fullName;
    return await (isShownOtherwise ? changeDrivers(tx, [before.id], upsert) : upsert());
  });
}

/** Returns the user whom an identity signs in: the one it is linked to, else its own, inserted or updated. */
export async function findIdentityUser(tx: Database, identity: Identity): Promise<UserId> {
  const linkedTo = await findLinkedUser(tx, identity);
  if (linkedTo) await lockUsers(tx, [linkedTo]);
  // The link may have ended while this transaction waited for the lock.
  return (linkedTo && (await findLinkedUser(tx, identity))) ?? (await upsertUser(tx, identity));
}

async function findLinkedUser(
  db: Database,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<UserId | undefined> {
  const [row] = await db
    .select({ userId: linkedIdentities.userId })
    .from(linkedIdentities)
    .where(and(eq(linkedIdentities.issuer, issuer), eq(linkedIdentities.subject, subject)));
  return row?.userId;
}

/** Links an identity to a user; returns false where it belongs to another one. */
export async function linkIdentity(
  db: Database,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  userId: UserId,
): Promise<boolean> {
  const ofItsOwn = and(eq(users.issuer, issuer), eq(users.subject, subject));
  if ((await db.$count(users, ofItsOwn)) > 0) return false;
  await db.insert(linkedIdentities).values({ issuer, subject, userId }).onConflictDoNothing();
  return (await findLinkedUser(db, { issuer, subject })) === userId;
}

export async function countLinkedIdentities(db: Database, userId: UserId): Promise<number> {
  return await db.$count(linkedIdentities, eq(linkedIdentities.userId, userId));
}

export async function isSuspended(db: Database, userId: UserId): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, userId), isNotNull(users.suspendedAt)))) > 0;
}

/** Records that a device is in use. */
export async function touchSignIn(db: Database, tokenSha256: string): Promise<void> {
  await db
    .update(signIns)
    .set({ lastSeenAt: sql`now()` })
    .where(eq(signIns.tokenSha256, tokenSha256));
}

/** Finds the auth session of a token: its device, its user, and whether the user has signed in within the last 15 minutes. */
export async function findAuthSession(
  db: Database,
  tokenSha256: string,
): Promise<{ id: AuthSessionId; userId: UserId; isRecent: boolean } | undefined> {
  const isRecent = sql`${signIns.createdAt} > now() - interval '15 minutes'`.mapWith(Boolean);
  const [row] = await db
    .select({ id: signIns.id, userId: signIns.userId, isRecent })
    .from(signIns)
    .where(eq(signIns.tokenSha256, tokenSha256));
  return row;
}

export async function insertSignIn(
  db: Database,
  tokenSha256: string,
  signIn: { userId: UserId; lastsMs: number; userAgent?: string | null },
): Promise<void> {
  await db.insert(signIns).values({
    tokenSha256,
    userId: signIn.userId,
    userAgent: signIn.userAgent ?? null,
    expiresAt: sql`now() + ${signIn.lastsMs} * interval '1 millisecond'`,
  });
}

/** Lists those of the given sessions that have not ended, and whose user stays, by the hashes of their tokens. */
export async function listLiveSessions(db: Database, tokensSha256: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ tokenSha256: signIns.tokenSha256 })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(
      and(
        inArray(signIns.tokenSha256, [...tokensSha256]),
        gt(signIns.expiresAt, sql`now()`),
        isNull(users.suspendedAt),
        isNull(users.deletionDueAt),
      ),
    );
  return rows.map(({ tokenSha256 }) => tokenSha256);
}

export async function pruneSignIns(db: Database): Promise<void> {
  await db.delete(signIns).where(lt(signIns.expiresAt, sql`now()`));
}

/** Reads the row of one auth session as text; null where it has ended. \`replaceAuthSessions\` takes it. */
export async function readAuthSessionRow(tx: Database, id: AuthSessionId): Promise<string | null> {
  const [found] = await tx
    .select({ row: sql`sign_ins::text`.mapWith(String) })
    .from(signIns)
    .where(eq(signIns.id, id));
  return found?.row ?? null;
}

/**
 * Ends all auth sessions except the one whose row is given. That one ends too where its user is deleted or suspended.
 */
export async function replaceAuthSessions(tx: Database, row: string | null): Promise<void> {
  await tx.delete(signIns);
  if (row === null) return;
  await tx.execute(sql`
    INSERT INTO sign_ins SELECT (kept).* FROM (SELECT ${row}::text::sign_ins AS kept OFFSET 0) AS source
    WHERE EXISTS (SELECT FROM users WHERE id = (kept).user_id AND suspended_at IS NULL)`);
}
