import type { Pool } from 'pg';
import { z } from 'zod';
import { type TrackId, trackIdSchema } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';

/** Lists every track, those with more entries first. */
export async function listTrackIds(pool: Pool): Promise<TrackId[]> {
  const rows = await queryRows(pool, z.object({ id: trackIdSchema }), {
    name: 'list-track-ids',
    text: `SELECT id FROM tracks ORDER BY entry_count DESC, id LIMIT ${LIMITS.tracksMax}`,
  });
  return rows.map(({ id }) => id);
}
