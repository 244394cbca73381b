import type { TrackId, UserCarId, UserId } from '#contract/ids.ts';
import { LIVE_LIMITS, type LiveVisibility } from '#contract/live/labels.ts';
import type { LiveCode } from '#contract/live/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findCarName, requireOwnCar } from '#server/model/cars/garage-store.ts';
import { lockUsers } from '#server/model/people/ending-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import {
  countSharings,
  endLiveSharing,
  findLiveSession,
  findOpenLiveSession,
  findSharing,
  insertLiveSession,
  insertSharing,
  lockLiveSessions,
  type StoredLiveSession,
  type StoredSharing,
} from './live-store.ts';

export type NewSharing = {
  trackId: TrackId;
  visibility: LiveVisibility;
  code?: LiveCode | undefined;
  title?: string | undefined;
  userCarId?: UserCarId | undefined;
};

/** Starts to share what a driver drives, in place of what the driver shared before. @throws AppError `not_found`, `conflict` */
export async function startSharing(tx: Database, userId: UserId, wanted: NewSharing): Promise<StoredSharing> {
  const track = await findTrack(tx, wanted.trackId);
  if (!track) throw new AppError('not_found', 'There is no such track.');
  if (!track.startFinishLine)
    throw new AppError('conflict', 'This track has no start line, so nothing is timed.');
  if (wanted.userCarId) await requireOwnCar(tx, userId, wanted.userCarId);
  // A driver who starts on two devices at once shares what began last.
  await lockUsers(tx, [userId]);
  await lockLiveSessions(tx, wanted.trackId);
  await endLiveSharing(tx, [userId]);
  const session = await findOrBeginSession(tx, wanted);
  if ((await countSharings(tx, session.code)) >= LIVE_LIMITS.driversPerSessionMax)
    throw new AppError('conflict', 'This live session is full.');
  const carName = await findCarName(tx, wanted.userCarId ?? null);
  await insertSharing(tx, { code: session.code, userId, carName });
  const sharing = await findSharing(tx, userId);
  if (!sharing) throw new Error('The sharing was not stored.');
  return sharing;
}

async function findOrBeginSession(
  tx: Database,
  { trackId, visibility, code, title }: NewSharing,
): Promise<StoredLiveSession> {
  if (code !== undefined) {
    const session = await findLiveSession(tx, code, true);
    if (!session)
      throw new AppError('not_found', 'There is no such live session: it has ended, or never was.');
    if (session.trackId !== trackId)
      throw new AppError('conflict', 'This live session is on another track than the one that you chose.');
    return session;
  }
  const open = visibility === 'everybody' ? await findOpenLiveSession(tx, trackId) : undefined;
  return open ?? (await insertLiveSession(tx, { trackId, title: title || null, visibility }));
}
