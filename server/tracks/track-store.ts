import { eq, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { type ListedTrack, listedTrackSchema, type Track, trackSchema } from '#contract/tracks.ts';
import type { Database } from '#server/db/database.ts';
import { tracks } from '#server/db/schema.ts';

const LIST_TRACKS = {
  name: 'list-tracks',
  text: `
    SELECT id, name, location, configuration, country, length_meters AS "lengthMeters", status,
      radius_meters AS "radiusMeters", center_lat AS "centerLat", center_lon AS "centerLon",
      start_finish_line AS "startFinishLine", sectors, thin_outline AS outline, time_zone AS "timeZone",
      entry_count AS "entryCount",
      EXISTS (
        SELECT FROM laps
        WHERE laps.track_id = tracks.id AND laps.user_id = $1::uuid AND laps.status IN ('valid', 'warning')
      ) AS "hasOwnEntry"
    FROM tracks
    ORDER BY "hasOwnEntry" DESC, "entryCount" DESC, name, configuration, id
    LIMIT ${LIMITS.tracksMax}`,
};

/** All tracks with thinned outlines: those with an entry of `viewerId` first, then those with more entries. */
export async function listTracks(pool: Pool, viewerId: string | null): Promise<ListedTrack[]> {
  const { rows } = await pool.query({ ...LIST_TRACKS, values: [viewerId] });
  return z.array(listedTrackSchema).parse(rows);
}

/** A track with its full outline. */
export async function findTrack(db: Database, trackId: string): Promise<Track | undefined> {
  const [row] = await db.select().from(tracks).where(eq(tracks.id, trackId));
  return row && trackSchema.parse(row);
}

const oneText = z.array(z.object({ track: z.string() }));

/**
 * Every track with its full outline, for matching: each as JSON, as the database writes it. Thousands of outlines made into
 * objects here would hold up all other calls.
 */
export async function listFullTracksAsJson(db: Database): Promise<string[]> {
  const { rows } = await db.execute(sql`
    SELECT json_build_object(
      'id', id, 'name', name, 'location', location, 'configuration', configuration, 'country', country,
      'lengthMeters', length_meters, 'status', status, 'radiusMeters', radius_meters,
      'centerLat', center_lat, 'centerLon', center_lon, 'startFinishLine', start_finish_line,
      'sectors', sectors, 'outline', outline, 'timeZone', time_zone
    )::text AS track
    FROM ${tracks} ORDER BY id LIMIT ${LIMITS.tracksMax}`);
  return oneText.parse(rows).map(({ track }) => track);
}

/** A text that differs whenever `listFullTracksAsJson` would give something else. */
export async function getTracksVersion(db: Database): Promise<string> {
  const [row] = await db
    .select({
      version: sql<string>`count(*) || ' tracks, ' || coalesce(max(${tracks.definedAt})::text, 'never')`,
    })
    .from(tracks);
  return z.string().parse(row?.version);
}

/**
 * Tells everybody that the laps of a track change: call it inside the transaction that changes them, first, so that
 * changes to one track take turns, and `recountEntries` after it.
 */
export async function bumpBoardVersion(db: Database, trackId: string): Promise<void> {
  await db
    .update(tracks)
    .set({ boardVersion: sql`${tracks.boardVersion} + 1` })
    .where(eq(tracks.id, trackId));
}

/** The same for every track that a driver has laps on: their name or picture changes on the boards. */
export async function bumpBoardVersionsOf(db: Database, userId: string): Promise<void> {
  // Locked in one order, so that two such changes never wait for each other.
  await db.execute(sql`
    UPDATE tracks SET board_version = board_version + 1 WHERE id IN (
      SELECT id FROM tracks WHERE id IN (SELECT track_id FROM laps WHERE user_id = ${userId})
      ORDER BY id FOR UPDATE
    )`);
}

/** Counts the drivers with a ranking lap anew. */
export async function recountEntries(db: Database, trackId: string): Promise<void> {
  await db.execute(sql`
    UPDATE tracks SET entry_count = (
      SELECT count(DISTINCT user_id) FROM laps
      WHERE track_id = ${trackId} AND status IN ('valid', 'warning')
    ) WHERE id = ${trackId}`);
}
