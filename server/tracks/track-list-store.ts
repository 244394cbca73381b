import type { Pool } from 'pg';
import { LIMITS } from '#contract/limits.ts';

const FIND_VERSION = {
  name: 'find-tracks-version',
  text: `
    SELECT count(*) || '.' || bit_xor(hash_record_extended(ROW(id, entry_count, defined_at, thin_outline IS NULL), 0)) AS version
    FROM tracks`,
};

/**
 * A text that differs whenever a definition or an entry count does, or a lap has drawn the first outline: a fingerprint of every row, which the database makes in some
 * 0.4 ms for a thousand tracks. The latest time of change would not do: a transaction that began earlier may end later.
 */
export async function findTracksVersion(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ version: string }>(FIND_VERSION);
  return rows[0]?.version ?? '';
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

const WRITE_LIST = {
  name: 'write-track-list',
  text: `
    SELECT '[' || coalesce(string_agg(row_to_json(listed)::text, ','), '') || ']' AS json
    FROM (
      SELECT id, name, location, configuration, country, length_meters AS "lengthMeters", status,
        radius_meters AS "radiusMeters", center_lat AS "centerLat", center_lon AS "centerLon",
        start_finish_line AS "startFinishLine", finish_line AS "finishLine", sectors, thin_outline AS outline, time_zone AS "timeZone",
        entry_count AS "entryCount", id = ANY($1) AS "hasOwnEntry"
      FROM tracks
      ORDER BY id = ANY($1) DESC, entry_count DESC, name, configuration, id
      LIMIT ${LIMITS.tracksMax}
    ) AS listed`,
};

/**
 * All tracks with thinned outlines: those of `ownTrackIds` first, then those with more entries. The database writes the JSON of
 * `listedTrackSchema`, because thousands of tracks made into objects and checked here would hold up all other calls.
 */
export async function writeTrackList(pool: Pool, ownTrackIds: readonly string[]): Promise<Buffer> {
  const { rows } = await pool.query<{ json: string }>({ ...WRITE_LIST, values: [ownTrackIds] });
  return Buffer.from(rows[0]?.json ?? '[]');
}
