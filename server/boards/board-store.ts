import type { Pool } from 'pg';
import type { BoardFilter, LapRecord } from '#contract/laps.ts';
import { DRIVER_NAME } from './session-bests-store.ts';

/** Which part of a board: all of it without `limit`; with `ownUserId`, that driver's record follows if it lies outside. */
export type BoardPage = { limit: number | null; offset: number; ownUserId: string | null };

export type BoardSummary = { totalLaps: number; racers: number };

/** A condition of a filter: a letter for the name of the statement, and SQL with its value at `$n`. */
type Condition = { letter: string; sql: (placeholder: string) => string };

const PERIOD: Condition = { letter: 'p', sql: (value) => `started_at >= now() - ${value}::interval` };
const TIRE: Condition = { letter: 't', sql: (value) => `tire_compound = ${value}` };
/** On `car_models`. */
const CAR_CONDITIONS: Record<Exclude<keyof BoardFilter, 'timePeriod' | 'tire'>, Condition> = {
  make: { letter: 'm', sql: (value) => `make = ${value}` },
  modelFamily: { letter: 'f', sql: (value) => `model_family = ${value}` },
  variant: { letter: 'v', sql: (value) => `variant = ${value}` },
  generation: { letter: 'g', sql: (value) => `generation = ${value}` },
  raceClass: { letter: 'c', sql: (value) => `race_class = ${value}` },
  drivetrain: { letter: 'd', sql: (value) => `drivetrain = ${value}` },
};

/** Filters that few car models pass. */
const FEW_MODELS = ['modelFamily', 'variant'];

const PERIODS = { '1-month': '1 month', '6-months': '6 months', '1-year': '1 year' };

// Of equal times the earlier lap comes first; the rest only makes the order the same each time.
const BEST_FIRST = 'lap_time_ms, lap_started_at, session_id, lap_number';

// How many sessions of each driver are looked at for a page, the best first. Mostly enough: few drivers have more among the
// fastest. Where it is not, more are.
const SESSIONS_PER_DRIVER = 4;
// How many are read stands in the query, because the planner has to know it; so that there are few queries, it is one of these.
const WALKS = [200, 1_000, 5_000];

/**
 * The board of a track: of each driver the best ranking lap that passes the filter, fastest first. The filter is applied
 * before the best is chosen; of equal times the earlier lap comes first, and they share a rank.
 */
export async function listBoard(
  pool: Pool,
  trackId: string,
  filter: BoardFilter,
  page: BoardPage,
): Promise<LapRecord[]> {
  const wanted = page.limit === null ? Infinity : SESSIONS_PER_DRIVER * (page.offset + page.limit);
  for (const walkMax of WALKS.filter((walk) => walk >= wanted)) {
    const { records, isWhole } = await walkBoard(pool, trackId, filter, { ...page, walkMax });
    if (isWhole) return records;
  }
  return (await walkBoard(pool, trackId, filter, { ...page, walkMax: null })).records;
}

/** How many ranking laps pass the filter, and by how many different names they were driven. */
export async function getBoardSummary(
  pool: Pool,
  trackId: string,
  filter: BoardFilter,
): Promise<BoardSummary> {
  const chosen = chooseBests(filter, 2);
  const text = `
    SELECT coalesce(sum(${chosen.lapCount}), 0)::int AS "totalLaps", count(DISTINCT driver_name)::int AS racers
    FROM session_bests WHERE track_id = $1 AND ${chosen.conditions}`;
  const { rows } = await pool.query<BoardSummary>({
    name: `board-summary-${chosen.letters}`,
    text,
    values: [trackId, ...chosen.values],
  });
  return rows[0] ?? { totalLaps: 0, racers: 0 };
}

type Walk = BoardPage & { walkMax: number | null };
type Row = { walkedCount: number; place: string | null } & Omit<LapRecord, 'videoUrl'> & {
    videoUrl: string | null;
  };
/** Where nothing is on the page, there is one row without a record. */
type EmptyRow = { walkedCount: number; lapId: null };

/**
 * Reads the best `walkMax` sessions that pass the filter (all without it) and makes the page of them: it is whole, unless it
 * is short while that many were read.
 */
async function walkBoard(
  pool: Pool,
  trackId: string,
  filter: BoardFilter,
  { limit, offset, ownUserId, walkMax }: Walk,
): Promise<{ records: LapRecord[]; isWhole: boolean }> {
  const chosen = chooseBests(filter, ownUserId === null ? 4 : 5);
  const { rows } = await pool.query<Row | EmptyRow>({
    name: `board-${chosen.letters}-${limit === null ? 'whole' : (walkMax ?? 'all')}${ownUserId === null ? '' : '-own'}`,
    text: boardQuery(chosen.conditions, { walkMax, isWhole: limit === null, hasOwn: ownUserId !== null }),
    values: [trackId, limit, offset, ...(ownUserId === null ? [] : [ownUserId]), ...chosen.values],
  });
  const records = rows.flatMap((row): LapRecord[] => {
    if (row.lapId === null) return [];
    const { videoUrl, walkedCount: _walkedCount, place: _place, ...record } = row;
    return [videoUrl === null ? record : { ...record, videoUrl }];
  });
  const isFull = rows.filter((row) => row.lapId !== null && row.place !== null).length === limit;
  return { records, isWhole: isFull || rows[0]?.walkedCount !== walkMax };
}

type Shape = { walkMax: number | null; isWhole: boolean; hasOwn: boolean };

/**
 * $1 track, $2 limit, $3 offset, $4 the own user where wanted; then the values of the filter. To sort all that was walked would
 * take most of the time: the times of the drivers tell between which two the page lies, and only what lies there is put in order.
 */
function boardQuery(conditions: string, { walkMax, isWhole, hasOwn }: Shape): string {
  const passing = `session_bests WHERE track_id = $1 AND ${conditions}`;
  const columns = `user_id, ${BEST_FIRST}`;
  const walked =
    walkMax === null
      ? `SELECT ${columns} FROM ${passing}`
      : `SELECT ${columns} FROM ${passing} ORDER BY ${BEST_FIRST} LIMIT ${walkMax}`;
  // Of very many, those near the page are quicker read again, by an index, than all kept.
  const keep = walkMax === null && !isWhole ? 'NOT MATERIALIZED' : 'MATERIALIZED';
  const isNear = 'lap_time_ms BETWEEN (SELECT first_ms FROM edges) AND (SELECT last_ms FROM edges)';
  return `
    WITH walked AS ${keep} (${walked}), bests AS MATERIALIZED (
      SELECT user_id, min(lap_time_ms) AS lap_time_ms, count(*) AS walked_count FROM walked GROUP BY user_id
    ), edges AS MATERIALIZED (
      SELECT min(lap_time_ms) AS first_ms, max(lap_time_ms) AS last_ms
      FROM (SELECT lap_time_ms FROM bests ORDER BY lap_time_ms OFFSET $3::int LIMIT $2::int) AS times
    ), totals AS MATERIALIZED (
      SELECT coalesce(sum(walked_count), 0)::int AS walked_count, min(lap_time_ms) AS best_ms,
        count(*) FILTER (WHERE lap_time_ms < first_ms) AS ahead
      FROM bests CROSS JOIN edges
    ), near AS (
      SELECT DISTINCT ON (user_id) * FROM walked
      WHERE ${isNear} AND ((user_id, lap_time_ms) IN (SELECT user_id, lap_time_ms FROM bests WHERE ${isNear})) IS TRUE
      ORDER BY ${columns}
    ), board AS (
      SELECT *, (SELECT ahead FROM totals) + rank() OVER (ORDER BY lap_time_ms) AS rank,
        (SELECT ahead FROM totals) + row_number() OVER (ORDER BY ${BEST_FIRST}) AS place
      FROM near
    ), page AS MATERIALIZED (
      SELECT * FROM board WHERE place > $3::int AND ($2::int IS NULL OR place <= $3::int + $2::int)
    ), shown AS (
      SELECT * FROM page ${hasOwn ? `UNION ALL ${ownQuery(passing, columns)}` : ''}
    ), records AS (
      SELECT laps.id AS "lapId", ${DRIVER_NAME} AS "userName",
        coalesce('/api/images/' || users.avatar_key, users.picture_url) AS "userAvatar",
        car_models.make AS "carMake", car_models.model_family AS "carModel", car_models.variant AS "carVariant",
        car_models.generation AS "carGeneration", car_models.race_class AS "carRaceClass",
        car_models.drivetrain AS "carDrivetrain", sessions.tire_compound AS "tireCompound",
        laps.lap_time_ms AS "lapTimeMs", sessions.session_date AS "sessionDate", sessions.video_url AS "videoUrl",
        shown.rank::int AS rank, sessions.user_id AS "driverId",
        laps.lap_time_ms - (SELECT best_ms FROM totals) AS "gapMs",
        laps.uncertainty_ms AS "uncertaintyMs", shown.place
      FROM shown
        JOIN laps ON laps.track_id = $1 AND laps.session_id = shown.session_id AND laps.number = shown.lap_number
        JOIN sessions ON sessions.track_id = $1 AND sessions.id = shown.session_id
        JOIN users ON users.id = sessions.user_id
        LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id
        LEFT JOIN car_models ON car_models.id = user_cars.car_model_id
    )
    SELECT walked_count AS "walkedCount", records.*
    FROM totals LEFT JOIN records ON TRUE
    ORDER BY place NULLS LAST`;
}

/**
 * The record of $4 where it is not on the page: without a place, after all others. Only laps ahead of it are read, in the order of
 * the board, so that it costs the faster drivers less.
 */
function ownQuery(passing: string, columns: string): string {
  return `
    SELECT *, 1 + (
      SELECT count(*) FROM (
        SELECT FROM ${passing} AND lap_time_ms < own.lap_time_ms GROUP BY user_id
      ) AS faster
    ), NULL
    FROM (SELECT ${columns} FROM ${passing} AND user_id = $4 ORDER BY ${BEST_FIRST} LIMIT 1) AS own
    WHERE NOT EXISTS (SELECT FROM page WHERE user_id = $4)`;
}

/**
 * The filter as SQL on `session_bests`, its values from `$first` on; every combination of filters is one prepared statement.
 * Boards of all times need the standing bests only: a filter takes all sessions with one car model and tyres, or none.
 */
function chooseBests({ timePeriod = '', tire, ...car }: BoardFilter, first: number) {
  const values: string[] = [];
  const letters: string[] = [];
  const apply = ({ letter, sql }: Condition, value: string): string => {
    letters.push(letter);
    return sql(`$${first - 1 + values.push(value)}`);
  };
  const isForAllTimes = timePeriod === '' || timePeriod === 'all-time';
  const conditions = [
    isForAllTimes ? 'standing_lap_count IS NOT NULL' : apply(PERIOD, PERIODS[timePeriod]),
    ...(tire ? [apply(TIRE, tire)] : []),
  ];
  const wanted: Record<string, string | undefined> = car;
  const ofCar = Object.entries(CAR_CONDITIONS).flatMap(([name, condition]) => {
    const value = wanted[name];
    return value ? [apply(condition, value)] : [];
  });
  if (ofCar.length > 0) {
    const passes = `car_model_id IN (SELECT id FROM car_models WHERE ${ofCar.join(' AND ')})`;
    // A third of all models are looked up as one set, where the planner would ask for them one by one; few are where to begin.
    conditions.push(FEW_MODELS.some((name) => wanted[name]) ? passes : `(${passes}) IS TRUE`);
  }
  const lapCount = isForAllTimes ? 'standing_lap_count' : 'lap_count';
  return { conditions: conditions.join(' AND '), letters: letters.join(''), values, lapCount };
}
