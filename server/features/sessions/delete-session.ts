import type { SessionId, UserId } from '#contract/ids.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { keepSessionRows, KEPT_SECONDS } from '#server/model/laps/deleted-session-store.ts';
import { rememberFlaggedLaps } from '#server/model/flags/deleted-laps-store.ts';
import { pruneDeletedSessionsJob } from '#server/model/laps/prune-deleted-sessions.ts';
import { deleteSessionRows, findSessionFile } from '#server/model/laps/session-store.ts';

// The delay counts from the beginning of the transaction, which may wait for the track.
const CHANGE_SECONDS_MAX = 30;

/**
 * Deletes a session with laps, file and traces. For a minute it can be restored; a job then deletes what is kept for that.
 * @throws AppError where it is missing or another driver's
 */
export async function deleteSession(db: Database, userId: UserId, sessionId: SessionId): Promise<void> {
  const session = await findSessionFile(db, sessionId);
  if (!session) throw new AppError('not_found', 'There is no such session.');
  if (session.userId !== userId) throw new AppError('not_allowed', 'This session is not yours.');
  const isRemoved = await db.transaction(async (tx) => {
    await addJob(tx, pruneDeletedSessionsJob, {}, { delaySeconds: KEPT_SECONDS + CHANGE_SECONDS_MAX });
    return await changeLaps(tx, { trackId: session.trackId, userIds: [userId] }, async () => {
      await keepSessionRows(tx, session);
      await rememberFlaggedLaps(tx, session);
      return await deleteSessionRows(tx, session);
    });
  });
  if (!isRemoved) throw new AppError('not_found', 'There is no such session.');
}
