import { and, count, countDistinct, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { TrackId, UserId } from '#contract/ids.ts';
import { copyTrackRows, type TrackMove } from '#server/kernel/database/copy-track-rows.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { moveEvents } from '#server/model/events/event-store.ts';
import { events } from '#server/model/events/schema.ts';
import { moveFlags } from '#server/model/flags/flag-store.ts';
import {
  deleteIncompleteComparisons,
  moveComparisons,
} from '#server/model/comparisons/saved-comparison-store.ts';
import { deleteNoticesOfEvents } from '#server/model/notices/notice-store.ts';
import { moveRaceEvents } from '#server/model/race-events/race-event-store.ts';
import { retimeTrack } from '#server/model/tracks/track-correction-store.ts';
import { sessionVideos } from '#server/model/videos/schema.ts';
import { deleteLinesMadeFrom } from './reference-line-store.ts';
import { lapFiles, laps, sessions } from './schema.ts';

// Sessions that are moved or deleted together: all on one track, or all of some drivers.

/** Moves sessions with their laps, flags and events to another track, to be timed again there. Call it within `moveLaps`. */
export async function moveSessions(
  tx: Database,
  move: TrackMove,
): Promise<{ movedSessions: number; movedLaps: number }> {
  const movedSessions = await copyTrackRows(tx, sessions, move);
  const movedLaps = await copyTrackRows(tx, laps, move);
  await copyTrackRows(tx, sessionVideos, move);
  await moveEvents(tx, move);
  await moveFlags(tx, move);
  await moveComparisons(tx, move);
  await moveRaceEvents(tx, move);
  await tx.delete(sessions).where(eq(sessions.trackId, move.fromTrackId));
  await retimeTrack(tx, move.intoTrackId);
  return { movedSessions, movedLaps };
}

/** Deletes all sessions on a track with their laps and lap files; returns where the files are. Call it within `changeLaps`. */
export async function deleteSessionsOnTrack(
  tx: Database,
  trackId: TrackId,
): Promise<{ storageKeys: string[]; counts: { sessions: number; drivers: number } }> {
  const [counts] = await tx
    .select({ sessions: count(), drivers: countDistinct(sessions.userId) })
    .from(sessions)
    .where(eq(sessions.trackId, trackId));
  await deleteNoticesOfEvents(tx, and(eq(events.trackId, trackId), isNotNull(events.sessionId)));
  const files = await tx
    .delete(sessions)
    .where(eq(sessions.trackId, trackId))
    .returning({ sha256: sessions.lapFileSha256 });
  await deleteIncompleteComparisons(tx, [trackId]);
  const hashes = files.map(({ sha256 }) => sha256);
  const removed = await tx
    .delete(lapFiles)
    .where(sql`${lapFiles.sha256} = ANY(${sql.param(hashes)}::text[])`)
    .returning({ storageKey: lapFiles.storageKey });
  return {
    storageKeys: removed.map(({ storageKey }) => storageKey),
    counts: counts ?? { sessions: 0, drivers: 0 },
  };
}

/** Removes the lines that are made from laps of a driver who leaves. Call it within `changeDrivers`. */
export async function hideSessionsOfDriver(tx: Database, userId: UserId): Promise<void> {
  await deleteLinesMadeFrom(tx, eq(sessions.userId, userId));
}

/** Marks all sessions of a driver as not checked by the automatic rules. */
export async function recheckSessionsOfDriver(tx: Database, userId: UserId): Promise<void> {
  await tx.update(sessions).set({ rulesVersion: 0 }).where(eq(sessions.userId, userId));
}

/** Deletes all sessions of drivers with their laps and lap files. Call it within `changeDrivers`. */
export async function deleteSessionsOfDrivers(
  tx: Database,
  userIds: readonly UserId[],
): Promise<{ sessionCount: number; storageKeys: string[] }> {
  const ids = [...userIds];
  await deleteLinesMadeFrom(tx, inArray(sessions.userId, ids));
  const driven = await tx
    .delete(sessions)
    .where(inArray(sessions.userId, ids))
    .returning({ trackId: sessions.trackId });
  await deleteIncompleteComparisons(tx, [...new Set(driven.map(({ trackId }) => trackId))]);
  const files = await tx
    .delete(lapFiles)
    .where(inArray(lapFiles.userId, ids))
    .returning({ storageKey: lapFiles.storageKey });
  return { sessionCount: driven.length, storageKeys: files.map(({ storageKey }) => storageKey) };
}
