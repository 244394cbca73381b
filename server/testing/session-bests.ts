import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type SessionId, sessionIdSchema } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { COLUMNS, selectBests } from '#server/model/boards/session-bests-store.ts';
import { raiseBoardVersions } from '#server/model/tracks/board-version-store.ts';

const sessionIdRow = z.object({ sessionId: sessionIdSchema });

/** Lists the sessions whose bests are not what their laps say: a bug where there is one. Reads all laps. */
export async function listWrongSessionBests(db: Database): Promise<SessionId[]> {
  const query = sql`
    WITH right_ones AS (${selectBests(sql`TRUE`)}), kept AS (SELECT ${COLUMNS} FROM session_bests)
    SELECT DISTINCT session_id AS "sessionId"
    FROM (
      (SELECT * FROM right_ones EXCEPT SELECT * FROM kept)
      UNION ALL (SELECT * FROM kept EXCEPT SELECT * FROM right_ones)
    ) AS wrong
    ORDER BY 1`;
  const rows = await executeRows(db, sessionIdRow, query);
  return rows.map(({ sessionId }) => sessionId);
}

/** Rebuilds all session bests and counts of entries, for laps that were inserted without an upload. */
export async function rebuildSessionBests(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await raiseBoardVersions(tx, 'all');
    await tx.execute(sql`DELETE FROM session_bests`);
    await tx.execute(sql`INSERT INTO session_bests (${COLUMNS}) ${selectBests(sql`TRUE`)}`);
    await recountEntries(tx);
  });
}

/** Recounts the drivers with a ranking lap on every track from `session_bests`. */
async function recountEntries(tx: Database): Promise<void> {
  await tx.execute(sql`
    UPDATE tracks SET entry_count = (
      SELECT count(DISTINCT user_id) FROM session_bests WHERE session_bests.track_id = tracks.id
    )`);
}
