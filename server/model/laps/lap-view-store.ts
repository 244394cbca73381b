import type { Pool } from 'pg';
import { z } from 'zod';
import { carModelIdSchema, type LapId, type TrackId, type UserId } from '#contract/ids.ts';
import { lapLinkSchema, lapViewSchema } from '#contract/lap-view/schemas.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { findListedKinds } from '#server/model/club/club-settings-store.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { BEST_FIRST, bestFirst } from './ranking.ts';
import { hashOfContent } from './stored-sample.ts';
import { IS_PRIVATE } from './line-privacy.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';

const lapRow = lapViewSchema
  .omit({
    uncertaintyParts: true,
    evidence: true,
    source: true,
    isOwn: true,
    canBeCompared: true,
    place: true,
    record: true,
    ownBest: true,
    driverBest: true,
    recordInCar: true,
    rival: true,
    compareWith: true,
  })
  .extend({
    carModelId: carModelIdSchema.nullable(),
    gpsRateHz: z.number().nullable(),
    fileSha256: z.string(),
    engineVersion: z.string(),
    /** Counts from the first fix of the file. */
    startOffsetMs: z.number(),
    startedAtMs: z.number(),
    /** Is true where somebody else than the reader has set an open flag. */
    hasOpenFlag: z.boolean(),
  });

/** The storage has the file under `storageKey`. */
const lapFileRow = z.object({ format: z.string(), storageKey: z.string() });

export type StoredLap = z.infer<typeof lapRow> &
  z.infer<typeof lapFileRow> & {
    /** Is true where the lap ranks on a board that everybody sees. */
    isListed: boolean;
  };

// $3 is the reader, null for guests, who do not see what a driver calls a car. A flag opens nothing to the person who set it.
const FIND_LAP = {
  name: 'find-lap',
  text: `
    SELECT laps.id AS "lapId", laps.track_id AS "trackId", laps.session_id AS "sessionId", laps.number,
      laps.lap_time_ms AS "lapTimeMs", laps.uncertainty_ms AS "uncertaintyMs", laps.status, laps.reasons,
      laps.sector_times_ms AS "sectorTimesMs", ${sectorNames()} AS "sectorNames",
      sessions.user_id AS "driverId", ${DRIVER_NAME} AS "userName", '/api/images/' || users.avatar_key AS "userAvatar",
      user_cars.car_model_id AS "carModelId", car_models.make AS "carMake", car_models.model_family AS "carModel",
      car_models.variant AS "carVariant", car_models.generation AS "carGeneration",
      car_models.race_class AS "carRaceClass", car_models.drivetrain AS "carDrivetrain",
      CASE WHEN $3::uuid IS NOT NULL THEN coalesce(user_cars.nickname, car_models.model_display)
        ELSE car_models.model_display END AS "carName",
      sessions.tire_compound AS "tireCompound", sessions.session_date AS "sessionDate",
      sessions.video_url AS "videoUrl", sessions.gps_rate_hz AS "gpsRateHz",
      sessions.engine_version AS "engineVersion", sessions.lap_file_sha256 AS "fileSha256",
      (1000 * extract(epoch FROM laps.started_at - sessions.started_at))::float8 AS "startOffsetMs",
      (1000 * extract(epoch FROM laps.started_at))::float8 AS "startedAtMs", ${IS_PRIVATE} AS "isPrivate",
      coalesce((
        SELECT json_agg(json_build_object('kind', kind, 'source', source) ORDER BY kind)
        FROM lap_evidence WHERE lap_evidence.track_id = laps.track_id AND lap_evidence.lap_id = laps.id
      ), '[]') AS "grantedEvidence",
      EXISTS (
        SELECT FROM lap_flags
        WHERE lap_flags.track_id = laps.track_id AND lap_flags.lap_id = laps.id AND decision_id IS NULL
          AND lap_flags.user_id IS DISTINCT FROM $3
      ) AS "hasOpenFlag"
    FROM laps
    JOIN tracks ON tracks.id = laps.track_id
    JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
    JOIN users ON users.id = sessions.user_id
    LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
    LEFT JOIN car_models ON car_models.id = user_cars.car_model_id
    WHERE laps.track_id = $1 AND laps.id = $2 AND NOT (${IS_LEAVING})`,
};

// The hash alone finds a file: a join with the lap could take several times as long (docs/decisions/0023).
const FIND_LAP_FILE = {
  name: 'find-lap-file',
  text: 'SELECT format, storage_key AS "storageKey" FROM lap_files WHERE sha256 = $1',
};

/** Returns the names of the sector lines, and one for the last sector, which ends at the finish, as SQL on `tracks`. */
export function sectorNames(): string {
  return `CASE WHEN jsonb_array_length(tracks.sectors) = 0 THEN '{}' ELSE
    (SELECT array_agg(line->>'name' ORDER BY index) FROM jsonb_array_elements(tracks.sectors) WITH ORDINALITY AS lines (line, index))
      || ('S' || jsonb_array_length(tracks.sectors) + 1) END`;
}

/** Finds a lap of a track; undefined where there is none with this id. The caller checks who may see it. */
export async function findLap(
  pool: Pool,
  trackId: TrackId,
  lapId: LapId,
  readerId: UserId | null,
): Promise<StoredLap | undefined> {
  const values = [trackId, lapId, readerId];
  const [lap] = await queryRows(pool, lapRow, { ...FIND_LAP, values });
  if (!lap) return undefined;
  const [file] = await queryRows(pool, lapFileRow, { ...FIND_LAP_FILE, values: [lap.fileSha256] });
  // A missing file means that the session was removed in between.
  if (!file) return undefined;
  const fileSha256 = hashOfContent(lap.fileSha256);
  return { ...lap, ...file, fileSha256, isListed: await isListed(pool, lap) };
}

async function isListed(pool: Pool, lap: Pick<StoredLap, 'status' | 'reasons'>): Promise<boolean> {
  if (lap.status !== 'simulated') return isRanking(lap);
  const { simulator, sample } = await findListedKinds(pool);
  return lap.reasons.includes('sample') ? sample : simulator;
}

const LINK_ROLES = ['record', 'ownBest', 'driverBest', 'recordInCar', 'ahead', 'behind'] as const;

export type LinkRole = (typeof LINK_ROLES)[number];

const linkedLapRow = lapLinkSchema.extend({ role: z.enum(LINK_ROLES), isPrivate: z.boolean() });

export type LinkedLap = z.infer<typeof linkedLapRow>;

function best(role: LinkRole, condition: string): string {
  return `(
    SELECT '${role}' AS role, session_id, lap_number FROM session_bests
    WHERE track_id = $1 AND same_car_lap_count IS NOT NULL ${condition} ORDER BY ${BEST_FIRST} LIMIT 1
  )`;
}

/** Selects the best of the driver who is next to the driver $3 on the board. */
function neighbour(role: 'ahead' | 'behind'): string {
  const [isNext, order] = role === 'ahead' ? ['<', 'DESC'] : ['>', 'ASC'];
  const nearestFirst = BEST_FIRST.split(', ').map((column) => `${column} ${order}`);
  return `(
    SELECT '${role}', nearest.session_id, nearest.lap_number FROM driver_best
    CROSS JOIN LATERAL (
      SELECT session_id, lap_number FROM session_bests AS other
      WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND (${bestFirst('other')}) ${isNext} (${bestFirst('driver_best')})
        AND NOT EXISTS (
          SELECT FROM session_bests AS better
          WHERE better.track_id = $1 AND better.user_id = other.user_id AND (${bestFirst('better')}) < (${bestFirst('other')})
        )
      ORDER BY ${nearestFirst.join(', ')} LIMIT 1
    ) AS nearest
  )`;
}

const LIST_LINKED_LAPS = {
  name: 'list-linked-laps',
  text: `
    WITH driver_best AS MATERIALIZED (
      SELECT ${BEST_FIRST} FROM session_bests
      WHERE track_id = $1 AND user_id = $3 AND same_car_lap_count IS NOT NULL ORDER BY ${BEST_FIRST} LIMIT 1
    ), linked AS (
      ${best('record', '')}
      UNION ALL ${best('driverBest', 'AND user_id = $3')}
      UNION ALL ${best('ownBest', 'AND user_id = $4')}
      UNION ALL ${best('recordInCar', 'AND car_model_id = $5')}
      UNION ALL ${neighbour('ahead')}
      UNION ALL ${neighbour('behind')}
    )
    SELECT linked.role, laps.id AS "lapId", sessions.user_id AS "driverId", ${DRIVER_NAME} AS "userName",
      laps.lap_time_ms AS "lapTimeMs", $2::int - laps.lap_time_ms AS "gapMs", laps.sector_times_ms AS "sectorTimesMs",
      ${IS_PRIVATE} AS "isPrivate"
    FROM linked
    JOIN laps ON laps.track_id = $1 AND laps.session_id = linked.session_id AND laps.number = linked.lap_number
    JOIN sessions ON sessions.track_id = $1 AND sessions.id = linked.session_id
    JOIN users ON users.id = sessions.user_id`,
};

/** Lists the laps that a lap is compared with: bests of the board of all times, and the neighbours of its driver on it. */
export async function listLinkedLaps(
  pool: Pool,
  { trackId, lapTimeMs, driverId, carModelId }: StoredLap,
  viewerId: UserId | null,
): Promise<LinkedLap[]> {
  const values = [trackId, lapTimeMs, driverId, viewerId, carModelId];
  return await queryRows(pool, linkedLapRow, { ...LIST_LINKED_LAPS, values });
}

const FIND_RANK = {
  name: 'find-rank',
  text: `
    SELECT entry_count AS drivers, 1 + (
      SELECT count(*)::int FROM (
        SELECT FROM session_bests
        WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND lap_time_ms < $2 GROUP BY user_id
      ) AS faster
    ) AS rank
    FROM tracks WHERE id = $1`,
};

const placeRow = z.object({ rank: z.int(), drivers: z.int() });

/** Finds the rank that a lap time has on the board of all times, and the number of drivers on it. */
export async function findRank(
  pool: Pool,
  trackId: TrackId,
  lapTimeMs: number,
): Promise<{ rank: number; drivers: number } | undefined> {
  const query = { ...FIND_RANK, values: [trackId, lapTimeMs] };
  const [place] = await queryRows(pool, placeRow, query);
  return place;
}
