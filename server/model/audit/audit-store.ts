import { and, asc, count, desc, eq, gt, gte, like, lt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import type { AuditAction } from '#contract/audit/labels.ts';
import { type AuditLogEntry, auditEntrySchema } from '#contract/audit/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { PERSON_NAME } from '#server/model/people/driver-name.ts';
import { escapePattern } from '#server/model/cars/car-store.ts';
import { findAuditSubjects } from './audit-subjects-store.ts';
import { auditLog } from './schema.ts';
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

export type AuditFilter = {
  action?: string | undefined;
  subject?: string | undefined;
  /** A part of the name of who acted. */
  person?: string | undefined;
  /** The first and the last day, in UTC. */
  from?: string | undefined;
  until?: string | undefined;
};

const userName = readAs(z.string().nullable(), sql.raw(PERSON_NAME));

/** Lists a page of the log, latest first, with the total count. */
export async function listAuditEntries(
  db: Database,
  { limit, offset, ...filter }: { limit: number; offset: number } & AuditFilter,
): Promise<{ entries: AuditLogEntry[]; total: number }> {
  const { id, at, action, userId, subject, counts, changes } = auditLog;
  const condition = writeCondition(filter);
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
  const [counted] = await db
    .select({ total: count() })
    .from(auditLog)
    .leftJoin(users, eq(users.id, userId))
    .where(condition);
  const subjects = await findAuditSubjects(
    db,
    rows.flatMap(({ subject }) => subject ?? []),
  );
  const entries = rows.map((row) => {
    const named = subjects.get(row.subject ?? '');
    return {
      ...row,
      at: row.at.toISOString(),
      subjectName: named?.name ?? null,
      subjectLink: named?.link ?? null,
    };
  });
  return { entries: entries.map((entry) => auditEntrySchema.parse(entry)), total: counted?.total ?? 0 };
}

function writeCondition({ action, subject, person, from, until }: AuditFilter): SQL | undefined {
  const words = person?.toLowerCase().split(/\s+/) ?? [];
  return and(
    action === undefined ? undefined : eq(auditLog.action, action),
    subject === undefined ? undefined : eq(auditLog.subject, subject),
    ...words.map((word) => like(sql`lower(${userName})`, `%${escapePattern(word)}%`)),
    from === undefined ? undefined : gte(auditLog.at, sql`${from}::date AT TIME ZONE 'UTC'`),
    until === undefined ? undefined : lt(auditLog.at, sql`(${until}::date + 1) AT TIME ZONE 'UTC'`),
  );
}

export async function countActionsToday(
  db: Database,
  userId: UserId,
  action: AuditEntry['action'],
): Promise<number> {
  const isToday = gt(auditLog.at, sql`now() - interval '24 hours'`);
  return await db.$count(auditLog, and(eq(auditLog.userId, userId), eq(auditLog.action, action), isToday));
}
