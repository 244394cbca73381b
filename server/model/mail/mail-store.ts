import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { noticeIdSchema, type UserId, userIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows, readAs } from '#server/kernel/database/query-rows.ts';
import { IS_MUTED_IN_MAIL } from '#server/model/notices/notice-store.ts';
import { PERSON_NAME } from '#server/model/people/driver-name.ts';
import { passwords } from '#server/model/people/schema.ts';
import { mailDigests } from './schema.ts';
import { users } from '#server/model/people/schema.ts';

/** Finds an account of this server that may sign in by its email address in lower case. */
export async function findAccountByEmail(
  db: Database,
  email: string,
): Promise<{ userId: UserId } | undefined> {
  const [row] = await db
    .select({ userId: users.id })
    .from(passwords)
    .innerJoin(users, eq(users.id, passwords.userId))
    .where(and(eq(passwords.email, email), isNull(users.suspendedAt)));
  return row;
}

export type Recipient = {
  name: string | null;
  email: string | null;
  emailVerified: boolean;
  emailUpdates: boolean;
};

/** Finds the recipient of a mail; undefined for deleted and suspended users. */
export async function findRecipient(db: Database, userId: UserId): Promise<Recipient | undefined> {
  const [row] = await db
    .select({
      name: readAs(z.string().nullable(), sql.raw(PERSON_NAME)),
      email: users.email,
      emailVerified: users.emailVerified,
      emailUpdates: users.emailUpdates,
    })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.suspendedAt)));
  return row;
}

const dueRow = z.object({
  userId: userIdSchema,
  afterNoticeId: noticeIdSchema,
  untilNoticeId: noticeIdSchema,
});

/** Holds the range of a digest's notices: after the first id, up to the last one. */
export type DueDigest = z.infer<typeof dueRow>;

/**
 * Lists up to `limit` users after `afterUserId` who want mail and have notices that no digest included. Notices older than two
 * days are left out, so that a user who switches the mails on does not get the notices of months.
 */
export async function listDueDigests(
  db: Database,
  { day, afterUserId, limit }: { day: string; afterUserId: UserId; limit: number },
): Promise<DueDigest[]> {
  const query = sql`
    SELECT users.id AS "userId", coalesce(max(sent.until_notice_id), 0)::float8 AS "afterNoticeId",
      max(notices.id)::float8 AS "untilNoticeId"
    FROM users
      LEFT JOIN mail_digests AS sent ON sent.user_id = users.id
      JOIN notices ON notices.user_id = users.id AND notices.id > coalesce(sent.until_notice_id, 0)
        AND notices.created_at > now() - interval '2 days' AND NOT ${IS_MUTED_IN_MAIL}
    WHERE users.email_updates AND users.email_verified AND users.email IS NOT NULL AND users.suspended_at IS NULL
      AND users.deletion_due_at IS NULL AND users.id > ${afterUserId} AND coalesce(sent.day < ${day}, true)
    GROUP BY users.id ORDER BY users.id LIMIT ${limit}`;
  return await executeRows(db, dueRow, query);
}

/** Records that a user gets a digest on `day`; returns false where they had one, so that only one copy of the server sends it. */
export async function claimDigest(
  tx: Database,
  { userId, untilNoticeId, day }: DueDigest & { day: string },
): Promise<boolean> {
  const rows = await tx
    .insert(mailDigests)
    .values({ userId, day, untilNoticeId })
    .onConflictDoUpdate({
      target: mailDigests.userId,
      set: { day, untilNoticeId },
      setWhere: sql`${mailDigests.day} < ${day}`,
    })
    .returning({ userId: mailDigests.userId });
  return rows.length > 0;
}

/** Marks today's digests of all users as sent, up to the latest notice, so that a restored backup sends nothing again. */
export async function skipDigests(tx: Database): Promise<void> {
  await tx.execute(sql`
    INSERT INTO mail_digests (user_id, day, until_notice_id)
    SELECT users.id, current_date, (SELECT coalesce(max(notices.id), 0) FROM notices) FROM users
    ON CONFLICT (user_id) DO UPDATE SET day = excluded.day, until_notice_id = excluded.until_notice_id`);
}
