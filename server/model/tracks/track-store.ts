import { and, between, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { SessionId, TrackId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { type NearbyCourse, outlineSchema, type Track, trackSchema } from '#contract/tracks/schemas.ts';
import type { TrackOutline } from '#engine/comparison/line-of-outline.ts';
import { METERS_PER_DEGREE, type Position } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows, readAs } from '#server/kernel/database/query-rows.ts';
import { IS_LINE_SHOWN } from '#server/model/laps/line-privacy.ts';
import { courses } from '#server/model/track-sets/schema.ts';
import { tracks, mergedTracks } from './schema.ts';

export async function findTrack(db: Database, trackId: TrackId): Promise<Track | undefined> {
  const [row] = await db.select().from(tracks).where(eq(tracks.id, trackId));
  return row && trackSchema.parse(row);
}

/** Finds the outline of a track, on which its corners are counted, with a text that differs for every definition; null where there is no track. */
export async function findOutline(
  db: Database,
  trackId: TrackId,
): Promise<(TrackOutline & { version: string }) | null> {
  const { outline, finishLine } = tracks;
  const version = readAs(z.string(), sql`${tracks.definedAt}::text`);
  const [row] = await db.select({ outline, finishLine, version }).from(tracks).where(eq(tracks.id, trackId));
  return row ? { ...outlineColumns.parse(row), version: row.version } : null;
}

const outlineColumns = trackSchema.pick({ outline: true, finishLine: true });

/** Finds a track; one without an outline gets that of its fastest valid lap, which is only shown and never checks laps. */
export async function findDrawnTrack(db: Database, trackId: TrackId): Promise<Track | undefined> {
  const [row] = await db.select().from(tracks).where(eq(tracks.id, trackId));
  return row && trackSchema.parse({ ...row, outline: row.outline ?? row.thinOutline });
}

export async function findMergedInto(db: Database, trackId: TrackId): Promise<TrackId | undefined> {
  const [row] = await db
    .select({ intoTrackId: mergedTracks.intoTrackId })
    .from(mergedTracks)
    .where(eq(mergedTracks.id, trackId));
  return row?.intoTrackId;
}

/** The largest circuits extend this far from their centre. */
const NEAR_METERS = 12_000;
/** A degree of longitude is almost zero metres near the poles; this limit avoids a division by zero. */
const COSINE_MIN = 0.05;

type Centers =
  | Pick<typeof tracks, 'centerLat' | 'centerLon'>
  | Pick<typeof courses, 'centerLat' | 'centerLon'>;

/** Returns the condition that a centre is near a position, and the order by its distance. */
function centersNear({ centerLat, centerLon }: Centers, { lat, lon }: Position) {
  const latReach = NEAR_METERS / METERS_PER_DEGREE;
  const cosine = Math.max(COSINE_MIN, Math.cos((lat * Math.PI) / 180));
  const lonReach = latReach / cosine;
  return {
    isNear: and(
      between(centerLat, lat - latReach, lat + latReach),
      between(centerLon, lon - lonReach, lon + lonReach),
    ),
    distance: sql`(${centerLat} - ${lat}) ^ 2 + ((${centerLon} - ${lon}) * ${cosine}) ^ 2`,
  };
}

/** Lists the tracks around a position, drawn as `findDrawnTrack` does, nearest first. */
export async function listTracksNear(db: Database, position: Position): Promise<Track[]> {
  const { isNear, distance } = centersNear(tracks, position);
  const rows = await db
    .select()
    .from(tracks)
    .where(isNear)
    .orderBy(distance, tracks.id)
    .limit(LIMITS.nearbyTracksMax);
  return rows.map((row) => trackSchema.parse({ ...row, outline: row.outline ?? row.thinOutline }));
}

/** Lists the names of the courses around a position, nearest first. */
export async function listCoursesNear(db: Database, position: Position): Promise<NearbyCourse[]> {
  const { isNear, distance } = centersNear(courses, position);
  const { name, location, country, centerLat, centerLon, origin } = courses;
  return await db
    .select({ name, location, country, centerLat, centerLon, origin })
    .from(courses)
    .where(isNear)
    .orderBy(distance, courses.id)
    .limit(LIMITS.nearbyTracksMax);
}

/** Holds a stored lap with its path. */
export type DrivenLap = { sessionId: SessionId; lapTimeMs: number; points: readonly OutlinePoint[] };

/**
 * Draws a track without an outline from a valid lap whose line everybody may see, unless it was drawn from a faster one.
 */
export async function drawFromLap(
  db: Database,
  trackId: TrackId,
  { lapTimeMs, points, sessionId }: DrivenLap,
): Promise<void> {
  await db.execute(sql`
    UPDATE tracks
    SET thin_outline = ${JSON.stringify(points)}::jsonb, thin_outline_session_id = ${sessionId}
    WHERE id = ${trackId} AND outline IS NULL AND EXISTS (
      SELECT FROM sessions JOIN users ON users.id = sessions.user_id
      WHERE sessions.track_id = ${trackId} AND sessions.id = ${sessionId} AND ${sql.raw(IS_LINE_SHOWN)}
    ) AND (
      thin_outline IS NULL
      OR NOT EXISTS (
        SELECT FROM laps WHERE track_id = ${trackId} AND status = 'valid' AND lap_time_ms < ${lapTimeMs}
      )
    )`);
}

/** Finds the drawing of a track that was made from a lap of this session. */
export async function findDrawing(
  db: Database,
  { trackId, id: sessionId }: { trackId: TrackId; id: SessionId },
): Promise<[number, number][] | null> {
  const { id, outline, thinOutline, thinOutlineSessionId } = tracks;
  const [row] = await db
    .select({ thinOutline })
    .from(tracks)
    .where(and(eq(id, trackId), eq(thinOutlineSessionId, sessionId), isNull(outline)));
  return row ? outlineSchema.parse(row.thinOutline) : null;
}

const trackRow = z.object({ track: z.string() });

/** Lists every track in full, for matching. The database writes the JSON, which would take too long on this thread. */
export async function listFullTracksAsJson(db: Database): Promise<string[]> {
  const query = sql`
    SELECT json_build_object(
      'id', id, 'name', name, 'location', location, 'configuration', configuration, 'country', country,
      'lengthMeters', length_meters, 'status', status, 'radiusMeters', radius_meters,
      'centerLat', center_lat, 'centerLon', center_lon, 'startFinishLine', start_finish_line,
      'finishLine', finish_line, 'sectors', sectors, 'outline', outline, 'timeZone', time_zone, 'origin', origin
    )::text AS track
    FROM ${tracks} ORDER BY id LIMIT ${LIMITS.tracksMax}`;
  const rows = await executeRows(db, trackRow, query);
  return rows.map(({ track }) => track);
}

/** Returns a version that every change of the answer of `listFullTracksAsJson` changes. */
export async function getTracksVersion(db: Database): Promise<string> {
  // The latest time of change does not suffice, because a transaction that began earlier may end later.
  const version = sql`count(*) || '.' || coalesce(bit_xor(hash_record_extended(ROW(${tracks.id}, ${tracks.definedAt}), 0)), 0)`;
  const [row] = await db.select({ version: readAs(z.string(), version) }).from(tracks);
  if (!row) throw new Error('The database did not give the version of the tracks.');
  return row.version;
}
