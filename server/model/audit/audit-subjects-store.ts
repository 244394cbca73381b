import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { DRIVER_NAME, IS_LEAVING } from '#server/model/people/driver-name.ts';
import { formatLapTime } from '#engine/lap-time.ts';

/** The name of what an entry is about, and the path of its page. */
export type AuditSubject = { name: string; link: string };

const KINDS = ['user', 'track', 'car', 'session', 'lap', 'event'] as const;

const subjectRow = z.object({
  id: z.string(),
  kind: z.enum(KINDS),
  name: z.string(),
  trackId: z.string().nullable(),
  trackName: z.string().nullable(),
  lapTimeMs: z.int().nullable(),
});

type SubjectRow = z.infer<typeof subjectRow>;

/** Finds the users, tracks, cars, sessions, laps and race events among the subjects of entries, except deleted ones and those of drivers who leave. */
export async function findAuditSubjects(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, AuditSubject>> {
  const texts = sql`string_to_array(${ids.join(',')}, ',')`;
  const uuids = sql`string_to_array(${ids.filter((id) => z.uuid().safeParse(id).success).join(',')}, ',')::uuid[]`;
  const driver = sql.raw(DRIVER_NAME);
  const stays = sql.raw(`NOT (${IS_LEAVING})`);
  const track = sql`concat_ws(' ', tracks.name, tracks.configuration)`;
  // A lap is found by its track, which its flags and its evidence know.
  const query = sql`
    SELECT users.id::text, 'user' AS kind, ${driver} AS name, NULL AS "trackId", NULL AS "trackName",
      NULL::int AS "lapTimeMs"
    FROM users WHERE id = ANY(${uuids}) AND ${stays}
    UNION ALL
    SELECT tracks.id, 'track', ${track}, tracks.id, NULL, NULL FROM tracks WHERE id = ANY(${texts})
    UNION ALL
    SELECT car_models.id::text, 'car', model_display, NULL, NULL, NULL FROM car_models WHERE id = ANY(${uuids})
    UNION ALL
    SELECT race_events.id::text, 'event', name, NULL, NULL, NULL FROM race_events WHERE id = ANY(${uuids})
    UNION ALL
    SELECT sessions.id::text, 'session', ${driver}, tracks.id, ${track}, NULL FROM sessions
      JOIN users ON users.id = sessions.user_id AND ${stays}
      JOIN tracks ON tracks.id = sessions.track_id
    WHERE sessions.id = ANY(${uuids})
    UNION ALL
    SELECT laps.id::text, 'lap', ${driver}, tracks.id, ${track}, laps.lap_time_ms
    FROM (
      SELECT track_id, lap_id, driver_id FROM lap_flags WHERE lap_id = ANY(${uuids})
      UNION SELECT track_id, lap_id, driver_id FROM lap_evidence WHERE lap_id = ANY(${uuids})
    ) AS named
      JOIN laps ON laps.track_id = named.track_id AND laps.id = named.lap_id
      JOIN users ON users.id = named.driver_id AND ${stays}
      JOIN tracks ON tracks.id = laps.track_id`;
  const rows = await executeRows(db, subjectRow, query);
  return new Map(rows.map((row) => [row.id, describeSubject(row)]));
}

function describeSubject({ id, kind, name, trackId, trackName, lapTimeMs }: SubjectRow): AuditSubject {
  if (kind === 'user') return { name, link: `/profile/${id}` };
  if (kind === 'car') return { name, link: '/admin/apex-import?tab=cars' };
  if (kind === 'event') return { name, link: `/event/${id}` };
  const trackPath = `/track/${encodeURIComponent(trackId ?? '')}`;
  if (kind === 'track') return { name, link: trackPath };
  if (kind === 'session') return { name: `Session of ${name}, ${trackName}`, link: trackPath };
  return {
    name: `${formatLapTime(lapTimeMs ?? 0)} by ${name}, ${trackName}`,
    link: `${trackPath}?lap=${id}`,
  };
}
