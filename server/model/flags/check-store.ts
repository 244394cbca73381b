import { asc, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  carModelIdSchema,
  lapIdSchema,
  type SessionId,
  type TrackId,
  trackIdSchema,
  userIdSchema,
} from '#contract/ids.ts';
import { TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { lapFlags } from './schema.ts';
import { sessions } from '#server/model/laps/schema.ts';
import type { Doubt } from './automatic-rules.ts';

const extremesSchema = z.object({
  topSpeedMetersPerSecond: z.number().nullable().transform(toNumber),
  lateralMetersPerSecondSquared: z.number().nullable().transform(toNumber),
  brakingMetersPerSecondSquared: z.number().nullable().transform(toNumber),
  gainedWattsPerKilogram: z.number().nullable().transform(toNumber),
});

/** Converts null to NaN, which JSON lacks. */
function toNumber(value: number | null): number {
  return value ?? Number.NaN;
}

const comparedSchema = z.object({
  lapTimeMs: z.int(),
  tireCompound: z.enum(TIRE_COMPOUNDS).nullable(),
  carModelId: carModelIdSchema.nullable(),
  raceClass: z.string().nullable(),
  extremes: extremesSchema.nullable(),
});

const locatedSchema = z.object({
  lapId: lapIdSchema,
  trackId: trackIdSchema,
  userId: userIdSchema,
  userName: z.string(),
  lapTimeMs: z.int(),
  storageKey: z.string(),
  startOffsetMs: z.number(),
});

const checkedSchema = locatedSchema.extend({
  tireCompound: z.enum(TIRE_COMPOUNDS).nullable(),
  carModelId: carModelIdSchema.nullable(),
  modelKey: z.string().nullable(),
  raceClass: z.string().nullable(),
  device: z.string(),
  missesOutline: z.boolean(),
});

// Selects the best ranking lap of a session, the only one that boards show, with the location of its trace.
const FROM_BESTS = sql`
  FROM session_bests AS bests
  JOIN sessions ON sessions.track_id = bests.track_id AND sessions.id = bests.session_id
  JOIN laps ON laps.track_id = bests.track_id AND laps.session_id = bests.session_id AND laps.number = bests.lap_number
  LEFT JOIN car_models ON car_models.id = bests.car_model_id`;

const LOCATED = sql`
  laps.id AS "lapId", bests.track_id AS "trackId", bests.user_id AS "userId", bests.driver_name AS "userName",
  bests.lap_time_ms AS "lapTimeMs", sessions.lap_file_sha256, sessions.gps_rate_hz,
  (1000 * extract(epoch FROM laps.started_at - sessions.started_at))::float8 AS "startOffsetMs"`;

// Lap files are joined last, because they are not stored by track.
const WITH_FILE = sql`found JOIN lap_files ON lap_files.sha256 = found.lap_file_sha256`;
const DEVICE = sql`lap_files.format || coalesce(' at ' || round(found.gps_rate_hz::numeric) || ' Hz', '')`;

export type SessionKey = { trackId: TrackId; sessionId: SessionId };
export type LapToCheck = z.infer<typeof checkedSchema> & {
  /** The name of another track on which the driver was at the time of the lap. */
  elsewhere: string | null;
};

/** Finds the best lap of a session with the fields that the rules need; undefined where none ranks. */
export async function findLapToCheck(
  db: Database,
  { trackId, sessionId }: SessionKey,
): Promise<LapToCheck | undefined> {
  const query = sql`
    WITH found AS MATERIALIZED (
    SELECT ${LOCATED}, bests.tire_compound AS "tireCompound", bests.car_model_id AS "carModelId",
      car_models.model_key AS "modelKey", car_models.race_class AS "raceClass",
      'off_track' = ANY (laps.reasons) AS "missesOutline"
    ${FROM_BESTS}
    WHERE bests.track_id = ${trackId} AND bests.session_id = ${sessionId}
    )
    SELECT found.*, lap_files.storage_key AS "storageKey", ${DEVICE} AS device FROM ${WITH_FILE}`;
  const [found] = await executeRows(db, checkedSchema, query);
  return found && { ...found, elsewhere: await findElsewhere(db, found) };
}

const hereRow = z.object({ lat: z.number(), lon: z.number(), beganAt: z.string(), endedAt: z.string() });

const nameRow = z.object({ name: z.string() });

/** Finds the name of another track on which the driver of a lap was at the same time. */
async function findElsewhere(
  db: Database,
  { trackId, lapId, userId }: z.infer<typeof checkedSchema>,
): Promise<string | null> {
  const findHere = sql`
    SELECT center_lat AS lat, center_lon AS lon, started_at::text AS "beganAt",
      (started_at + lap_time_ms * interval '1 millisecond')::text AS "endedAt"
    FROM laps JOIN tracks ON tracks.id = laps.track_id WHERE laps.track_id = ${trackId} AND laps.id = ${lapId}`;
  const [here] = await executeRows(db, hereRow, findHere);
  if (!here) throw new Error(`There is no lap ${lapId} any more.`);
  const { lat, lon, beganAt, endedAt } = here;
  const query = sql`
    SELECT tracks.name FROM sessions
    JOIN laps ON laps.track_id = sessions.track_id AND laps.session_id = sessions.id
    JOIN tracks ON tracks.id = sessions.track_id
    WHERE sessions.user_id = ${userId} AND sessions.track_id <> ${trackId}
      -- A file without a date counts as recorded when it was uploaded, and several go up at once. No other one is uploaded so soon
      -- after its first fix.
      AND abs(extract(epoch FROM sessions.created_at - sessions.started_at)) > 60
      -- Layouts of one venue share its roads.
      AND abs(tracks.center_lat - ${lat}) + abs(tracks.center_lon - ${lon}) > 0.5
      AND laps.started_at < ${endedAt}::timestamptz
      AND ${beganAt}::timestamptz < laps.started_at + laps.lap_time_ms * interval '1 millisecond'
    LIMIT 1`;
  const [elsewhere] = await executeRows(db, nameRow, query);
  return elsewhere?.name ?? null;
}

// The rules compare with the fastest laps only.
const OTHERS_MAX = 500;

/** Lists the best laps of other drivers on a track, one for each car and tyre compound. */
export async function listOthers(db: Database, { trackId, userId }: LapToCheck) {
  const query = sql`
    SELECT bests.lap_time_ms AS "lapTimeMs", bests.tire_compound AS "tireCompound", bests.car_model_id AS "carModelId",
      car_models.race_class AS "raceClass", sessions.extremes
    FROM session_bests AS bests
    JOIN sessions ON sessions.track_id = bests.track_id AND sessions.id = bests.session_id
    LEFT JOIN car_models ON car_models.id = bests.car_model_id
    WHERE bests.track_id = ${trackId} AND bests.user_id <> ${userId} AND bests.same_car_lap_count IS NOT NULL
    ORDER BY bests.lap_time_ms LIMIT ${OTHERS_MAX}`;
  return await executeRows(db, comparedSchema, query);
}

const deviceRow = z.object({ device: z.string() });

/** Lists the best laps of the driver's earlier sessions on the track, and the devices of all earlier sessions. */
export async function listOwn(db: Database, { trackId, sessionId }: SessionKey) {
  const isBefore = sql`sessions.user_id = checked.user_id AND sessions.started_at < checked.started_at`;
  const checked = sql`(SELECT user_id, started_at FROM sessions WHERE track_id = ${trackId} AND id = ${sessionId}) AS checked`;
  const listOwnBests = sql`
    SELECT bests.lap_time_ms AS "lapTimeMs", bests.tire_compound AS "tireCompound", bests.car_model_id AS "carModelId",
      car_models.race_class AS "raceClass", NULL AS extremes
    FROM ${checked} JOIN session_bests AS bests ON bests.user_id = checked.user_id AND bests.track_id = ${trackId}
      AND bests.started_at < checked.started_at
    LEFT JOIN car_models ON car_models.id = bests.car_model_id
    ORDER BY bests.lap_time_ms LIMIT ${OTHERS_MAX}`;
  const listDevices = sql`
    WITH found AS MATERIALIZED (
      SELECT sessions.lap_file_sha256, sessions.gps_rate_hz, sessions.started_at
      FROM ${checked} JOIN sessions ON ${isBefore}
      ORDER BY sessions.started_at DESC LIMIT ${OTHERS_MAX}
    )
    SELECT ${DEVICE} AS device FROM ${WITH_FILE} ORDER BY found.started_at DESC`;
  const own = await executeRows(db, comparedSchema, listOwnBests);
  const devices = await executeRows(db, deviceRow, listDevices);
  return { own, ownDevices: devices.map(({ device }) => device) };
}

/** Lists the best laps of other drivers with the nearest lap times, within a share of the lap time. */
export async function listNearestLaps(
  db: Database,
  { trackId, userId, lapTimeMs }: LapToCheck,
  { share, limit }: { share: number; limit: number },
) {
  const reachMs = Math.ceil(share * lapTimeMs);
  const query = sql`
    WITH found AS MATERIALIZED (
      SELECT ${LOCATED}, abs(bests.lap_time_ms - ${lapTimeMs}::int) AS distance_ms, bests.session_id ${FROM_BESTS}
      WHERE bests.track_id = ${trackId} AND bests.user_id <> ${userId}
        AND bests.lap_time_ms BETWEEN ${lapTimeMs - reachMs}::int AND ${lapTimeMs + reachMs}::int
      ORDER BY distance_ms, bests.session_id LIMIT ${limit}
    )
    SELECT found.*, lap_files.storage_key AS "storageKey" FROM ${WITH_FILE} ORDER BY distance_ms, session_id`;
  return await executeRows(db, locatedSchema, query);
}

/** Adds flags of the automatic checks that the lap never had; returns their number. */
export async function insertAutomaticFlags(
  tx: Database,
  { trackId, lapId, userId: driverId }: Pick<LapToCheck, 'trackId' | 'lapId' | 'userId'>,
  doubts: readonly Doubt[],
): Promise<number> {
  if (doubts.length === 0) return 0;
  const rows = await tx
    .insert(lapFlags)
    .values(doubts.map((doubt) => ({ ...doubt, trackId, lapId, driverId, userId: null })))
    .onConflictDoNothing()
    .returning({ id: lapFlags.id });
  return rows.length;
}

/** Lists some sessions that this version of the rules has not checked. */
export async function listUnchecked(
  db: Database,
  rulesVersion: number,
  limit: number,
): Promise<SessionKey[]> {
  return await db
    .select({ trackId: sessions.trackId, sessionId: sessions.id })
    .from(sessions)
    .where(lt(sessions.rulesVersion, rulesVersion))
    .orderBy(asc(sessions.trackId), asc(sessions.id))
    .limit(limit);
}
