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
