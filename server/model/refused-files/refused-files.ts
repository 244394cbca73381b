import { randomUUID } from 'node:crypto';
import { refusedFileIdSchema, type RefusedFileId, type UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { RefusedFileReport } from '#contract/upload/refused-files.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ReceivedFile } from '#server/kernel/http/receive-form.ts';
import { COMPRESSED_ENDING, putCompressed } from '#server/kernel/storage/compressed.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { insertNotices } from '#server/model/notices/notice-store.ts';
import { listOwnerIds } from '#server/model/people/role-store.ts';
import {
  deleteRefusedFile,
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
  const id = refusedFileIdSchema.parse(randomUUID());
  const isNew = await db.transaction(async (tx) => {
    await lockRefusedFiles(tx);
    const { isSent, sentToday, keptBytes } = await getSentBefore(tx, { userId, sha256 });
    if (isSent) return false;
    if (sentToday >= LIMITS.refusedFilesPerDayMax) {
      const sentence = `You have sent ${LIMITS.refusedFilesPerDayMax} files today. Send more tomorrow.`;
      throw new AppError('too_many_requests', sentence);
    }
    if (keptBytes + byteCount > KEPT_BYTES_MAX)
      throw new AppError('too_large', 'The owners keep no more such files at the moment.');
    await insertRefusedFile(tx, { id, userId, fileName, byteCount, sha256, report });
    return true;
  });
  if (!isNew) return;
  try {
    await putCompressed(storage, refusedFileKey(id), file.path);
  } catch (error) {
    await deleteRefusedFile(db, id);
    throw error;
  }
  await notifyOwners(db, userId, adminEmails);
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
  const storedBeforeMs = Date.now() - olderThanMs;
  const found: string[] = [];
  for await (const { key, storedAt } of storage.list(PREFIX))
    if (storedAt.getTime() <= storedBeforeMs) found.push(key);
  // Asked after the objects: a row that came in between would otherwise be missed.
  const kept = await expireRefusedFiles(db);
  const orphans = found.filter((key) => !kept.has(key.slice(PREFIX.length + 1, -COMPRESSED_ENDING.length)));
  for (const key of orphans) await storage.remove(key);
  return orphans.length;
}
