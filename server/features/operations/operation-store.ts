import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';

const storedRows = z.array(
  z.object({ databaseBytes: z.coerce.number().int(), lapFileBytes: z.coerce.number().int() }),
);

/** How much the database takes on its disk, and all lap files as they were sent. */
export async function measureStored(db: Database): Promise<{ databaseBytes: number; lapFileBytes: number }> {
  const { rows } = await db.execute(sql`
    SELECT pg_database_size(current_database()) AS "databaseBytes",
      (SELECT coalesce(sum(byte_count), 0) FROM lap_files) AS "lapFileBytes"`);
  const [stored] = storedRows.parse(rows);
  if (!stored) throw new Error('The database did not say how large it is.');
  return stored;
}
