import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { pendingFiles } from './schema.ts';

export type PendingFileRow = typeof pendingFiles.$inferSelect;

const KEPT_FOR = sql`interval '1 day'`;
const isKept = sql`${pendingFiles.sentAt} > now() - ${KEPT_FOR}`;

/** Limits the stored bytes of one driver and of all, and the files of one driver: all, and those that come in parts. */
export type PendingLimits = {
  driverBytesMax: number;
  bytesMax: number;
  driverFilesMax: number;
  driverFilesInPartsMax: number;
};

// A disk gives a file whole blocks.
const storedBytes = (bytes: SQL) => sql`ceil(${bytes} / 4096.0) * 4096`;
const keptBytes = sql`coalesce(sum(${storedBytes(sql`received_bytes`)}), 0)`;

/**
 * Makes other calls that store files of this driver wait until the end of the transaction, so that calls at the same moment
 * count each other.
 */
async function lockPendingFiles(tx: Database, userId: UserId): Promise<void> {
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended('pending files ' || ${userId}::text, 0))`,
  );
}

/** Is true where `byteCount` more bytes of a driver fit in. Only bytes that have arrived count. */
const hasRoom = (userId: UserId, byteCount: number, { driverBytesMax, bytesMax }: PendingLimits) => sql`
  (SELECT ${keptBytes} FROM pending_files WHERE user_id = ${userId}) + ${storedBytes(sql`${byteCount}::bigint`)} <= ${driverBytesMax}::bigint
  AND (SELECT ${keptBytes} FROM pending_files) + ${storedBytes(sql`${byteCount}::bigint`)} <= ${bytesMax}::bigint`;

/** Inserts a pending file; returns false where there is no room for it. */
export async function insertPendingFile(
  db: Database,
  file: Omit<PendingFileRow, 'sentAt'>,
  limits: PendingLimits,
): Promise<boolean> {
  const { id, userId, fileName, byteCount, receivedBytes, sha256 } = file;
  return await db.transaction(async (tx) => {
    await lockPendingFiles(tx, userId);
    const { rowCount } = await tx.execute(sql`
      INSERT INTO pending_files (id, user_id, file_name, byte_count, received_bytes, sha256)
      SELECT ${id}::uuid, ${userId}::uuid, ${fileName}, ${byteCount}::bigint, ${receivedBytes}::bigint, ${sha256}
      WHERE ${hasRoom(userId, receivedBytes, limits)}
        AND (SELECT count(*) FROM pending_files WHERE user_id = ${userId}) < ${limits.driverFilesMax}
        AND (${sha256 !== null} OR (
          SELECT count(*) FROM pending_files WHERE user_id = ${userId} AND sha256 IS NULL
        ) < ${limits.driverFilesInPartsMax})`);
    return rowCount === 1;
  });
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

/**
 * Counts a part before it is stored, so that of two that begin at the same byte only one is. Returns 'taken' where the
 * other one came first.
 */
export async function countPart(
  db: Database,
  { id, userId }: Pick<PendingFileRow, 'id' | 'userId'>,
  { offset, byteCount }: { offset: number; byteCount: number },
  limits: PendingLimits,
): Promise<'counted' | 'taken' | 'no room'> {
  return await db.transaction(async (tx) => {
    await lockPendingFiles(tx, userId);
    const { rows } = await tx.execute(sql`SELECT WHERE ${hasRoom(userId, byteCount, limits)}`);
    if (rows.length === 0) return 'no room';
    return (await moveReceivedBytes(tx, id, offset, offset + byteCount)) ? 'counted' : 'taken';
  });
}

/** Takes back a part that could not be stored; returns false where a later part was counted meanwhile. */
export async function takePartBack(
  db: Database,
  id: string,
  { offset, byteCount }: { offset: number; byteCount: number },
): Promise<boolean> {
  return await moveReceivedBytes(db, id, offset + byteCount, offset);
}

async function moveReceivedBytes(db: Database, id: string, from: number, to: number): Promise<boolean> {
  const rows = await db
    .update(pendingFiles)
    .set({ receivedBytes: to })
    .where(and(eq(pendingFiles.id, id), eq(pendingFiles.receivedBytes, from)))
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

/** Deletes the rows of the pending files of users; returns their ids. */
export async function deletePendingFilesOf(tx: Database, userIds: readonly UserId[]): Promise<string[]> {
  const deleted = await tx
    .delete(pendingFiles)
    .where(inArray(pendingFiles.userId, [...userIds]))
    .returning({ id: pendingFiles.id });
  return deleted.map(({ id }) => id);
}
