import { randomUUID } from 'node:crypto';
import { refusedFileIdSchema, type RefusedFileId, type UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { RefusedFileReport } from '#contract/upload/refused-files.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ReceivedFile } from '#server/kernel/http/receive-form.ts';
import { COMPRESSED_ENDING, putCompressed } from '#server/kernel/storage/compressed.ts';
import { listOlder } from '#server/kernel/storage/list-older.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { lockDrivers } from '#server/model/boards/driver-lock-store.ts';
import { insertNotices } from '#server/model/notices/notice-store.ts';
import { findDeletion } from '#server/model/people/deletion-store.ts';
import { listOwnerIds } from '#server/model/people/role-store.ts';
import {
  expireRefusedFiles,
  getSentBefore,
  insertRefusedFile,
  lockRefusedFiles,
} from './refused-file-store.ts';

const PREFIX = 'refused-files';

/** Limits the files of all drivers together. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024 * 1024;

export const refusedFileKey = (id: RefusedFileId): string => `${PREFIX}/${id}${COMPRESSED_ENDING}`;

type SendDeps = { db: Database; storage: Storage; adminEmails: ReadonlySet<string> };

type SentFile = { userId: UserId; file: ReceivedFile; report: RefusedFileReport };

/**
 * Keeps a file for the owners, moving it, and notifies them. A file that the driver has sent before is kept once.
 * @throws AppError `too_many_requests` or `too_large` where the driver has sent enough today, or the owners keep no more
 */
export async function keepRefusedFile({ db, storage, adminEmails }: SendDeps, sent: SentFile): Promise<void> {
  const { userId, file, report } = sent;
  const { name: fileName, byteCount, sha256 } = file;
  if (!(await db.transaction((tx) => isNewFile(tx, sent)))) return;
  const id = refusedFileIdSchema.parse(randomUUID());
  // The file is stored before its row, so that a row always has its file; the sweep removes a file that a killed server left.
  await putCompressed(storage, refusedFileKey(id), file.path);
  try {
    const isKept = await db.transaction(async (tx) => {
      if (!(await isNewFile(tx, sent))) return false;
      await insertRefusedFile(tx, { id, userId, fileName, byteCount, sha256, report });
      return true;
    });
    if (!isKept) return await deleteRefusedFiles(storage, [id]);
  } catch (error) {
    if (error instanceof AppError) await deleteRefusedFiles(storage, [id]);
    throw error;
  }
  await notifyOwners(db, userId, adminEmails);
}

/** Returns false where the driver has sent the content before. @throws AppError as `keepRefusedFile` does */
async function isNewFile(tx: Database, { userId, file }: SentFile): Promise<boolean> {
  // A driver who leaves waits for this, or this for the driver.
  await lockDrivers(tx, [userId], 'share');
  if ((await findDeletion(tx, userId))?.deletionDueAt)
    throw new AppError('account_leaving', 'Your account is to be deleted. Keep it first.');
  await lockRefusedFiles(tx);
  const { isSent, sentToday, keptBytes } = await getSentBefore(tx, { userId, sha256: file.sha256 });
  if (isSent) return false;
  if (sentToday >= LIMITS.refusedFilesPerDayMax) {
    const sentence = `You have sent ${LIMITS.refusedFilesPerDayMax} files today. Send more tomorrow.`;
    throw new AppError('too_many_requests', sentence);
  }
  if (keptBytes + file.byteCount > KEPT_BYTES_MAX)
    throw new AppError('too_large', 'The owners keep no more such files at the moment.');
  return true;
}

async function notifyOwners(db: Database, userId: UserId, adminEmails: ReadonlySet<string>): Promise<void> {
  const about = { trackId: null, eventId: null, lapId: null, comparedLapId: null, otherUserId: userId };
  const owners = await listOwnerIds(db, adminEmails);
  await insertNotices(
    db,
    owners.map((ownerId) => ({ ...about, userId: ownerId, kind: 'file_refused' as const, payload: {} })),
  );
}

/** Removes the objects of refused files whose rows are deleted. */
export async function deleteRefusedFiles(storage: Storage, ids: readonly RefusedFileId[]): Promise<void> {
  for (const id of ids) await storage.remove(refusedFileKey(id));
}

/** Deletes files that are kept no longer, and objects older than `olderThanMs` that no row names. Gives how many objects. */
export async function sweepRefusedFiles(
  storage: Storage,
  db: Database,
  olderThanMs: number,
): Promise<number> {
  const found = await listOlder(storage, PREFIX, olderThanMs);
  // Asked after the objects: a row that came in between would otherwise be missed.
  const kept = await expireRefusedFiles(db);
  const orphans = found.filter((key) => !kept.has(key.slice(PREFIX.length + 1, -COMPRESSED_ENDING.length)));
  for (const key of orphans) await storage.remove(key);
  return orphans.length;
}
