import type { Pool } from 'pg';
import type { LapLink, LapView } from '#contract/lap-view.ts';
import { DRIVER_NAME } from '#server/model/boards/session-bests-store.ts';

/** Whether others may not see the line of a lap, as SQL on `sessions` and `users`. */
export const IS_PRIVATE = 'coalesce(sessions.lines_private, users.keep_lines_private)';

/** A lap as it is stored, with who drove it and what its file is. */
export type StoredLap = Omit<
  LapView,
  | 'uncertaintyParts'
  | 'evidence'
  | 'source'
  | 'isOwn'
  | 'canBeCompared'
  | 'place'
  | 'record'
  | 'ownBest'
  | 'driverBest'
  | 'recordInCar'
  | 'compareWith'
> & {
  carModelId: string | null;
  format: string;
  gpsRateHz: number | null;
  fileSha256: string;
  engineVersion: string;
  /** Where its lap file is in the storage. */
  storageKey: string;
  /** Since the first fix of the file. */
  startOffsetMs: number;
  hasOpenFlag: boolean;
};

// $3 says whether the reader is signed in: guests do not see what a driver calls a car.
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
      CASE WHEN $3::boolean THEN coalesce(user_cars.nickname, car_models.model_display)
        ELSE car_models.model_display END AS "carName",
      sessions.tire_compound AS "tireCompound", sessions.session_date AS "sessionDate",
      sessions.video_url AS "videoUrl", sessions.gps_rate_hz AS "gpsRateHz",
      sessions.engine_version AS "engineVersion", sessions.lap_file_sha256 AS "fileSha256",
      (1000 * extract(epoch FROM laps.started_at - sessions.started_at))::float8 AS "startOffsetMs", ${IS_PRIVATE} AS "isPrivate",
      coalesce((
        SELECT json_agg(json_build_object('kind', kind, 'source', source) ORDER BY kind)
        FROM lap_evidence WHERE lap_evidence.track_id = laps.track_id AND lap_evidence.lap_id = laps.id
      ), '[]') AS "grantedEvidence",
      EXISTS (
        SELECT FROM lap_flags
        WHERE lap_flags.track_id = laps.track_id AND lap_flags.lap_id = laps.id AND decision_id IS NULL
      ) AS "hasOpenFlag"
    FROM laps
    JOIN tracks ON tracks.id = laps.track_id
    JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
    JOIN users ON users.id = sessions.user_id
    LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
    LEFT JOIN car_models ON car_models.id = user_cars.car_model_id
    WHERE laps.track_id = $1 AND laps.id = $2`,
};

// The hash alone finds a file: a join with the lap could take several times as long (docs/decisions/0023).
const FIND_LAP_FILE = {
  name: 'find-lap-file',
  text: 'SELECT format, storage_key AS "storageKey" FROM lap_files WHERE sha256 = $1',
};

type LapFile = Pick<StoredLap, 'format' | 'storageKey'>;

/** The names of the sector lines, and one for the way from the last of them to the finish, as SQL on `tracks`. */
export function sectorNames(): string {
  return `CASE WHEN jsonb_array_length(tracks.sectors) = 0 THEN '{}' ELSE
    (SELECT array_agg(line->>'name' ORDER BY index) FROM jsonb_array_elements(tracks.sectors) WITH ORDINALITY AS lines (line, index))
      || ('S' || jsonb_array_length(tracks.sectors) + 1) END`;
}

/** A lap of a track; undefined where there is none with this id. Who may see it is not asked here. */
export async function findLap(
  pool: Pool,
  trackId: string,
  lapId: string,
  isSignedIn: boolean,
): Promise<StoredLap | undefined> {
  const values = [trackId, lapId, isSignedIn];
  const { rows: laps } = await pool.query<Omit<StoredLap, keyof LapFile>>({ ...FIND_LAP, values });
  const [lap] = laps;
  if (!lap) return undefined;
  const { rows: files } = await pool.query<LapFile>({ ...FIND_LAP_FILE, values: [lap.fileSha256] });
  // Without one the session was removed in between.
  return files[0] && { ...lap, ...files[0] };
}

/** What a lap is to the one that is looked at. */
export type LinkRole = 'record' | 'ownBest' | 'driverBest' | 'recordInCar' | 'ahead' | 'behind';

export type LinkedLap = LapLink & { role: LinkRole; isPrivate: boolean };

const BEST_FIRST = 'lap_time_ms, lap_started_at, session_id, lap_number';

function best(role: LinkRole, condition: string): string {
  return `(
    SELECT '${role}' AS role, session_id, lap_number FROM session_bests
    WHERE track_id = $1 AND same_car_lap_count IS NOT NULL ${condition} ORDER BY ${BEST_FIRST} LIMIT 1
  )`;
}

/** The best of the driver who is next to the driver $3 on the board. */
function neighbour(role: 'ahead' | 'behind'): string {
  const [isNext, order] = role === 'ahead' ? ['<', 'DESC'] : ['>', 'ASC'];
  const nearestFirst = BEST_FIRST.split(', ').map((column) => `${column} ${order}`);
  const columnsOf = (table: string) =>
    `(${BEST_FIRST.split(', ')
      .map((column) => `${table}.${column}`)
      .join(', ')})`;
  return `(
    SELECT '${role}', nearest.session_id, nearest.lap_number FROM driver_best
    CROSS JOIN LATERAL (
      SELECT session_id, lap_number FROM session_bests AS other
      WHERE track_id = $1 AND same_car_lap_count IS NOT NULL AND ${columnsOf('other')} ${isNext} ${columnsOf('driver_best')}
        AND NOT EXISTS (
          SELECT FROM session_bests AS better
          WHERE better.track_id = $1 AND better.user_id = other.user_id AND ${columnsOf('better')} < ${columnsOf('other')}
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

/** The laps that a lap is compared with: bests of the board of all times, and the neighbours of its driver on it. */
export async function listLinkedLaps(
  pool: Pool,
  { trackId, lapTimeMs, driverId, carModelId }: StoredLap,
  viewerId: string | null,
): Promise<LinkedLap[]> {
  const values = [trackId, lapTimeMs, driverId, viewerId, carModelId];
  const { rows } = await pool.query<LinkedLap>({ ...LIST_LINKED_LAPS, values });
  return rows;
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

/** The rank that a lap time has on the board of all times, and how many drivers are on it. */
export async function findRank(
  pool: Pool,
  trackId: string,
  lapTimeMs: number,
): Promise<{ rank: number; drivers: number } | undefined> {
  const { rows } = await pool.query<{ rank: number; drivers: number }>({
    ...FIND_RANK,
    values: [trackId, lapTimeMs],
  });
  return rows[0];
}
