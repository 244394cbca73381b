import type { Pool } from 'pg';
import { z } from 'zod';
import type { TrackId, UserId } from '#contract/ids.ts';
import type { LapEvidence } from '#contract/laps/labels.ts';
import type { BoardFilter } from '#contract/boards/filter.ts';
import { type LapRecord, lapRecordSchema } from '#contract/laps/schemas.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { BEST_FIRST } from '#server/model/laps/ranking.ts';
import { DRIVER_NAME } from '#server/model/people/driver-name.ts';

/** Selects a part of a board, without `limit` all of it; the record of `ownUserId` follows if it lies outside. */
export type BoardPage = { limit: number | null; offset: number; ownUserId: UserId | null };

const summaryRow = z.object({ totalLaps: z.int(), racers: z.int() });

export type BoardSummary = z.infer<typeof summaryRow>;

/** Describes a condition of a filter: a letter for the name of the prepared statement, and SQL with its value at `$n`. */
type Condition = { letter: string; sql: (placeholder: string) => string };

const PERIOD: Condition = { letter: 'p', sql: (value) => `started_at >= now() - ${value}::interval` };
const TIRE: Condition = { letter: 't', sql: (value) => `tire_compound = ${value}` };
/** Filters columns of `car_models`. */
const CAR_CONDITIONS: Record<Exclude<keyof BoardFilter, 'timePeriod' | 'tire' | 'evidence'>, Condition> = {
  make: { letter: 'm', sql: (value) => `make = ${value}` },
  modelFamily: { letter: 'f', sql: (value) => `model_family = ${value}` },
  variant: { letter: 'v', sql: (value) => `variant = ${value}` },
  generation: { letter: 'g', sql: (value) => `generation = ${value}` },
  raceClass: { letter: 'c', sql: (value) => `race_class = ${value}` },
  drivetrain: { letter: 'd', sql: (value) => `drivetrain = ${value}` },
};

function grantedEvidence(kind: 'video-gps' | 'official'): string {
  return `EXISTS (
    SELECT FROM laps JOIN lap_evidence ON lap_evidence.track_id = laps.track_id AND lap_evidence.lap_id = laps.id
    WHERE laps.track_id = $1 AND laps.session_id = session_bests.session_id
      AND laps.number = session_bests.lap_number AND lap_evidence.kind = '${kind}'
  )`;
}

/** Filters `session_bests` of the track $1: all laps of a session have the same evidence. */
export const EVIDENCE_CONDITIONS: Record<LapEvidence, string> = {
  file: `EXISTS (
    SELECT FROM laps WHERE laps.track_id = $1 AND laps.session_id = session_bests.session_id
      AND laps.number = session_bests.lap_number AND NOT 'timed_by_logger' = ANY (laps.reasons)
  )`,
  video: `EXISTS (
    SELECT FROM sessions
    WHERE sessions.track_id = $1 AND sessions.id = session_bests.session_id AND sessions.video_url IS NOT NULL
  )`,
  'video-gps': grantedEvidence('video-gps'),
  official: grantedEvidence('official'),
};

/** Lists the filters that few car models pass. */
const FEW_MODELS = ['modelFamily', 'variant'];

export const PERIODS = { '1-month': '1 month', '6-months': '6 months', '1-year': '1 year' };

// The indexes that boards are read from contain all of these columns.
const BEST_COLUMNS = `user_id, car_model_id, tire_compound, ${BEST_FIRST}`;

// A page is first built from the fastest sessions: so many for each of its drivers are nearly always enough.
const SESSIONS_PER_DRIVER = 4;
// The planner has to know how many sessions are read, so the number is part of the query. It is one of these, so that there are
// few prepared statements.
const SESSION_LIMITS = [200, 1_000, 5_000];

/**
 * Lists the board of a track: of each driver the best ranking lap that passes the filter, fastest first. The filter is applied
 * before the best is chosen; of equal times the earlier lap comes first, and they share a rank.
 */
export async function listBoard(
  pool: Pick<Pool, 'query'>,
  trackId: TrackId,
  filter: BoardFilter,
  page: BoardPage,
): Promise<LapRecord[]> {
  const wanted = page.limit === null ? Infinity : SESSIONS_PER_DRIVER * (page.offset + page.limit);
  for (const sessionLimit of SESSION_LIMITS.filter((limit) => limit >= wanted)) {
    const { records, isComplete } = await readPage(pool, trackId, filter, { ...page, sessionLimit });
    if (isComplete) return records;
  }
  return (await readPage(pool, trackId, filter, { ...page, sessionLimit: null })).records;
}

/** Counts the ranking laps that pass the filter, and the different names of their drivers. */
export async function getBoardSummary(
  pool: Pick<Pool, 'query'>,
  trackId: TrackId,
  filter: BoardFilter,
): Promise<BoardSummary> {
  const chosen = chooseBests(filter, 2);
  const text = `
    SELECT coalesce(sum(${chosen.lapCount}), 0)::int AS "totalLaps", count(DISTINCT driver_name)::int AS racers
    FROM session_bests WHERE track_id = $1 AND ${chosen.conditions}`;
  const [summary] = await queryRows(pool, summaryRow, {
    name: `board-summary-${chosen.letters}`,
    text,
    values: [trackId, ...chosen.values],
  });
  return summary ?? { totalLaps: 0, racers: 0 };
}

type PageOfSessions = BoardPage & { sessionLimit: number | null };

const recordRow = lapRecordSchema.extend({
  videoUrl: z.string().nullable(),
  sessionCount: z.int(),
  /** PostgreSQL sends a bigint as text. */
  position: z.string().nullable(),
});
/** Describes the one row of an empty page, without a record. */
const emptyRow = z.object({ lapId: z.null(), sessionCount: z.int() });
const boardRow = z.union([recordRow, emptyRow]);

/** Builds a page from the fastest `sessionLimit` sessions; complete, unless it is short and there may be more. */
async function readPage(
  pool: Pick<Pool, 'query'>,
  trackId: TrackId,
  filter: BoardFilter,
  { limit, offset, ownUserId, sessionLimit }: PageOfSessions,
): Promise<{ records: LapRecord[]; isComplete: boolean }> {
  const hasOwn = ownUserId !== null;
  const chosen = chooseBests(filter, hasOwn ? 5 : 4);
  const rows = await queryRows(pool, boardRow, {
    name: `board-${chosen.letters}-${sessionLimit ?? 'all'}${hasOwn ? '-own' : ''}`,
    text: boardQuery(chosen.conditions, { sessionLimit, hasOwn }),
    values: [trackId, limit, offset, ...(hasOwn ? [ownUserId] : []), ...chosen.values],
  });
  const records = rows.flatMap((row): LapRecord[] => {
    if (row.lapId === null) return [];
    const { videoUrl, sessionCount: _sessionCount, position: _position, ...record } = row;
    return [videoUrl === null ? record : { ...record, videoUrl }];
  });
  const isFull = rows.filter((row) => row.lapId !== null && row.position !== null).length === limit;
  return { records, isComplete: isFull || rows[0]?.sessionCount !== sessionLimit };
}

/** $1 is the track, $2 the limit or null, $3 the offset, $4 the own user with `hasOwn`; the filter's values follow. */
function boardQuery(
  conditions: string,
  { sessionLimit, hasOwn }: { sessionLimit: number | null; hasOwn: boolean },
): string {
  const passing = `session_bests WHERE track_id = $1 AND ${conditions}`;
  return `
    WITH
    -- The fastest sessions that pass the filter.
    candidates AS MATERIALIZED (
      SELECT ${BEST_COLUMNS} FROM ${passing}
      ${sessionLimit === null ? '' : `ORDER BY ${BEST_FIRST} LIMIT ${sessionLimit}`}
    ),
    -- The best of each driver, ranked. Equal times share a rank, each has a position of its own.
    board AS (
      SELECT *, rank() OVER (ORDER BY lap_time_ms) AS rank, row_number() OVER (ORDER BY ${BEST_FIRST}) AS position
      FROM (SELECT DISTINCT ON (user_id) * FROM candidates ORDER BY user_id, ${BEST_FIRST}) AS bests
    ),
    page AS ${hasOwn ? 'MATERIALIZED' : ''} (
      SELECT * FROM board WHERE position > $3::int AND ($2::int IS NULL OR position <= $3::int + $2::int)
    ),
    shown AS (SELECT * FROM page ${hasOwn ? `UNION ALL ${ownQuery(passing)}` : ''})
    SELECT counted."sessionCount", laps.id AS "lapId", ${DRIVER_NAME} AS "userName",
      '/api/images/' || users.avatar_key AS "userAvatar",
      car_models.make AS "carMake", car_models.model_family AS "carModel", car_models.variant AS "carVariant",
      car_models.generation AS "carGeneration", car_models.race_class AS "carRaceClass",
      car_models.drivetrain AS "carDrivetrain", shown.tire_compound AS "tireCompound",
      shown.lap_time_ms AS "lapTimeMs", sessions.session_date AS "sessionDate", sessions.video_url AS "videoUrl",
      shown.rank::int AS rank, shown.user_id AS "driverId", shown.lap_time_ms - counted.fastest_ms AS "gapMs",
      laps.uncertainty_ms AS "uncertaintyMs", shown.position
    FROM (SELECT count(*)::int AS "sessionCount", min(lap_time_ms) AS fastest_ms FROM candidates) AS counted
      LEFT JOIN (
        shown
        JOIN laps ON laps.track_id = $1 AND laps.session_id = shown.session_id AND laps.number = shown.lap_number
        JOIN sessions ON sessions.track_id = $1 AND sessions.id = shown.session_id
        JOIN users ON users.id = shown.user_id
        LEFT JOIN car_models ON car_models.id = shown.car_model_id
      ) ON TRUE
    ORDER BY position NULLS LAST`;
}

/**
 * Selects the record of the driver $4 where it is not on the page: without a position, after all others. Its rank is
 * counted in the order of the board, so only sessions that are faster are read.
 */
function ownQuery(passing: string): string {
  return `
    SELECT *, 1 + (
      SELECT count(*) FROM (SELECT FROM ${passing} AND lap_time_ms < own.lap_time_ms GROUP BY user_id) AS faster
    ), NULL
    FROM (
      SELECT ${BEST_COLUMNS} FROM ${passing} AND user_id = $4 ORDER BY ${BEST_FIRST} LIMIT 1
    ) AS own
    WHERE NOT EXISTS (SELECT FROM page WHERE user_id = $4)`;
}

/**
 * Returns the filter as SQL on `session_bests`, its values from `$first` on; every combination of filters is one
 * prepared statement. Boards of all times read only the best session of each driver, car model and tyres: filters by
 * car and tyres select all of those sessions or none.
 */
function chooseBests({ timePeriod = '', tire, evidence, ...car }: BoardFilter, first: number) {
  const values: string[] = [];
  const letters: string[] = [];
  const apply = ({ letter, sql }: Condition, value: string): string => {
    letters.push(letter);
    return sql(`$${first - 1 + values.push(value)}`);
  };
  const hasPeriod = timePeriod !== '' && timePeriod !== 'all-time';
  const isOfBestsOnly = !hasPeriod && !evidence;
  if (evidence) letters.push(`e-${evidence}-`);
  const conditions = [
    ...(isOfBestsOnly ? ['same_car_lap_count IS NOT NULL'] : []),
    ...(hasPeriod ? [apply(PERIOD, PERIODS[timePeriod])] : []),
    ...(evidence ? [EVIDENCE_CONDITIONS[evidence]] : []),
    ...(tire ? [apply(TIRE, tire)] : []),
  ];
  const wanted: Record<string, string | undefined> = car;
  const ofCar = Object.entries(CAR_CONDITIONS).flatMap(([name, condition]) => {
    const value = wanted[name];
    return value ? [apply(condition, value)] : [];
  });
  if (ofCar.length > 0) {
    const passes = `car_model_id IN (SELECT id FROM car_models WHERE ${ofCar.join(' AND ')})`;
    // With IS TRUE the planner hashes the models, which is faster for a third of all; without it, it begins with the few.
    conditions.push(FEW_MODELS.some((name) => wanted[name]) ? passes : `(${passes}) IS TRUE`);
  }
  const lapCount = isOfBestsOnly ? 'same_car_lap_count' : 'lap_count';
  return { conditions: conditions.join(' AND '), letters: letters.join(''), values, lapCount };
}
