import { sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  lapIdSchema,
  type TrackId,
  trackIdSchema,
  userCarIdSchema,
  type UserId,
  userIdSchema,
} from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { RANKING_STATUS_LIST } from '#server/model/laps/ranking.ts';

const drivenLap = z.object({
  lapId: lapIdSchema,
  trackId: trackIdSchema,
  userId: userIdSchema,
  userCarId: userCarIdSchema.nullable(),
  lapTimeMs: z.int(),
  uncertaintyMs: z.int(),
  startedAt: z.coerce.date(),
  sessionDate: z.string(),
});

/** A lap that ranks, with what decides whether it is a run of an event. */
export type DrivenLap = Omit<z.infer<typeof drivenLap>, 'sessionDate'> & { day: string };

// No time zone is further from UTC.
const MARGIN = sql`interval '15 hours'`;

/** Lists the laps of people on tracks that rank and began within days of the track's local time, in order. */
export async function listDrivenLaps(
  db: Database,
  {
    trackIds,
    userIds,
    firstDay,
    lastDay,
  }: {
    trackIds: readonly TrackId[];
    userIds: readonly UserId[];
    firstDay: string;
    lastDay: string;
  },
): Promise<DrivenLap[]> {
  if (userIds.length === 0) return [];
  const rows = await executeRows(
    db,
    drivenLap,
    sql`
      SELECT laps.id AS "lapId", laps.track_id AS "trackId", sessions.user_id AS "userId",
        sessions.user_car_id AS "userCarId", laps.lap_time_ms AS "lapTimeMs", laps.uncertainty_ms AS "uncertaintyMs",
        laps.started_at AS "startedAt", sessions.session_date AS "sessionDate"
      FROM laps
      JOIN sessions ON sessions.track_id = laps.track_id AND sessions.id = laps.session_id
      WHERE laps.track_id = ANY(${sql.param(trackIds)}::text[]) AND sessions.track_id = ANY(${sql.param(trackIds)}::text[])
        AND sessions.user_id = ANY(${sql.param(userIds)}::uuid[])
        AND laps.status IN ${sql.raw(RANKING_STATUS_LIST)}
        AND laps.started_at >= ${firstDay}::timestamp AT TIME ZONE 'UTC' - ${MARGIN}
        AND laps.started_at < ${lastDay}::timestamp AT TIME ZONE 'UTC' + interval '1 day' + ${MARGIN}
      ORDER BY laps.started_at, laps.id`,
  );
  return rows
    .map(({ sessionDate, ...lap }) => ({ ...lap, day: findLocalDay(lap.startedAt, sessionDate) }))
    .filter(({ day }) => day >= firstDay && day <= lastDay);
}

/** Returns the day of a moment with the offset from UTC that the date of its session has. */
function findLocalDay(moment: Date, sessionDate: string): string {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(sessionDate) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return new Date(moment.getTime() + offsetMs).toISOString().slice(0, 10);
}
