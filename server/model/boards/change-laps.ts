import type { TrackId, UserId } from '#contract/ids.ts';
import { recordEvents } from '#server/model/events/deliver-events.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { raiseBoardVersions, deleteHiddenOutlines } from '#server/model/tracks/board-version-store.ts';
import { listDrivenTracks, lockDrivers } from './driver-lock-store.ts';
import { describeChange, type RecordedEvents } from './describe-change.ts';
import { listDriverBests } from './rank-store.ts';
import { countEntries, refreshSessionBests } from './session-bests-store.ts';

/**
 * The one door for every change to laps and to what boards show of them: locks the drivers and the track, runs `work`, and
 * brings the track's board up to date, all in the transaction `tx`. Changes to one track run one after the other, and the names
 * and pictures of `userIds` stay as they are until the end of the transaction.
 *
 * Call it once in a transaction. Rows of users and tracks may only be locked before it in the same order: drivers before tracks.
 * `userIds` may be empty where no lap changes, only what the board says of the track. What has happened to the best laps of
 * `userIds` is recorded as events, unless `recorded` says otherwise.
 */
export async function changeLaps<Result>(
  tx: Database,
  { trackId, userIds, recorded = 'all' }: LapChange,
  work: () => Promise<Result>,
): Promise<Result> {
  await lockDrivers(tx, userIds, 'share');
  // The version is raised first, because this locks the track.
  await raiseBoardVersions(tx, [trackId]);
  const isRecorded = recorded !== 'none' && userIds.length > 0;
  const before = isRecorded ? await listDriverBests(tx, trackId, userIds) : [];
  const changed = { trackIds: [trackId], userIds };
  const entriesBefore = await countEntries(tx, changed);
  const result = await work();
  await deleteHiddenOutlines(tx, [trackId]);
  await refreshSessionBests(tx, changed, entriesBefore);
  if (isRecorded) {
    const after = await listDriverBests(tx, trackId, userIds);
    await recordEvents(tx, trackId, await describeChange(tx, trackId, { before, after, recorded }));
  }
  return result;
}

type LapChange = { trackId: TrackId; userIds: readonly UserId[]; recorded?: RecordedEvents };

/**
 * Moves all laps of a track to another one by `work`: as `changeLaps`, for both boards. `userIds` are the drivers of the first; no
 * events are recorded, because the laps are timed again afterwards.
 */
export async function moveLaps<Result>(
  tx: Database,
  {
    fromTrackId,
    intoTrackId,
    userIds,
  }: { fromTrackId: TrackId; intoTrackId: TrackId; userIds: readonly UserId[] },
  work: () => Promise<Result>,
): Promise<Result> {
  await lockDrivers(tx, userIds, 'share');
  const trackIds = [fromTrackId, intoTrackId];
  await raiseBoardVersions(tx, trackIds);
  const changed = { trackIds, userIds };
  const entriesBefore = await countEntries(tx, changed);
  const result = await work();
  await deleteHiddenOutlines(tx, trackIds);
  await refreshSessionBests(tx, changed, entriesBefore);
  return result;
}

/**
 * Changes what boards show of drivers, such as a name, a picture or the models of their cars, or removes drivers: as `changeLaps`, for every track on
 * which they have driven. Uploads of theirs that are under way end before it, and later ones wait for it.
 */
export async function changeDrivers<Result>(
  tx: Database,
  userIds: readonly UserId[],
  work: () => Promise<Result>,
): Promise<Result> {
  await lockDrivers(tx, userIds, 'update');
  const trackIds = await listDrivenTracks(tx, userIds);
  await raiseBoardVersions(tx, trackIds);
  const entriesBefore = await countEntries(tx, { trackIds, userIds });
  const result = await work();
  await deleteHiddenOutlines(tx, trackIds);
  await refreshSessionBests(tx, { trackIds, userIds }, entriesBefore);
  return result;
}

/** Changes names and classes of car models, which any board may show. */
export async function changeCarModels<Result>(tx: Database, work: () => Promise<Result>): Promise<Result> {
  await raiseBoardVersions(tx, 'all');
  return await work();
}
