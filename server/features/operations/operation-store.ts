import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';

const storedRow = z.object({ databaseBytes: z.int(), lapFileBytes: z.int() });

/** Measures the size of the database on disk, and that of all lap files before compression. */
export async function measureStored(db: Database): Promise<{ databaseBytes: number; lapFileBytes: number }> {
  const query = sql`
    SELECT pg_database_size(current_database())::float8 AS "databaseBytes",
      (SELECT coalesce(sum(byte_count), 0)::float8 FROM lap_files) AS "lapFileBytes"`;
  const [stored] = await executeRows(db, storedRow, query);
  if (!stored) throw new Error('The database did not say how large it is.');
  return stored;
}

const clubStateRow = z.object({
  isHidden: z.boolean(),
  hasTracks: z.boolean(),
  hasInvited: z.boolean(),
  hasLap: z.boolean(),
});

/** Finds which first steps of a new club the database shows as done; undefined before the set-up. */
export async function findClubState(db: Database): Promise<z.infer<typeof clubStateRow> | undefined> {
  const query = sql`
    SELECT hides_first_steps AS "isHidden",
      EXISTS (SELECT FROM tracks WHERE entry_count > 0 OR defined_at > set_up_at) AS "hasTracks",
      EXISTS (SELECT FROM users OFFSET 1) OR EXISTS (SELECT FROM one_time_tokens WHERE purpose = 'invitation') AS "hasInvited",
      EXISTS (SELECT FROM tracks WHERE entry_count > 0) AS "hasLap"
    FROM club_settings`;
  const [state] = await executeRows(db, clubStateRow, query);
  return state;
}
