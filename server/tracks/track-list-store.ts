import type { Pool } from 'pg';
import { LIMITS } from '#contract/limits.ts';

// So many groups that reading one of them anew is little work, and so few that comparing them is none.
const GROUP = 'hashtextextended(id, 0) & 255';

const FIND_FINGERPRINTS = {
  name: 'find-track-fingerprints',
  text: `
    SELECT ${GROUP} AS "group", count(*) || '.' || bit_xor(hash_record_extended(
      ROW(id, entry_count, defined_at, CASE WHEN outline IS NULL THEN board_version END), 0
    )) AS fingerprint
    FROM tracks GROUP BY 1`,
};

/** Of each group of tracks, a text that differs whenever the list says something else of one of them. */
export type TrackFingerprints = ReadonlyMap<string, string>;

/**
 * Fingerprints of all tracks, which the database makes in some milliseconds for thousands: of definitions, counts of entries, and
 * where laps draw the outline, of laps. The latest time of change would not do: a transaction that began earlier may end later.
 */
export async function findTrackFingerprints(pool: Pool): Promise<TrackFingerprints> {
  const { rows } = await pool.query<{ group: string; fingerprint: string }>(FIND_FINGERPRINTS);
  // Always in one order: together they are the version of the list. The database would sort all tracks for it.
  const inOrder = rows.toSorted((a, b) => Number(a.group) - Number(b.group));
  return new Map(inOrder.map(({ group, fingerprint }) => [group, fingerprint]));
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

/** A track as the list shows it. */
export type WrittenTrack = {
  group: string;
  id: string;
  name: string;
  configuration: string | null;
  entryCount: number;
  /** The JSON of all that the list says of it, but for its end: whether the viewer has an entry. */
  json: string;
};

const WRITE_TRACKS = {
  name: 'write-tracks',
  text: `
    SELECT "group", id, name, configuration, "entryCount", left(json::text, -1) AS json
    FROM (
      SELECT ${GROUP} AS "group", id, name, configuration, entry_count AS "entryCount", (
        SELECT row_to_json(listed) FROM (
          SELECT id, name, location, configuration, country, length_meters AS "lengthMeters", status,
            radius_meters AS "radiusMeters", center_lat AS "centerLat", center_lon AS "centerLon",
            start_finish_line AS "startFinishLine", finish_line AS "finishLine", sectors, thin_outline AS outline,
            time_zone AS "timeZone", entry_count AS "entryCount"
        ) AS listed
      ) AS json
      FROM tracks WHERE ${GROUP} = ANY($1)
      LIMIT ${LIMITS.tracksMax}
    ) AS written`,
};

/**
 * The tracks of some groups, with thinned outlines. The database writes the JSON of `listedTrackSchema`, because thousands of
 * tracks made into objects and checked here would hold up all other calls.
 */
export async function writeTracks(pool: Pool, groups: readonly string[]): Promise<WrittenTrack[]> {
  const { rows } = await pool.query<WrittenTrack>({ ...WRITE_TRACKS, values: [groups] });
  return rows;
}
