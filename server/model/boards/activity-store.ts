import type { Pool } from 'pg';
import { z } from 'zod';
import { queryRows } from '#server/kernel/database/query-rows.ts';

const WEEKS = 14;

const weekRow = z.object({ weeksAgo: z.int(), laps: z.int() });

const COUNT_LAPS = {
  name: 'count-laps-by-week',
  text: `
    SELECT floor(extract(epoch FROM now() - started_at) / extract(epoch FROM interval '7 days'))::int AS "weeksAgo",
      sum(lap_count)::int AS laps
    FROM session_bests
    WHERE started_at > now() - $1 * interval '7 days' AND started_at <= now()
    GROUP BY 1`,
  values: [WEEKS],
};

const IN_LAST_WEEK = `driven.started_at > now() - interval '7 days' AND driven.started_at <= now()`;

const driversRow = z.object({ drivers: z.int(), tracks: z.int() });

const COUNT_DRIVERS = {
  name: 'count-drivers-of-week',
  text: `
    SELECT count(DISTINCT user_id)::int AS drivers, count(DISTINCT track_id)::int AS tracks
    FROM session_bests AS driven WHERE ${IN_LAST_WEEK}`,
};

const recordsRow = z.object({ records: z.int() });

const COUNT_RECORDS = {
  name: 'count-records-of-week',
  text: `
    SELECT count(DISTINCT track_id)::int AS records
    FROM session_bests AS driven
    WHERE ${IN_LAST_WEEK} AND NOT EXISTS (
      SELECT FROM session_bests AS better
      WHERE better.track_id = driven.track_id
        AND (better.lap_time_ms, better.lap_started_at) < (driven.lap_time_ms, driven.lap_started_at)
    )`,
};

const seenRow = z.object({ seen: z.int() });

const COUNT_SEEN = {
  name: 'count-seen-of-week',
  text: `SELECT count(DISTINCT user_id)::int AS seen FROM sign_ins WHERE last_seen_at > now() - interval '7 days'`,
};

/**
 * Counts what was driven in weeks of seven days up to now: the laps that rank of each, the oldest first, and in the last
 * one who drove what and who was here.
 */
export async function findActivity(pool: Pool) {
  const [weeks, [drivers = { drivers: 0, tracks: 0 }], [records = { records: 0 }], [people = { seen: 0 }]] =
    await Promise.all([
      queryRows(pool, weekRow, COUNT_LAPS),
      queryRows(pool, driversRow, COUNT_DRIVERS),
      queryRows(pool, recordsRow, COUNT_RECORDS),
      queryRows(pool, seenRow, COUNT_SEEN),
    ]);
  const laps = Array.from({ length: WEEKS }, () => 0);
  for (const week of weeks) laps[WEEKS - 1 - week.weeksAgo] = week.laps;
  return { laps, ...drivers, ...records, ...people };
}
