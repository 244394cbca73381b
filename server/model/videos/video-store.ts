import { and, asc, eq, sql } from 'drizzle-orm';
import { lapVideosSchema, type LapVideos } from '#contract/lap-view/videos.ts';
import type { SessionId, TrackId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { insertJsonRows, selectJsonRows } from '#server/kernel/database/json-rows.ts';
import { sessionVideos } from './schema.ts';

type SessionOfTrack = { trackId: TrackId; sessionId: SessionId };

const isOf = ({ trackId, sessionId }: SessionOfTrack) =>
  and(eq(sessionVideos.trackId, trackId), eq(sessionVideos.sessionId, sessionId));

const isVideo = (session: SessionOfTrack, key: string) => and(isOf(session), eq(sessionVideos.key, key));

/** Lists the videos of a session with their anchors, the first one that was saved first. */
export async function listSessionVideos(db: Database, session: SessionOfTrack): Promise<LapVideos['videos']> {
  const { key, anchors, savedAt } = sessionVideos;
  const rows = await db
    .select({ key, anchors })
    .from(sessionVideos)
    .where(isOf(session))
    .orderBy(asc(savedAt), asc(key));
  return lapVideosSchema.shape.videos.parse(rows);
}

/** Counts the videos of a session other than this one. */
export async function countOtherVideos(db: Database, session: SessionOfTrack, key: string): Promise<number> {
  return await db.$count(sessionVideos, and(isOf(session), sql`${sessionVideos.key} <> ${key}`));
}

/** Stores the anchors of a video, or replaces them. */
export async function upsertSessionVideo(
  db: Database,
  session: SessionOfTrack,
  { key, anchors }: LapVideos['videos'][number],
): Promise<void> {
  const { trackId, sessionId } = session;
  await db
    .insert(sessionVideos)
    .values({ trackId, sessionId, key, anchors })
    .onConflictDoUpdate({
      target: [sessionVideos.trackId, sessionVideos.sessionId, sessionVideos.key],
      set: { anchors },
    });
}

export async function deleteSessionVideo(db: Database, session: SessionOfTrack, key: string): Promise<void> {
  await db.delete(sessionVideos).where(isVideo(session, key));
}

/** Returns the videos of a session as JSON text. */
export async function selectVideos(tx: Database, session: SessionOfTrack): Promise<string> {
  return await selectJsonRows(tx, sessionVideos, isOf(session));
}

export async function restoreVideos(tx: Database, rows: string): Promise<void> {
  await insertJsonRows(tx, sessionVideos, rows);
}
