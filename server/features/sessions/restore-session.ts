import type { SessionId, UserId } from '#contract/ids.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { addLineAfterUpload } from '#server/model/laps/build-reference-line.ts';
import { findDeletedSession, restoreSessionRows } from '#server/model/laps/deleted-session-store.ts';
import { addRetiming } from '#server/model/laps/retime-due-tracks.ts';
import { retimeIfRedefined } from '#server/model/tracks/track-correction-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';

/**
 * Restores a session that was deleted within the last minute: its laps, file, events, notices and comparisons are as before.
 * @throws AppError where its minute is over, it is another driver's, or its place was taken meanwhile
 */
export async function restoreSession(db: Database, userId: UserId, sessionId: SessionId): Promise<void> {
  const deleted = await findDeletedSession(db, sessionId);
  if (!deleted) throw gone();
  if (deleted.userId !== userId) throw new AppError('not_allowed', 'This session is not yours.');
  const { trackId } = deleted;
  await db.transaction(async (tx) => {
    // The events of its laps come back as they were, so no new ones are recorded.
    await changeLaps(tx, { trackId, userIds: [userId], recorded: 'none' }, async () => {
      if (!(await findTrack(tx, trackId)))
        throw new AppError('conflict', 'The track of this session was deleted or merged meanwhile.');
      const outcome = await restoreSessionRows(tx, deleted);
      if (outcome === 'gone') throw gone();
      if (outcome === 'uploaded-again')
        throw new AppError('conflict', 'The lap file of this session was uploaded again meanwhile.');
      await retimeIfRedefined(tx, trackId, deleted.deletedAt);
    });
    await addRetiming(tx, trackId);
    await addLineAfterUpload(tx, trackId);
  });
}

function gone(): AppError {
  return new AppError('not_found', 'This session can no longer be restored.');
}
