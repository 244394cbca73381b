import type { Pool } from 'pg';
import { z } from 'zod';
import type { LapId, UserId } from '#contract/ids.ts';
import { type DecidedLap, moderationEndpoints, type Waiting } from '#contract/moderation/evidence.ts';
import { isoMilliseconds, queryRows } from '#server/kernel/database/query-rows.ts';
import { findConflict } from '#server/model/flags/decide-lap.ts';
import { hasFlaggedDriver, lastDecider } from '#server/model/flags/flag-store.ts';
import { DRIVER_NAME, IS_LEAVING, PERSON_NAME } from '#server/model/people/driver-name.ts';

const decidedLapSchema = moderationEndpoints.decidedLaps.response.shape.laps.element;

const decidedRow = decidedLapSchema.omit({ whyNot: true }).extend({
  isOwn: z.boolean(),
  hasOwnFlag: z.boolean(),
  isOwnDecisionAppealed: z.boolean(),
});

const countRow = z.object({ total: z.int() });

// $1 is the ids of the laps, or null for all.
const LATEST = `
    WITH latest AS (
      SELECT DISTINCT ON (lap_id) * FROM lap_decisions
      WHERE undone_at IS NULL AND ($1::uuid[] IS NULL OR lap_id = ANY($1))
      ORDER BY lap_id, decided_at DESC
    )`;

// A flag may have been deleted with the account of its author, so the track of a lap is found by the sessions of its driver.
const FROM_LATEST = `
    FROM latest
    JOIN users ON users.id = latest.driver_id AND NOT (${IS_LEAVING})
    CROSS JOIN LATERAL (SELECT DISTINCT track_id FROM sessions WHERE user_id = latest.driver_id) AS driven
    JOIN laps ON laps.track_id = driven.track_id AND laps.id = latest.lap_id
    JOIN tracks ON tracks.id = laps.track_id`;

const COUNT_DECIDED = {
  name: 'count-decided-laps',
  text: `${LATEST} SELECT count(*)::int AS total ${FROM_LATEST}`,
};

// $2 is the reader.
const LIST_DECIDED = {
  name: 'list-decided-laps',
  text: `${LATEST}
    SELECT laps.track_id AS "trackId", concat_ws(' ', tracks.name, tracks.configuration) AS "trackName", laps.id AS "lapId",
      laps.lap_time_ms AS "lapTimeMs", ${DRIVER_NAME} AS "userName", verdict, reason,
      ${isoMilliseconds('decided_at')} AS "decidedAt",
      (SELECT ${PERSON_NAME} FROM users WHERE users.id = decided_by) AS "decidedByName",
      decided_by = $2 AS "isOwnDecision", latest.driver_id = $2 AS "isOwn",
      ${hasFlaggedDriver('$2', 'latest.driver_id')} AS "hasOwnFlag",
      EXISTS (
        SELECT FROM lap_flags WHERE lap_flags.lap_id = latest.lap_id AND lap_flags.reason = 'appeal' AND (
          lap_flags.decision_id IS NULL AND latest.decided_by = $2
          OR lap_flags.decision_id = latest.id AND (
            SELECT decided_by FROM lap_decisions AS before
            WHERE before.lap_id = latest.lap_id AND undone_at IS NULL AND before.id <> latest.id
            ORDER BY decided_at DESC LIMIT 1
          ) = $2
        )
      ) AS "isOwnDecisionAppealed"
    ${FROM_LATEST}
    ORDER BY decided_at DESC, laps.id LIMIT $3 OFFSET $4`,
};

type DecidedPage = { limit: number; offset: number; lapIds?: LapId[] | undefined };

/** Lists a page of the decisions in force, latest first, with the total count and what keeps the reader from undoing each. */
export async function listDecidedLaps(
  pool: Pool,
  readerId: UserId,
  { limit, offset, lapIds }: DecidedPage,
): Promise<{ laps: DecidedLap[]; total: number }> {
  const wanted = lapIds ?? null;
  const rows = await queryRows(pool, decidedRow, {
    ...LIST_DECIDED,
    values: [wanted, readerId, limit, offset],
  });
  const [counted] = await queryRows(pool, countRow, { ...COUNT_DECIDED, values: [wanted] });
  const laps = rows.map(({ isOwn, hasOwnFlag, isOwnDecisionAppealed, ...lap }) => ({
    ...lap,
    whyNot: findConflict({ isOwn, hasOwnFlag, isOwnDecisionAppealed }),
  }));
  return { laps, total: counted?.total ?? 0 };
}

const writeMoment = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const COUNT_WAITING = {
  name: 'count-waiting',
  text: `
    WITH open AS (
      SELECT lap_flags.track_id, lap_id, lap_flags.driver_id, bool_or(reason = 'appeal') AS is_appealed,
        min(flagged_at) AS since
      FROM lap_flags
      JOIN laps ON laps.track_id = lap_flags.track_id AND laps.id = lap_flags.lap_id
      LEFT JOIN users ON users.id = lap_flags.user_id
      WHERE decision_id IS NULL AND NOT (${IS_LEAVING}) GROUP BY 1, 2, 3
    ), own AS (
      SELECT open.is_appealed, open.since FROM open
      JOIN users ON users.id = open.driver_id AND NOT (${IS_LEAVING})
      WHERE open.driver_id <> $1
        AND NOT ${hasFlaggedDriver('$1', 'open.driver_id')}
        AND NOT (open.is_appealed AND coalesce($1 = ${lastDecider('open.lap_id')}, false))
    )
    SELECT flags.count AS flags, appeals.count AS appeals, tracks.count AS tracks, cars.count AS cars,
      jsonb_build_object(
        'flags', flags.since, 'appeals', appeals.since, 'tracks', tracks.since, 'cars', cars.since
      ) AS since
    FROM (SELECT count(*)::int, ${writeMoment('min(since)')} AS since FROM own WHERE NOT is_appealed) AS flags,
      (SELECT count(*)::int, ${writeMoment('min(since)')} AS since FROM own WHERE is_appealed) AS appeals,
      (
        SELECT count(*)::int, ${writeMoment('min(proposed_at)')} AS since FROM tracks
        LEFT JOIN track_proposals ON track_proposals.track_id = tracks.id WHERE status = 'community_submitted'
      ) AS tracks,
      (
        SELECT count(*)::int, ${writeMoment('min(proposed_at)')} AS since FROM car_models
        WHERE status = 'community_submitted' AND $2
      ) AS cars`,
};

/** Counts what waits for a decision of a user, and since when; cars only for administrators. */
export async function countWaiting(pool: Pool, userId: UserId, mayAdminister: boolean): Promise<Waiting> {
  const [row] = await queryRows(pool, moderationEndpoints.waiting.response, {
    ...COUNT_WAITING,
    values: [userId, mayAdminister],
  });
  if (!row) throw new Error('A query of counts has one row.');
  return row;
}
