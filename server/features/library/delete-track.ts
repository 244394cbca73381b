import { nameTrack } from '#contract/tracks/labels.ts';
import { trackAdministrationEndpoints } from '#contract/tracks/administration.ts';
import type { TrackId, UserId } from '#contract/ids.ts';
import type { Viewer } from '#contract/people/labels.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { found, notFound } from '#server/kernel/http/found.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { deleteLapFile } from '#server/model/laps/trace-storage.ts';
import { lockImports } from '#server/model/tracks/track-library-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { insertNotices } from '#server/model/notices/notice-store.ts';
import { deleteTrackRow } from '#server/model/tracks/track-correction-store.ts';
import { checkDrivers, checkMayDecide } from './review-proposed-tracks.ts';
import { deleteSessionsOnTrack } from '#server/model/laps/track-sessions-store.ts';
import { findProposer, listDriversOn } from '#server/model/tracks/track-proposal-store.ts';

/**
 * Deletes a track with its outline. With `laps` set to 'remove', the sessions on a proposed track are deleted too, with their
 * laps and files. Returns the number of these sessions.
 * @throws AppError where the track does not exist, or has laps that are to be kept or belong to an official track
 */
export async function deleteTrack(
  { db, storage }: { db: Database; storage: Storage },
  viewer: Viewer,
  { trackId, laps }: { trackId: TrackId; laps: 'keep' | 'remove' },
): Promise<number> {
  try {
    const removed = await db.transaction(async (tx) => {
      await lockImports(tx);
      const track = found(await findTrack(tx, trackId), removal);
      checkMayDecide(viewer, track);
      const proposer = await findProposer(tx, trackId);
      const sessions = laps === 'remove' ? await deleteLaps(tx, trackId) : NONE;
      if (!(await deleteTrackRow(tx, trackId))) throw notFound(removal);
      await notifyDrivers(tx, viewer, { track, proposer, drivers: sessions.drivers });
      const changes = { track: [nameTrack(track), null] satisfies [string, null] };
      const { counts } = sessions;
      await insertAuditEntry(tx, {
        userId: viewer.id,
        action: 'remove-track',
        subject: trackId,
        counts,
        changes,
      });
      return sessions;
    });
    for (const key of removed.storageKeys) await deleteLapFile(storage, key);
    return removed.counts.sessions;
  } catch (error) {
    if (!isStillReferred(error)) throw error;
    throw new AppError('conflict', 'There are laps on this track, so it cannot be deleted.', {
      cause: error,
    });
  }
}

const removal = trackAdministrationEndpoints.deleteTrack;

const NONE: DeletedLaps = { storageKeys: [], counts: { sessions: 0, drivers: 0 }, drivers: [] };

type DeletedLaps = Awaited<ReturnType<typeof deleteSessionsOnTrack>> & { drivers: readonly UserId[] };

async function deleteLaps(tx: Database, trackId: TrackId): Promise<DeletedLaps> {
  const drivers = await listDriversOn(tx, trackId);
  return await changeLaps(tx, { trackId, userIds: drivers, recorded: 'none' }, async () => {
    const track = found(await findTrack(tx, trackId), removal);
    if (track.status === 'official')
      throw new AppError('conflict', 'This track is official: its laps cannot be deleted with it.');
    await checkDrivers(tx, trackId, drivers);
    return { ...(await deleteSessionsOnTrack(tx, trackId)), drivers };
  });
}

/** Notifies its proposer and drivers at once, but for who removed it: events are deleted with their track. */
async function notifyDrivers(
  tx: Database,
  viewer: Viewer,
  { track, proposer, drivers }: { track: Track; proposer: UserId | null; drivers: readonly UserId[] },
): Promise<void> {
  const concerned = new Set([...drivers, ...(proposer === null ? [] : [proposer])]);
  concerned.delete(viewer.id);
  const nowhere = { trackId: null, eventId: null, otherUserId: null, lapId: null, comparedLapId: null };
  await insertNotices(
    tx,
    [...concerned].map((userId) => ({
      ...nowhere,
      kind: 'proposal_removed',
      userId,
      payload: {
        trackName: nameTrack(track),
        isProposer: userId === proposer,
        hadLaps: drivers.includes(userId),
      },
    })),
  );
}

// SQLSTATE of a row that others refer to. Only the database knows this for certain: an upload may be in progress.
const STILL_REFERRED = '23503';

function isStillReferred(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === STILL_REFERRED) || isStillReferred(error.cause);
}
