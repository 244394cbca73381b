import type { Pool } from 'pg';
import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';

/** Lists every track, those with more entries first. */
export async function listTrackIds(pool: Pool): Promise<string[]> {
  const rows = await queryRows(pool, z.object({ id: z.string() }), {
    name: 'list-track-ids',
    text: `SELECT id FROM tracks ORDER BY entry_count DESC, id LIMIT ${LIMITS.tracksMax}`,
  });
  return rows.map(({ id }) => id);
}
