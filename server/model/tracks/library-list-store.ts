import { and, asc, eq, like, sql } from 'drizzle-orm';
import type { AdministeredTrack } from '#contract/admin-tracks.ts';
import { escapePattern } from '#server/model/cars/car-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { tracks } from './schema.ts';

type Page = { q: string; limit: number; offset: number };

/** A page of the tracks whose names have every word of `q`, and how many there are. */
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
      isRetiming: sql<boolean>`${tracks.retimeDueAt} IS NOT NULL`,
      sessionCount: sql<number>`(SELECT count(*)::int FROM sessions WHERE sessions.track_id = tracks.id)`,
      lapCount: sql<number>`(
        SELECT coalesce(sum(lap_count), 0)::int FROM session_bests WHERE session_bests.track_id = tracks.id
      )`,
    })
    .from(tracks)
    .where(condition)
    .orderBy(asc(name), asc(configuration), asc(id))
    .limit(limit)
    .offset(offset);
  return { tracks: rows, total: await db.$count(tracks, condition) };
}
