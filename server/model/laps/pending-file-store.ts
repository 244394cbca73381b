import { and, eq, sql } from 'drizzle-orm';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { pendingFiles } from './schema.ts';

export type PendingFileRow = typeof pendingFiles.$inferSelect;

const KEPT_FOR = sql`interval '1 day'`;
const isKept = sql`${pendingFiles.sentAt} > now() - ${KEPT_FOR}`;

/** Limits the stored bytes of one driver, and of all. */
export type PendingLimits = { driverBytesMax: number; bytesMax: number };

/** Inserts a pending file; returns false where there is no room for it. */
export async function insertPendingFile(
  db: Database,
  file: Omit<PendingFileRow, 'sentAt'>,
  { driverBytesMax, bytesMax }: PendingLimits,
): Promise<boolean> {
  const { id, userId, fileName, byteCount, receivedBytes, sha256 } = file;
  const { rowCount } = await db.execute(sql`
    INSERT INTO pending_files (id, user_id, file_name, byte_count, received_bytes, sha256)
    SELECT ${id}::uuid, ${userId}::uuid, ${fileName}, ${byteCount}::bigint, ${receivedBytes}::bigint, ${sha256}
    WHERE (SELECT coalesce(sum(byte_count), 0) FROM pending_files WHERE user_id = ${userId}) + ${byteCount}::bigint <= ${driverBytesMax}::bigint
      AND (SELECT coalesce(sum(byte_count), 0) FROM pending_files) + ${byteCount}::bigint <= ${bytesMax}::bigint`);
  return rowCount === 1;
}

/** Finds a pending file that has not expired. */
export async function findPendingFile(db: Database, id: string): Promise<PendingFileRow | undefined> {
  const [row] = await db
    .select()
    .from(pendingFiles)
    .where(and(eq(pendingFiles.id, id), isKept))
    .limit(1);
  return row;
}

/** Finds the same content, sent before by the same driver, and extends its expiry by a day. */
export async function findPendingCopy(
  db: Database,
  userId: UserId,
  sha256: string,
): Promise<string | undefined> {
  const [row] = await db
    .update(pendingFiles)
    .set({ sentAt: sql`now()` })
    .where(and(eq(pendingFiles.userId, userId), eq(pendingFiles.sha256, sha256), isKept))
    .returning({ id: pendingFiles.id });
  return row?.id;
}

/** Counts a part that has been stored; returns false where another one was stored first. */
export async function addReceivedBytes(
  db: Database,
  id: string,
  { offset, byteCount }: { offset: number; byteCount: number },
): Promise<boolean> {
  const rows = await db
    .update(pendingFiles)
    .set({ receivedBytes: offset + byteCount, sentAt: sql`now()` })
    .where(and(eq(pendingFiles.id, id), eq(pendingFiles.receivedBytes, offset)))
    .returning({ id: pendingFiles.id });
  return rows.length > 0;
}

export async function deletePendingFileRow(db: Database, id: string): Promise<void> {
  await db.delete(pendingFiles).where(eq(pendingFiles.id, id));
}

/** Deletes the expired rows, and returns the ids of the others. */
export async function expirePendingFiles(db: Database): Promise<Set<string>> {
  await db.delete(pendingFiles).where(sql`NOT (${isKept})`);
  const rows = await db.select({ id: pendingFiles.id }).from(pendingFiles);
  return new Set(rows.map(({ id }) => id));
}

export async function deletePendingFiles(tx: Database): Promise<void> {
  await tx.delete(pendingFiles);
}
