import type { Pool } from 'pg';
import { LIMITS } from '#contract/limits.ts';

/** Every track, those with more entries first. */
export async function listTrackIds(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'list-track-ids',
    text: `SELECT id FROM tracks ORDER BY entry_count DESC, id LIMIT ${LIMITS.tracksMax}`,
  });
  return rows.map(({ id }) => id);
}
