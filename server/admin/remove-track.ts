import { insertAuditEntry } from '#server/audit/audit-store.ts';
import { changeLaps } from '#server/boards/change-laps.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { removeLapFile } from '#server/lap-view/trace-storage.ts';
import { lockImports } from '#server/tracks/track-library-store.ts';
import { findTrack } from '#server/tracks/track-store.ts';
import { removeTrackRow } from './correct-track-store.ts';
import { checkDrivers, nameTrack } from './judge-proposed-tracks.ts';
import { listDriversOn, removeSessionsOn } from './track-proposal-store.ts';

type RemoveParts = { db: Database; storage: Storage };

/**
 * Deletes a track with its outline. With `laps` 'remove' the sessions on a proposal go too, with their laps and files; gives how
 * many these were.
 * @throws AppError where there is no such track, or it has laps that are to be kept or are those of an official track
 */
export async function removeTrack(
  { db, storage }: RemoveParts,
  userId: string,
  { trackId, laps }: { trackId: string; laps: 'keep' | 'remove' },
): Promise<number> {
  try {
    const removed = await db.transaction(async (tx) => {
      await lockImports(tx);
      const sessions = laps === 'remove' ? await removeLaps(tx, trackId) : NONE;
      const track = await findTrack(tx, trackId);
      if (!track || !(await removeTrackRow(tx, trackId))) throw noSuchTrack();
      const changes = { track: [nameTrack(track), null] satisfies [string, null] };
      const { counts } = sessions;
      await insertAuditEntry(tx, { userId, action: 'remove-track', subject: trackId, counts, changes });
      return sessions;
    });
    for (const key of removed.storageKeys) await removeLapFile(storage, key);
    return removed.counts.sessions;
  } catch (error) {
    if (!isStillReferred(error)) throw error;
    throw new AppError('conflict', 'There are laps on this track, so it cannot be deleted.', {
      cause: error,
    });
  }
}

const NONE = { storageKeys: [], counts: { sessions: 0, drivers: 0 } };

async function removeLaps(
  tx: Database,
  trackId: string,
): Promise<Awaited<ReturnType<typeof removeSessionsOn>>> {
  const drivers = await listDriversOn(tx, trackId);
  return await changeLaps(tx, { trackId, userIds: drivers, recorded: 'none' }, async () => {
    const track = await findTrack(tx, trackId);
    if (!track) throw noSuchTrack();
    if (track.status === 'official')
      throw new AppError('conflict', 'This track is official: its laps cannot be deleted with it.');
    await checkDrivers(tx, trackId, drivers);
    return await removeSessionsOn(tx, trackId);
  });
}

// SQLSTATE: a row that others refer to. The database alone knows it for certain: an upload may be under way.
const STILL_REFERRED = '23503';

function isStillReferred(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === STILL_REFERRED) || isStillReferred(error.cause);
}

function noSuchTrack(): AppError {
  return new AppError('not_found', 'There is no such track.');
}
