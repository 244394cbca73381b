import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Database } from '#server/db/database.ts';

const LIST_BOARD_VERSIONS = {
  name: 'list-board-versions',
  text: 'SELECT id, board_version::text AS version FROM tracks WHERE id = ANY($1)',
};

/** For each of the tracks that there is, a text that is another one after every change to its boards. */
export async function listBoardVersions(pool: Pool, trackIds: string[]): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; version: string }>({
    ...LIST_BOARD_VERSIONS,
    values: [trackIds],
  });
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Tells everybody that names which stand on any board have changed. */
export async function bumpAllBoardVersions(db: Database): Promise<void> {
  await db.execute(sql`
    UPDATE tracks SET board_version = board_version + 1
    WHERE id IN (SELECT id FROM tracks ORDER BY id FOR UPDATE)`);
}
