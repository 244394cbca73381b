import type { Pool } from 'pg';
import type { BoardFilter, LapRecord } from '#contract/laps.ts';

/** Which part of a board: all of it without `limit`; with `ownUserId`, that driver's record follows if it lies outside. */
export type BoardPage = { limit: number | null; offset: number; ownUserId: string | null };

export type BoardSummary = { totalLaps: number; racers: number };

/** A condition of a filter: a letter for the name of the statement, and SQL with its value at `$n`. */
type Condition = { letter: string; sql: (placeholder: string) => string };

const CONDITIONS: Record<keyof BoardFilter, Condition> = {
  timePeriod: { letter: 'p', sql: (value) => `sessions.started_at >= now() - ${value}::interval` },
  make: { letter: 'm', sql: (value) => `car_models.make = ${value}` },
  modelFamily: { letter: 'f', sql: (value) => `car_models.model_family = ${value}` },
  variant: { letter: 'v', sql: (value) => `car_models.variant = ${value}` },
  generation: { letter: 'g', sql: (value) => `car_models.generation = ${value}` },
  raceClass: { letter: 'c', sql: (value) => `car_models.race_class = ${value}` },
  drivetrain: { letter: 'd', sql: (value) => `car_models.drivetrain = ${value}` },
  tire: { letter: 't', sql: (value) => `sessions.tire_compound = ${value}` },
};

const PERIODS = { '1-month': '1 month', '6-months': '6 months', '1-year': '1 year' };

const USER_NAME = "coalesce(users.display_name, users.full_name, 'User')";

const JOIN_SESSION_AND_CAR = `
  JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
  LEFT JOIN user_cars ON user_cars.id = laps.user_car_id
  LEFT JOIN car_models ON car_models.id = user_cars.car_model_id`;

/**
 * The board of a track: of each driver the best ranking lap that passes the filter, fastest first. The filter is applied
 * before the best is chosen; of equal times the earlier lap comes first, and they share a rank.
 */
export async function listBoard(
  pool: Pool,
  trackId: string,
  filter: BoardFilter,
  { limit, offset, ownUserId }: BoardPage,
): Promise<LapRecord[]> {
  const chosen = chosenLaps(filter, 5);
  // `best` takes from each lap what the ranking index holds and no more, so that it is read from there alone; everything
  // else is fetched for the rows of the page only.
  const text = `
    WITH best AS (
      SELECT DISTINCT ON (laps.user_id)
        laps.user_id, laps.lap_time_ms, laps.started_at, laps.session_id, laps.number
      FROM laps ${chosen.joins}
      WHERE laps.track_id = $1 AND laps.status IN ('valid', 'warning') ${chosen.conditions}
      ORDER BY laps.user_id, laps.lap_time_ms, laps.started_at, laps.session_id, laps.number
    ), board AS (
      SELECT best.*,
        rank() OVER (ORDER BY lap_time_ms) AS rank,
        lap_time_ms - min(lap_time_ms) OVER () AS gap_ms,
        row_number() OVER (ORDER BY lap_time_ms, started_at, session_id, number) AS place
      FROM best
    ), paged AS (
      SELECT *, place > $3 AND ($2::int IS NULL OR place <= $3 + $2::int) AS is_on_page FROM board
    )
    SELECT laps.session_id || '.' || laps.number AS "lapId", ${USER_NAME} AS "userName",
      coalesce('/api/images/' || users.avatar_key, users.picture_url) AS "userAvatar", car_models.make AS "carMake", car_models.model_family AS "carModel",
      car_models.variant AS "carVariant", car_models.generation AS "carGeneration",
      car_models.race_class AS "carRaceClass", car_models.drivetrain AS "carDrivetrain",
      sessions.tire_compound AS "tireCompound", laps.lap_time_ms AS "lapTimeMs",
      sessions.session_date AS "sessionDate", sessions.video_url AS "videoUrl", paged.rank::int AS rank,
      laps.user_id AS "driverId", paged.gap_ms AS "gapMs", laps.uncertainty_ms AS "uncertaintyMs"
    FROM paged
      JOIN laps ON laps.track_id = $1 AND laps.session_id = paged.session_id AND laps.number = paged.number
      ${JOIN_SESSION_AND_CAR} JOIN users ON users.id = laps.user_id
    WHERE paged.is_on_page OR paged.user_id = $4
    ORDER BY paged.is_on_page DESC, paged.place`;
  const { rows } = await pool.query<Omit<LapRecord, 'videoUrl'> & { videoUrl: string | null }>({
    name: `board-${chosen.letters}`,
    text,
    values: [trackId, limit, offset, ownUserId, ...chosen.values],
  });
  return rows.map(({ videoUrl, ...record }) => (videoUrl === null ? record : { ...record, videoUrl }));
}

/** How many ranking laps pass the filter, and by how many different names they were driven. */
export async function getBoardSummary(
  pool: Pool,
  trackId: string,
  filter: BoardFilter,
): Promise<BoardSummary> {
  const chosen = chosenLaps(filter, 2);
  const text = `
    SELECT count(*)::int AS "totalLaps", count(DISTINCT ${USER_NAME})::int AS racers
    FROM laps ${chosen.joins} JOIN users ON users.id = laps.user_id
    WHERE laps.track_id = $1 AND laps.status IN ('valid', 'warning') ${chosen.conditions}`;
  const { rows } = await pool.query<BoardSummary>({
    name: `board-summary-${chosen.letters}`,
    text,
    values: [trackId, ...chosen.values],
  });
  return rows[0] ?? { totalLaps: 0, racers: 0 };
}

/** The filter as SQL, its values from `$first` on; every combination of filters is one prepared statement. */
function chosenLaps(filter: BoardFilter, first: number) {
  const active = Object.entries(activeFilters(filter));
  return {
    letters: active.map(([, { letter }]) => letter).join(''),
    joins: active.length > 0 ? JOIN_SESSION_AND_CAR : '',
    conditions: active.map(([, { sql }], index) => `AND ${sql(`$${first + index}`)}`).join(' '),
    values: active.map(([, { value }]) => value),
  };
}

/** What really filters: neither what is absent or empty nor the period without a beginning. */
function activeFilters(filter: BoardFilter): Record<string, Condition & { value: string }> {
  const { timePeriod, ...rest } = filter;
  const period = timePeriod && timePeriod !== 'all-time' ? PERIODS[timePeriod] : undefined;
  const values: Record<string, string | undefined> = { timePeriod: period, ...rest };
  return Object.fromEntries(
    Object.entries(CONDITIONS).flatMap(([name, condition]) => {
      const value = values[name];
      return value ? [[name, { ...condition, value }]] : [];
    }),
  );
}
