import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { TrackId } from '#contract/ids.ts';
import type { Database } from './database.ts';

/** The track whose rows move, and the track that they move to. */
export type TrackMove = { fromTrackId: TrackId; intoTrackId: TrackId };

/** Copies rows to another track; returns how many. Distributed rows cannot change theirs: the caller deletes them. */
export async function copyTrackRows(
  tx: Database,
  table: PgTable,
  { fromTrackId, intoTrackId }: TrackMove,
): Promise<number> {
  const others = Object.values(getTableColumns(table)).filter((column) => column.name !== 'track_id');
  const columns = sql.join(
    others.map((column) => sql.identifier(column.name)),
    sql`, `,
  );
  const name = sql.identifier(getTableName(table));
  const { rowCount } = await tx.execute(sql`
    INSERT INTO ${name} (track_id, ${columns})
    SELECT ${intoTrackId}, ${columns} FROM ${name} WHERE track_id = ${fromTrackId}`);
  return rowCount ?? 0;
}
