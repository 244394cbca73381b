import { and, asc, count, desc, eq, gt, inArray, lte, not, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { RefusedFileId, UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { RefusedFile } from '#contract/upload/refused-files.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';
import { users } from '#server/model/people/schema.ts';
import { refusedFiles } from './schema.ts';

export type NewRefusedFile = Omit<typeof refusedFiles.$inferSelect, 'sentAt'>;

const LISTED_MAX = 500;
const DAYS_KEPT = sql.raw(`interval '${LIMITS.refusedFileDays} days'`);

/** Locks the refused files until the end of the transaction, so that calls at the same moment count each other. */
export async function lockRefusedFiles(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('refused files', 0))`);
}

/** Returns whether the driver has sent this content, how many files in the last day, and how many bytes are kept of all. */
export async function getSentBefore(
  tx: Database,
  { userId, sha256 }: Pick<NewRefusedFile, 'userId' | 'sha256'>,
): Promise<{ isSent: boolean; sentToday: number; keptBytes: number }> {
  const own = eq(refusedFiles.userId, userId);
  const [same] = await tx
    .select({ id: refusedFiles.id })
    .from(refusedFiles)
    .where(and(own, eq(refusedFiles.sha256, sha256)));
  const [today] = await tx
    .select({ files: count() })
    .from(refusedFiles)
    .where(and(own, gt(refusedFiles.sentAt, sql`now() - interval '1 day'`)));
  const [kept] = await tx
    .select({ bytes: readAs(z.coerce.number(), sql`coalesce(sum(${refusedFiles.byteCount}), 0)`) })
    .from(refusedFiles);
  return { isSent: same !== undefined, sentToday: today?.files ?? 0, keptBytes: kept?.bytes ?? 0 };
}

export async function insertRefusedFile(tx: Database, file: NewRefusedFile): Promise<void> {
  await tx.insert(refusedFiles).values(file);
}

/** Lists the refused files, latest first, without those of people who leave. */
export async function listRefusedFiles(db: Database): Promise<RefusedFile[]> {
  const { id, fileName, byteCount, sentAt, report } = refusedFiles;
  const rows = await db
    .select({ id, fileName, byteCount, sentAt, report, userName: readAs(z.string(), sql.raw(DRIVER_NAME)) })
    .from(refusedFiles)
    .innerJoin(users, eq(users.id, refusedFiles.userId))
    .where(not(sql.raw(`(${IS_LEAVING})`)))
    .orderBy(desc(sentAt), desc(id))
    .limit(LISTED_MAX);
  return rows.map((row) => ({ ...row, sentAt: row.sentAt.toISOString() }));
}

/** Lists the refused files that a user has sent, oldest first. */
export async function listRefusedFilesOf(db: Database, userId: UserId) {
  const { id, fileName, byteCount, sentAt, report } = refusedFiles;
  return await db
    .select({ id, fileName, byteCount, sentAt, report })
    .from(refusedFiles)
    .where(eq(refusedFiles.userId, userId))
    .orderBy(asc(sentAt), asc(id));
}

export async function findRefusedFile(db: Database, id: RefusedFileId) {
  const [row] = await db.select().from(refusedFiles).where(eq(refusedFiles.id, id));
  return row;
}

/** Deletes the row of a refused file; returns false where there is none. */
export async function deleteRefusedFile(tx: Database, id: RefusedFileId): Promise<boolean> {
  const rows = await tx
    .delete(refusedFiles)
    .where(eq(refusedFiles.id, id))
    .returning({ id: refusedFiles.id });
  return rows.length > 0;
}

/** Deletes the rows of the refused files of users; returns their ids. */
export async function deleteRefusedFilesOf(
  tx: Database,
  userIds: readonly UserId[],
): Promise<RefusedFileId[]> {
  const rows = await tx
    .delete(refusedFiles)
    .where(inArray(refusedFiles.userId, [...userIds]))
    .returning({ id: refusedFiles.id });
  return rows.map(({ id }) => id);
}

/** Deletes the rows that are too old; returns the ids of those that stay. */
export async function expireRefusedFiles(db: Database): Promise<Set<string>> {
  await db.delete(refusedFiles).where(lte(refusedFiles.sentAt, sql`now() - ${DAYS_KEPT}`));
  const rows = await db.select({ id: refusedFiles.id }).from(refusedFiles);
  return new Set(rows.map(({ id }) => id));
}
