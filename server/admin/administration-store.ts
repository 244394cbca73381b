import { and, asc, count, eq, getTableColumns, like, type SQL, sql } from 'drizzle-orm';
import type { AdministeredCar, AdministeredTrack } from '#contract/admin-tracks.ts';
import { escapePattern } from '#server/cars/car-store.ts';
import { splitSearchWords } from '#server/cars/search-text.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { carModels, tracks } from '#server/kernel/database/schema.ts';

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
  return { tracks: rows, total: await countRows(db, tracks, condition) };
}

/** A page of the cars whose names have every word of `q`, and how many there are. */
export async function listAdministeredCars(
  db: Database,
  { q, limit, offset }: Page,
): Promise<{ cars: AdministeredCar[]; total: number }> {
  const words = splitSearchWords(q);
  const condition = and(...words.map((word) => like(carModels.searchText, `%${escapePattern(word)}%`)));
  const { modelDisplay, years, modelKey, searchText: _searchText, ...columns } = getTableColumns(carModels);
  const rows = await db
    .select({
      ...columns,
      modelDisplay,
      years,
      modelKey,
      garageCount: sql<number>`(SELECT count(*)::int FROM user_cars WHERE car_model_id = car_models.id)`,
    })
    .from(carModels)
    .where(condition)
    .orderBy(asc(modelDisplay), asc(years), asc(modelKey))
    .limit(limit)
    .offset(offset);
  return { cars: rows, total: await countRows(db, carModels, condition) };
}

async function countRows(
  db: Database,
  table: typeof tracks | typeof carModels,
  condition: SQL | undefined,
): Promise<number> {
  const [row] = await db.select({ total: count() }).from(table).where(condition);
  return row?.total ?? 0;
}
