import type { Pool } from 'pg';
import { z } from 'zod';
import { type TrackId, trackIdSchema, type UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { escapePattern } from '#server/model/cars/car-store.ts';

// Every change of what a row shows changes this; an outline drawn from laps changes with the board version.
const ROW_VERSION = `hash_record_extended(
  ROW(id, entry_count, defined_at, CASE WHEN outline IS NULL THEN board_version END), 0)`;

const FIND_TRACK_LIST_VERSION = {
  name: 'find-track-list-version',
  text: `SELECT count(*) || '.' || coalesce(bit_xor(${ROW_VERSION}), 0) AS version FROM tracks`,
};

const versionRow = z.object({ version: z.string() });

/**
 * Returns the version of the list of all tracks, which every change of a definition, of a number of entries or of an outline drawn
 * from laps changes. The latest time of change does not suffice, because a transaction that began earlier may end later.
 */
export async function findTrackListVersion(pool: Pool): Promise<string> {
  const [row] = await queryRows(pool, versionRow, FIND_TRACK_LIST_VERSION);
  if (!row) throw new Error('The database did not give the version of the list of tracks.');
  return row.version;
}

const LIST_OWN_TRACK_IDS = {
  name: 'list-own-track-ids',
  text: `
    SELECT DISTINCT track_id AS id FROM session_bests WHERE user_id = $1 ORDER BY track_id`,
};

const idRow = z.object({ id: trackIdSchema });

export async function listOwnTrackIds(pool: Pool, userId: UserId): Promise<TrackId[]> {
  const query = { ...LIST_OWN_TRACK_IDS, values: [userId] };
  const rows = await queryRows(pool, idRow, query);
  return rows.map(({ id }) => id);
}

const listedTrackRow = z.object({ id: trackIdSchema, json: z.string() });

/** Holds a track of the list as the JSON of a `ListedTrack` without `hasOwnEntry`. */
export type ListedTrackJson = z.infer<typeof listedTrackRow>;

const LISTED_COLUMNS = `
  id, name, location, configuration, country, length_meters AS "lengthMeters", status, radius_meters AS "radiusMeters",
  center_lat AS "centerLat", center_lon AS "centerLon", start_finish_line AS "startFinishLine", finish_line AS "finishLine",
  sectors, thin_outline AS outline, time_zone AS "timeZone", origin, entry_count AS "entryCount"`;

const NAME_ORDER = 'name COLLATE "C", configuration COLLATE "C", id COLLATE "C"';

const LIST_TRACK_VERSIONS = {
  name: 'list-track-versions',
  text: `
    SELECT id, ${ROW_VERSION}::text AS version
    FROM tracks
    ORDER BY entry_count DESC, ${NAME_ORDER}
    LIMIT ${LIMITS.tracksMax}`,
};

const idVersionRow = z.object({ id: trackIdSchema, version: z.string() });

/** Lists all tracks in the order of the list, those with more entries first, each with the version of its row. */
export async function listTrackVersions(pool: Pool): Promise<{ id: TrackId; version: string }[]> {
  return await queryRows(pool, idVersionRow, LIST_TRACK_VERSIONS);
}

// OFFSET 0 keeps the column names in the JSON (docs/decisions/0023).
const LIST_TRACKS_AS_JSON = {
  name: 'list-tracks-as-json',
  text: `
    SELECT id, row_to_json(listed)::text AS json
    FROM (SELECT ${LISTED_COLUMNS} FROM tracks WHERE id = ANY($1) OFFSET 0) AS listed`,
};

/** Lists tracks with thin outlines. The database writes the JSON, which would take too long on this thread. */
export async function listTracksAsJson(pool: Pool, ids: readonly TrackId[]): Promise<ListedTrackJson[]> {
  if (ids.length === 0) return [];
  return await queryRows(pool, listedTrackRow, { ...LIST_TRACKS_AS_JSON, values: [ids] });
}

/** Selects the tracks whose name or location contains `q`. Tracks without laps are sorted by their distance to `near`. */
export type TrackPage = {
  userId: UserId | null;
  q: string;
  near: { lat: number; lon: number } | null;
  limit: number;
  offset: number;
};

// People type names without their accents. The accents are removed first, because some locales have no lower case for such letters.
const fold = (text: string) => `lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'))`;

const LIST_TRACK_PAGE = {
  name: 'list-track-page',
  text: `
    SELECT row_to_json(listed)::text AS json
    FROM (
      SELECT ${LISTED_COLUMNS}, own.id IS NOT NULL AS "hasOwnEntry"
      FROM tracks
      LEFT JOIN (SELECT DISTINCT track_id AS id FROM session_bests WHERE user_id = $1::uuid) AS own USING (id)
      WHERE $2 = '' OR lower(name) LIKE $2 OR lower(location) LIKE $2 OR ${fold('name')} LIKE $3 OR ${fold('location')} LIKE $3
      ORDER BY own.id IS NULL, entry_count DESC,
        CASE WHEN entry_count < 1 THEN
          power(sin(radians(center_lat - $4::float8) / 2), 2)
            + cos(radians($4::float8)) * cos(radians(center_lat)) * power(sin(radians(center_lon - $5::float8) / 2), 2)
        END,
        ${NAME_ORDER}
      LIMIT $6 OFFSET $7
    ) AS listed`,
};

const jsonRow = z.object({ json: z.string() });

/** Returns a page of the list as JSON, in the order of the whole list. */
export async function listTrackPage(pool: Pool, page: TrackPage): Promise<string> {
  const { userId, q, near, limit, offset } = page;
  const typed = q.toLowerCase();
  const folded = typed.normalize('NFD').replaceAll(/\p{Mark}/gu, '');
  const [pattern, foldedPattern] = [typed, folded].map((text) =>
    typed === '' ? '' : `%${escapePattern(text)}%`,
  );
  const rows = await queryRows(pool, jsonRow, {
    ...LIST_TRACK_PAGE,
    values: [userId, pattern, foldedPattern, near?.lat ?? null, near?.lon ?? null, limit, offset],
  });
  return `[${rows.map(({ json }) => json).join()}]`;
}
