import { and, asc, count, eq, inArray, isNull, like, sql, sum } from 'drizzle-orm';
import { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import type { Person } from '#contract/people/administration.ts';
import { isOwnerBySettings } from './roles.ts';
import { escapePattern } from '#server/model/cars/car-store.ts';
import { endByEvent } from './ending-store.ts';
import { passwords, users } from './schema.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { isoSeconds, readAs } from '#server/kernel/database/query-rows.ts';
import { DRIVER_NAME } from './driver-name.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { sessionBests } from '#server/model/boards/schema.ts';

const LAST_SEEN_AT = '(SELECT max(last_seen_at) FROM sign_ins WHERE sign_ins.user_id = users.id)';

/**
 * Lists a page of the users whose names or email addresses contain every word of `q`, seen last first, with the total count.
 */
export async function listPeople(
  db: Database,
  { q, limit, offset }: { q: string; limit: number; offset: number },
  adminEmails: ReadonlySet<string>,
): Promise<{ people: Person[]; total: number }> {
  const { id, email, emailVerified, role, suspendedAt, deletionDueAt, displayName, fullName } = users;
  const text = sql`lower(concat_ws(' ', ${displayName}, ${fullName}, ${email}))`;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const condition = and(...words.map((word) => like(text, `%${escapePattern(word)}%`)));
  const rows = await db
    .select({
      id,
      name: readAs(z.string(), sql.raw(DRIVER_NAME)),
      email,
      emailVerified,
      role,
      suspendedAt,
      deletionDueAt,
      hasPassword: sql`EXISTS (SELECT FROM ${passwords} WHERE ${passwords.userId} = users.id)`.mapWith(
        Boolean,
      ),
      lastSeenAt: readAs(z.string().nullable(), sql.raw(isoSeconds(LAST_SEEN_AT))),
    })
    .from(users)
    .where(condition)
    .orderBy(sql.raw(`${LAST_SEEN_AT} DESC NULLS LAST`), asc(fullName), asc(id))
    .limit(limit)
    .offset(offset);
  const ids = rows.map((row) => row.id);
  const [sessionCounts, lapCounts] = [await countSessions(db, ids), await countLaps(db, ids)];
  const owners = await listTwoOwners(db);
  const people = rows.map(({ email, emailVerified, suspendedAt, deletionDueAt, ...row }) => {
    const isBySettings = isOwnerBySettings({ email, emailVerified }, adminEmails);
    const isLastOwner = row.role === 'owner' && owners.every((owner) => owner.id === row.id);
    return {
      ...row,
      isLastOwner,
      isRoleFixed: isLastOwner || isBySettings,
      sessionCount: sessionCounts.get(row.id) ?? 0,
      lapCount: lapCounts.get(row.id) ?? 0,
      role: isBySettings ? ('owner' as const) : row.role,
      isSuspended: suspendedAt !== null,
      isLeaving: deletionDueAt !== null,
    };
  });
  return { people, total: await db.$count(users, condition) };
}

/** Lists two owners at most, of those who count at a change of a role: suspended people and those who leave do not. */
async function listTwoOwners(db: Database): Promise<{ id: UserId }[]> {
  const { id, role, suspendedAt, deletionDueAt } = users;
  return await db
    .select({ id })
    .from(users)
    .where(and(eq(role, 'owner'), isNull(suspendedAt), isNull(deletionDueAt)))
    .limit(2);
}

async function countSessions(db: Database, userIds: UserId[]): Promise<Map<UserId, number>> {
  const rows = await db
    .select({ userId: sessions.userId, count: count() })
    .from(sessions)
    .where(inArray(sessions.userId, userIds))
    .groupBy(sessions.userId);
  return new Map(rows.map((row) => [row.userId, row.count]));
}

async function countLaps(db: Database, userIds: UserId[]): Promise<Map<UserId, number>> {
  const rows = await db
    .select({ userId: sessionBests.userId, count: sum(sessionBests.lapCount).mapWith(Number) })
    .from(sessionBests)
    .where(inArray(sessionBests.userId, userIds))
    .groupBy(sessionBests.userId);
  return new Map(rows.map((row) => [row.userId, row.count]));
}

/** Finds the role and email address of a user, which decide who may change the user; undefined where there is none. */
export async function findRoleClaim(db: Database, userId: UserId) {
  const { role, email, emailVerified, suspendedAt } = users;
  const [row] = await db
    .select({ role, email, emailVerified, suspendedAt })
    .from(users)
    .where(eq(users.id, userId));
  return row;
}

/** Suspends a user, or lets them in again. */
export async function setSuspended(tx: Database, userId: UserId, isSuspended: boolean): Promise<void> {
  const suspendedAt = isSuspended ? sql`now()` : null;
  await tx.update(users).set({ suspendedAt }).where(eq(users.id, userId));
  await endByEvent(tx, isSuspended ? 'suspended' : 'restored', { userId });
}
