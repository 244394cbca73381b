import { and, asc, eq, isNotNull, like, sql } from 'drizzle-orm';
import type { AdministeredTrack } from '#contract/tracks/administration.ts';
import { escapePattern } from '#server/model/cars/car-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { tracks } from './schema.ts';

type Page = { q: string; limit: number; offset: number };

/** Lists a page of the tracks whose names contain every word of `q`, with the total count. */
export async function listAdministeredTracks(
  db: Database,
  { q, status, limit, offset }: Page & { status?: AdministeredTrack['status'] | undefined },
): Promise<{ tracks: AdministeredTrack[]; total: number }> {
  const { id, name, location, configuration, country, lengthMeters, radiusMeters } = tracks;
  const names = sql`lower(concat_ws(' ', ${id}, ${name}, ${location}, ${configuration}, ${country}))`;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const condition = and(
    status === undefined ? undefined : eq(tracks.status, status),
    ...words.map((word) => like(names, `%${escapePattern(word)}%`)),
  );
  const rows = await db
    .select({
      id,
      name,
      location,
      configuration,
      country,
      lengthMeters,
      radiusMeters,
      status: tracks.status,
      isRetiming: isNotNull(tracks.retimeDueAt).mapWith(Boolean),
      sessionCount: sql`(SELECT count(*) FROM sessions WHERE sessions.track_id = tracks.id)`.mapWith(Number),
      lapCount: sql`(
        SELECT coalesce(sum(lap_count), 0) FROM session_bests WHERE session_bests.track_id = tracks.id
      )`.mapWith(Number),
    })
    .from(tracks)
    .where(condition)
    .orderBy(asc(name), asc(configuration), asc(id))
    .limit(limit)
    .offset(offset);
  return { tracks: rows, total: await db.$count(tracks, condition) };
}
