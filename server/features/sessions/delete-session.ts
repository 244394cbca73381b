import type { SessionId, UserId } from '#contract/ids.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { deleteLapFile } from '#server/model/laps/trace-storage.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { findSessionFile, deleteSessionRows } from '#server/model/laps/session-store.ts';

/** Deletes a session with laps, file and traces. @throws AppError where it is missing or another driver's */
export async function deleteSession(
  { db, storage }: { db: Database; storage: Storage },
  userId: UserId,
  sessionId: SessionId,
): Promise<void> {
  const session = await findSessionFile(db, sessionId);
  if (!session) throw new AppError('not_found', 'There is no such session.');
  if (session.userId !== userId) throw new AppError('not_allowed', 'This session is not yours.');
  const isRemoved = await db.transaction((tx) =>
    changeLaps(tx, { trackId: session.trackId, userIds: [userId] }, () => deleteSessionRows(tx, session)),
  );
  if (!isRemoved) throw new AppError('not_found', 'There is no such session.');
  await deleteLapFile(storage, session.storageKey);
}
