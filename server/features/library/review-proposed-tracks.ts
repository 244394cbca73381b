import { nameTrack } from '#contract/tracks/labels.ts';
import { trackProposalEndpoints } from '#contract/tracks/proposals.ts';
import type { TrackId, UserId } from '#contract/ids.ts';
import { moveSessions } from '#server/model/laps/track-sessions-store.ts';
import { MODERATORS_MAY } from '#contract/tracks/administration.ts';
import { mayAdminister, type Viewer } from '#contract/people/labels.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { distanceMeters } from '#engine/geo.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { changeLaps, moveLaps } from '#server/model/boards/change-laps.ts';
import { recordEvents } from '#server/model/events/deliver-events.ts';
import type { NewEvent } from '#server/model/events/event-kinds.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { found } from '#server/kernel/http/found.ts';
import { addLineAfterUpload } from '#server/model/laps/build-reference-line.ts';
import { lockImports } from '#server/model/tracks/track-library-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { deleteTrackRow } from '#server/model/tracks/track-correction-store.ts';
import { addRetiming } from '#server/model/laps/retime-due-tracks.ts';
import {
  findProposer,
  listDriversOn,
  markTrackOfficial,
  redirectTrack,
} from '#server/model/tracks/track-proposal-store.ts';

/** Makes a proposed track official, and notifies its driver. @throws AppError where it is missing or official */
export async function approveTrack(db: Database, viewer: Viewer, trackId: TrackId): Promise<Track> {
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    const track = await getTrack(tx, trackId);
    if (track.status === 'official') throw new AppError('conflict', 'This track is official already.');
    await changeLaps(tx, { trackId, userIds: [] }, async () => {
      await markTrackOfficial(tx, trackId);
      await recordApproval(tx, track);
    });
    await insertAuditEntry(tx, {
      userId: viewer.id,
      action: 'approve-track',
      subject: trackId,
      counts: {},
      changes: { track: [`${nameTrack(track)} (Community)`, nameTrack(track)] },
    });
    return { ...track, status: 'official' };
  });
}

/** Checks that the viewer may decide on a track: a moderator only on one that is proposed. @throws AppError */
export function checkMayDecide(viewer: Viewer, { status }: Pick<Track, 'status'>): void {
  if (mayAdminister(viewer) || status === 'community_submitted') return;
  throw new AppError('not_allowed', MODERATORS_MAY);
}

/** Records that a proposal was approved, for the driver who made it. The caller has locked the track. */
export async function recordApproval(tx: Database, track: Track): Promise<void> {
  const proposer = await findProposer(tx, track.id);
  if (proposer === null) return;
  const payload = { trackName: nameTrack(track) };
  await recordEvents(tx, track.id, [
    { kind: 'track_approved', userId: proposer, otherUserId: null, sessionId: null, payload },
  ]);
}

/** `server/boards` moves the laps; a job retimes them. */
export type MergedTrack = { track: Track; movedSessions: number; movedLaps: number };

/**
 * Moves all laps of a track to another one and deletes the track; links to it lead to the other one from then on.
 * @throws AppError where one of them does not exist, both are the same or far apart, or a driver uploads laps meanwhile
 */
export async function mergeTrack(
  db: Database,
  viewer: Viewer,
  { trackId, intoTrackId }: { trackId: TrackId; intoTrackId: TrackId },
): Promise<MergedTrack> {
  if (trackId === intoTrackId) throw refuseTarget('Choose another track than the one that is merged.');
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    const [track, into] = [await getTrack(tx, trackId), await findTrack(tx, intoTrackId)];
    checkMayDecide(viewer, track);
    if (!into) throw new AppError('not_found', 'The track to merge into is not in the library.');
    checkDistance(track, into);
    const move = { fromTrackId: trackId, intoTrackId };
    const drivers = await listDriversOn(tx, trackId);
    const moved = await moveLaps(tx, { ...move, userIds: drivers }, async () => {
      await checkDrivers(tx, trackId, drivers);
      const proposer = await findProposer(tx, trackId);
      const counts = await moveSessions(tx, move);
      await recordEvents(tx, intoTrackId, describeMerge({ track, into, proposer, drivers }));
      return counts;
    });
    await redirectTrack(tx, move);
    await deleteTrackRow(tx, trackId);
    await addRetiming(tx, intoTrackId);
    await addLineAfterUpload(tx, intoTrackId);
    const changes = { track: [nameTrack(track), nameTrack(into)] satisfies [string, string] };
    await insertAuditEntry(tx, {
      userId: viewer.id,
      action: 'merge-tracks',
      subject: intoTrackId,
      counts: moved,
      changes,
    });
    return { track: into, ...moved };
  });
}

/** Locks the track. @throws AppError where another user has driven on it since `drivers` were listed */
export async function checkDrivers(
  tx: Database,
  trackId: TrackId,
  drivers: readonly string[],
): Promise<void> {
  if ((await listDriversOn(tx, trackId)).every((driver) => drivers.includes(driver))) return;
  throw new AppError('conflict', 'A driver has just uploaded laps to this track. Please try again.');
}

// Large venues have layouts whose centers lie some kilometres apart.
const SPARE_METERS = 2_000;

function checkDistance(track: Track, into: Track): void {
  const meters = distanceMeters(
    { lat: track.centerLat, lon: track.centerLon },
    { lat: into.centerLat, lon: into.centerLon },
  );
  if (meters <= track.radiusMeters + into.radiusMeters + SPARE_METERS) return;
  const kilometers = Math.round(meters / 1_000);
  throw new AppError(
    'conflict',
    `These tracks are ${kilometers} km apart, so the laps of one cannot be laps of the other.`,
  );
}

function refuseTarget(sentence: string): AppError {
  const fields = { intoTrackId: sentence };
  return new AppError('invalid_input', `There is a problem with intoTrackId: ${sentence}`, { fields });
}

type Merge = { track: Track; into: Track; proposer: UserId | null; drivers: readonly UserId[] };

function describeMerge({ track, into, proposer, drivers }: Merge): NewEvent[] {
  const payload = { trackName: nameTrack(track), intoTrackName: nameTrack(into) };
  const concerned = new Set([...drivers, ...(proposer === null ? [] : [proposer])]);
  return [...concerned].map((driver) => ({
    kind: 'track_merged',
    userId: driver,
    otherUserId: null,
    sessionId: null,
    payload,
  }));
}

async function getTrack(tx: Database, trackId: TrackId): Promise<Track> {
  return found(await findTrack(tx, trackId), trackProposalEndpoints.approveTrack);
}
