import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Database } from '#server/db/database.ts';

const FIND_BOARD_VERSION = {
  name: 'find-board-version',
  text: 'SELECT board_version::text AS version FROM tracks WHERE id = $1',
};

/** A text that is another one after every change to a track's boards; undefined where there is no such track. */
export async function findBoardVersion(pool: Pool, trackId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ version: string }>({ ...FIND_BOARD_VERSION, values: [trackId] });
  return rows[0]?.version;
}

/** Tells everybody that names which stand on any board have changed. */
export async function bumpAllBoardVersions(db: Database): Promise<void> {
  await db.execute(sql`
    UPDATE tracks SET board_version = board_version + 1
    WHERE id IN (SELECT id FROM tracks ORDER BY id FOR UPDATE)`);
}
