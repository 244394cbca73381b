import type { Pool } from 'pg';
import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';

const FIND_TRACK_LIST_VERSION = {
  name: 'find-track-list-version',
  text: `
    SELECT count(*) || '.' || coalesce(bit_xor(hash_record_extended(
      ROW(id, entry_count, defined_at, CASE WHEN outline IS NULL THEN board_version END), 0
    )), 0) AS version
    FROM tracks`,
};

/**
 * A text that differs whenever the list of all tracks does: by a definition, a count of entries, or an outline drawn from laps.
 * The latest time of change would not do: a transaction that began earlier may end later.
 */
export async function findTrackListVersion(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ version: string }>(FIND_TRACK_LIST_VERSION);
  return z.string().parse(rows[0]?.version);
}

const LIST_OWN_TRACK_IDS = {
  name: 'list-own-track-ids',
  text: `
    SELECT DISTINCT track_id AS id FROM session_bests WHERE user_id = $1 ORDER BY track_id`,
};

/** The tracks on which a driver has a ranking lap. */
export async function listOwnTrackIds(pool: Pool, userId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({ ...LIST_OWN_TRACK_IDS, values: [userId] });
  return rows.map(({ id }) => id);
}

/** A track of the list, and its JSON as a `ListedTrack` without `hasOwnEntry`. */
export type ListedTrackJson = { id: string; json: string };

const LIST_TRACKS_AS_JSON = {
  name: 'list-tracks-as-json',
  text: `
    SELECT id, row_to_json(listed)::text AS json
    FROM (
      SELECT id, name, location, configuration, country, length_meters AS "lengthMeters", status,
        radius_meters AS "radiusMeters", center_lat AS "centerLat", center_lon AS "centerLon",
        start_finish_line AS "startFinishLine", finish_line AS "finishLine", sectors, thin_outline AS outline,
        time_zone AS "timeZone", entry_count AS "entryCount"
      FROM tracks
      ORDER BY entry_count DESC, name COLLATE "C", configuration COLLATE "C", id COLLATE "C"
      LIMIT ${LIMITS.tracksMax}
    ) AS listed`,
};

/**
 * All tracks with thinned outlines, those with more entries first. The database writes the JSON, because thousands of outlines
 * made into objects here would hold up all other calls.
 */
export async function listTracksAsJson(pool: Pool): Promise<ListedTrackJson[]> {
  const { rows } = await pool.query<ListedTrackJson>(LIST_TRACKS_AS_JSON);
  return rows;
}
