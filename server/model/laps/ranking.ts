import { RANKING_STATUSES } from '#engine/timing/laps.ts';

/** Lists the statuses of laps that rank, as SQL: `laps.status IN ${RANKING_STATUS_LIST}`. */
export const RANKING_STATUS_LIST = `(${RANKING_STATUSES.map((status) => `'${status}'`).join(', ')})`;

// The earlier of two equal laps comes first; the other columns only make the order stable.
const LAP_COLUMNS = ['lap_time_ms', 'started_at', 'session_id', 'number'];
const SESSION_BEST_COLUMNS = ['lap_time_ms', 'lap_started_at', 'session_id', 'lap_number'];

/** Orders rows of `laps` best first, as SQL after ORDER BY. */
export const BEST_LAP_FIRST = LAP_COLUMNS.join(', ');

/** Orders rows of `session_bests` best first, as SQL after ORDER BY. */
export const BEST_FIRST = SESSION_BEST_COLUMNS.join(', ');

/** Returns `BEST_LAP_FIRST` for an alias of `laps`. */
export const bestLapFirst = (alias: string): string => qualify(LAP_COLUMNS, alias);

/** Returns `BEST_FIRST` for an alias of `session_bests`. */
export const bestFirst = (alias: string): string => qualify(SESSION_BEST_COLUMNS, alias);

function qualify(columns: readonly string[], alias: string): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}
