import type { Pool } from 'pg';
import { z } from 'zod';
import { carModelIdSchema, lapIdSchema, type TrackId, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import { TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import type { StoredLap } from '#server/model/laps/lap-view-store.ts';
import { IS_PRIVATE } from '#server/model/laps/line-privacy.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';

/** Extremes are in SI units; null where the lap does not show one. */
const extremesSchema = z.object({
  topSpeedMetersPerSecond: z.number().nullable(),
  lateralMetersPerSecondSquared: z.number().nullable(),
  brakingMetersPerSecondSquared: z.number().nullable(),
  gainedWattsPerKilogram: z.number().nullable(),
});

const knownLapSchema = z.object({
  lapId: lapIdSchema,
  trackId: trackIdSchema,
  driverId: userIdSchema,
  userName: z.string(),
  lapTimeMs: z.int(),
  tireCompound: z.enum(TIRE_COMPOUNDS).nullable(),
  carModelId: carModelIdSchema.nullable(),
  raceClass: z.string().nullable(),
  sessionDate: z.string(),
  extremes: extremesSchema.nullable(),
  fileSha256: z.string(),
  startOffsetMs: z.number(),
  isPrivate: z.boolean(),
  isBefore: z.boolean(),
});

/** Describes the best lap of a driver with a car and tires, or of an earlier session of the flagged driver. */
export type KnownLap = z.infer<typeof knownLapSchema>;

// The rules compare with as many laps, the fastest ones.
const KNOWN_MAX = 500;

const LIST_KNOWN = {
  name: 'list-laps-for-evidence',
  text: `
    SELECT laps.id AS "lapId", bests.track_id AS "trackId", bests.user_id AS "driverId", ${DRIVER_NAME} AS "userName",
      bests.lap_time_ms AS "lapTimeMs", bests.tire_compound AS "tireCompound", bests.car_model_id AS "carModelId",
      car_models.race_class AS "raceClass", sessions.session_date AS "sessionDate", sessions.extremes,
      sessions.lap_file_sha256 AS "fileSha256", ${IS_PRIVATE} AS "isPrivate",
      (1000 * extract(epoch FROM laps.started_at - sessions.started_at))::float8 AS "startOffsetMs",
      (1000 * extract(epoch FROM laps.started_at))::float8 < $4 AS "isBefore"
    FROM session_bests AS bests
    JOIN sessions ON sessions.track_id = bests.track_id AND sessions.id = bests.session_id
    JOIN laps ON laps.track_id = bests.track_id AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
    JOIN users ON users.id = bests.user_id AND NOT (${IS_LEAVING})
    LEFT JOIN car_models ON car_models.id = bests.car_model_id
    WHERE bests.track_id = $1 AND laps.id <> $2 AND (bests.same_car_lap_count IS NOT NULL OR bests.user_id = $3)
    ORDER BY bests.user_id <> $3, bests.lap_time_ms LIMIT ${KNOWN_MAX}`,
};

/** Lists the laps that a flagged lap is compared with: those of its driver first, then the fastest. */
export async function listKnownLaps(
  pool: Pool,
  { trackId, lapId, driverId, startedAtMs }: StoredLap,
): Promise<KnownLap[]> {
  return await queryRows(pool, knownLapSchema, {
    ...LIST_KNOWN,
    values: [trackId, lapId, driverId, startedAtMs],
  });
}

const keyRow = z.object({ sha256: z.string(), storageKey: z.string() });

const FIND_KEYS = {
  name: 'find-storage-keys',
  text: 'SELECT sha256, storage_key AS "storageKey" FROM lap_files WHERE sha256 = ANY($1)',
};

/** Finds the storage keys of lap files, by the hash of the file. */
export async function findStorageKeys(
  pool: Pool,
  laps: readonly Pick<KnownLap, 'fileSha256'>[],
): Promise<Map<string, string>> {
  const values = [laps.map(({ fileSha256 }) => fileSha256)];
  const rows = await queryRows(pool, keyRow, { ...FIND_KEYS, values });
  return new Map(rows.map(({ sha256, storageKey }) => [sha256, storageKey]));
}

const FIND_NAMED = {
  name: 'find-lap-for-evidence',
  text: `
    SELECT laps.id AS "lapId", ${DRIVER_NAME} AS "userName", laps.lap_time_ms AS "lapTimeMs",
      sessions.session_date AS "sessionDate"
    FROM laps JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
    JOIN users ON users.id = sessions.user_id AND NOT (${IS_LEAVING})
    WHERE laps.track_id = $1 AND laps.id = $2`,
};

const namedLapSchema = knownLapSchema.pick({
  lapId: true,
  userName: true,
  lapTimeMs: true,
  sessionDate: true,
});

/** Finds a lap by its id; undefined where it is gone. */
export async function findNamedLap(pool: Pool, trackId: TrackId, lapId: string) {
  const [lap] = await queryRows(pool, namedLapSchema, { ...FIND_NAMED, values: [trackId, lapId] });
  return lap;
}
