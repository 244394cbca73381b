import { and, asc, count, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { SessionId, TrackId } from '#contract/ids.ts';
import type { Retiming } from '#contract/tracks/proposals.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { deleteNoticesOfEvents } from '#server/model/notices/notice-store.ts';
import { events } from '#server/model/events/schema.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { mergedTracks, removedTracks, tracks } from './schema.ts';
import type { NewTrack } from './library-track.ts';

/** A change of one of these fields changes lap times or which laps rank. */
const TIMED_BY = [
  'startFinishLine',
  'finishLine',
  'sectors',
  'outline',
  'lengthMeters',
  'radiusMeters',
  'centerLat',
  'centerLon',
] as const satisfies readonly (keyof Track)[];

/** Returns true where laps are timed or ranked otherwise on `after` than on `before`. */
export function isTimedOtherwise(before: Track, after: Track): boolean {
  return TIMED_BY.some(
    (field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null),
  );
}

const RETIME_NOW = { retimeDueAt: sql`statement_timestamp()`, retimedSessionId: null };

export async function retimeTrack(tx: Database, trackId: TrackId): Promise<void> {
  await tx.update(tracks).set(RETIME_NOW).where(eq(tracks.id, trackId));
}

/** Has a track timed again where it was redefined after a moment, or is being timed again already. */
export async function retimeIfRedefined(tx: Database, trackId: TrackId, since: Date): Promise<void> {
  const isDue = or(gt(tracks.definedAt, since), isNotNull(tracks.retimeDueAt));
  await tx
    .update(tracks)
    .set(RETIME_NOW)
    .where(and(eq(tracks.id, trackId), isDue));
}

/** Replaces the definition of a track; the library file no longer overwrites it. */
export async function replaceDefinition(
  tx: Database,
  trackId: Track['id'],
  definition: NewTrack,
  isRetimed: boolean,
): Promise<void> {
  await changeLaps(tx, { trackId, userIds: [] }, () =>
    tx
      .update(tracks)
      .set({
        ...definition,
        definedAt: sql`statement_timestamp()`,
        correctedAt: sql`statement_timestamp()`,
        ...(isRetimed && RETIME_NOW),
      })
      .where(eq(tracks.id, trackId)),
  );
}

/** Deletes a track. @throws the database's error where the track has sessions */
export async function deleteTrackRow(db: Database, trackId: TrackId): Promise<boolean> {
  await deleteNoticesOfEvents(db, eq(events.trackId, trackId));
  await db.delete(mergedTracks).where(eq(mergedTracks.intoTrackId, trackId));
  const rows = await db.delete(tracks).where(eq(tracks.id, trackId)).returning({ id: tracks.id });
  await db.insert(removedTracks).values({ id: trackId }).onConflictDoNothing();
  return rows.length > 0;
}

export async function countSessions(db: Database, trackId: TrackId): Promise<number> {
  const [row] = await db.select({ count: count() }).from(sessions).where(eq(sessions.trackId, trackId));
  return row?.count ?? 0;
}

/** Holds a track that is due to be retimed, and since when it is due. */
export type DueTrack = { id: TrackId; dueAt: string };

const dueAt = readAs(z.string(), sql`${tracks.retimeDueAt}::text`);

/** Lists the tracks that are due to be retimed, or only the one with `trackId`. */
export async function listDueTracks(db: Database, trackId: TrackId | null): Promise<DueTrack[]> {
  return await db
    .select({ id: tracks.id, dueAt })
    .from(tracks)
    .where(and(isNotNull(tracks.retimeDueAt), trackId === null ? undefined : eq(tracks.id, trackId)))
    .orderBy(asc(tracks.retimeDueAt));
}

/** Records the last retimed session of a track, unless the track has changed meanwhile. */
export async function markRetimedUpTo(
  db: Database,
  track: DueTrack,
  retimedSessionId: SessionId,
): Promise<void> {
  await db
    .update(tracks)
    .set({ retimedSessionId })
    .where(and(eq(tracks.id, track.id), sql`${tracks.retimeDueAt} = ${track.dueAt}::timestamptz`));
}

/** Lists the tracks that are being retimed, the longest waiting first. */
export async function listRetimings(db: Database): Promise<Retiming[]> {
  const { id, name, configuration } = tracks;
  const isDone = sql`${laps.sessionId} <= ${tracks.retimedSessionId}`;
  return await db
    .select({
      id,
      name,
      configuration,
      lapsDone: sql`count(${laps.id}) FILTER (WHERE ${isDone})`.mapWith(Number),
      lapsTotal: count(laps.id),
    })
    .from(tracks)
    .leftJoin(laps, eq(laps.trackId, id))
    .where(isNotNull(tracks.retimeDueAt))
    .groupBy(id)
    .orderBy(asc(tracks.retimeDueAt));
}

/** Records that all laps of a track were retimed, unless the track has changed meanwhile. */
export async function markRetimed(db: Database, track: DueTrack): Promise<void> {
  await db
    .update(tracks)
    .set({ retimeDueAt: null, retimedSessionId: null })
    .where(and(eq(tracks.id, track.id), sql`${tracks.retimeDueAt} = ${track.dueAt}::timestamptz`));
}
