import { and, asc, count, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { trackIdSchema, type UserId, userIdSchema } from '#contract/ids.ts';
import type { AuditAction } from '#contract/audit/labels.ts';
import { type AuditLogEntry, auditEntrySchema } from '#contract/audit/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { PERSON_NAME } from '#server/model/people/driver-name.ts';
import { auditLog } from './schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { users } from '#server/model/people/schema.ts';

/** Holds an action of an administrator, or of a driver on a session or a car of the library. */
export type AuditEntry = {
  /** The user; null for a command at the server's terminal. */
  userId: UserId | null;
  action: AuditAction;
  /** The id of the changed track, user or session, where it is a single one. */
  subject?: string;
  counts: Record<string, number>;
  /** The values before and after the change by field. */
  changes?: AuditLogEntry['changes'];
};

export async function insertAuditEntry(db: Database, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(entry);
}

export type AuditFilter = { action?: string | undefined; subject?: string | undefined };

const userName = readAs(z.string().nullable(), sql.raw(PERSON_NAME));

/** Lists a page of the log, latest first, with the total count. */
export async function listAuditEntries(
  db: Database,
  { limit, offset, ...filter }: { limit: number; offset: number } & AuditFilter,
): Promise<{ entries: AuditLogEntry[]; total: number }> {
  const { id, at, action, userId, subject, counts, changes } = auditLog;
  const condition = and(
    filter.action === undefined ? undefined : eq(action, filter.action),
    filter.subject === undefined ? undefined : eq(subject, filter.subject),
  );
  const rows = await db
    .select({
      id,
      at,
      action,
      userId,
      subject,
      counts,
      changes,
      userName,
    })
    .from(auditLog)
    .leftJoin(users, eq(users.id, userId))
    .where(condition)
    .orderBy(desc(at), asc(id))
    .limit(limit)
    .offset(offset);
  const [counted] = await db.select({ total: count() }).from(auditLog).where(condition);
  const names = await nameSubjects(
    db,
    rows.flatMap(({ subject }) => subject ?? []),
  );
  const entries = rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    subjectName: names.get(row.subject ?? '') ?? null,
  }));
  return { entries: z.array(auditEntrySchema).parse(entries), total: counted?.total ?? 0 };
}

async function nameSubjects(db: Database, ids: readonly string[]): Promise<Map<string, string | null>> {
  const userIds = ids.flatMap((id) => userIdSchema.safeParse(id).data ?? []);
  const people = await db
    .select({ id: users.id, name: userName })
    .from(users)
    .where(inArray(users.id, userIds));
  const trackIds = ids.flatMap((id) => trackIdSchema.safeParse(id).data ?? []);
  const { id, name, configuration } = tracks;
  const named = await db
    .select({ id, name: readAs(z.string(), sql`concat_ws(' ', ${name}, ${configuration})`) })
    .from(tracks)
    .where(inArray(id, trackIds));
  return new Map<string, string | null>([...people, ...named].map((row) => [row.id, row.name]));
}

export async function countActionsToday(
  db: Database,
  userId: UserId,
  action: AuditEntry['action'],
): Promise<number> {
  const isToday = gt(auditLog.at, sql`now() - interval '24 hours'`);
  return await db.$count(auditLog, and(eq(auditLog.userId, userId), eq(auditLog.action, action), isToday));
}
