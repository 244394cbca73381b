import { asc, gt, sql } from 'drizzle-orm';
import type { Database } from '#server/kernel/database/database.ts';
import { apexTracks } from './schema.ts';
import { type StagedTrack, stagedTrackSchema } from './staged-track.ts';

/** Stores apex tracks; one that is stored in the same state already is unchanged. At most some hundred at a time. */
export async function upsertStagedTracks(db: Database, rows: readonly StagedTrack[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(apexTracks)
    .values(rows.map(({ key, ...definition }) => ({ key, definition })))
    .onConflictDoUpdate({
      target: apexTracks.key,
      set: { definition: sql`excluded.definition`, changedAt: sql`now()` },
      setWhere: sql`${apexTracks.definition} IS DISTINCT FROM excluded.definition`,
    });
}

/** Lists apex tracks after `afterKey` in the order of their keys. */
export async function listStagedTracks(
  db: Database,
  afterKey: string,
  limit: number,
): Promise<StagedTrack[]> {
  const rows = await db
    .select()
    .from(apexTracks)
    .where(gt(apexTracks.key, afterKey))
    .orderBy(asc(apexTracks.key))
    .limit(limit);
  return rows.map(({ key, definition }) => stagedTrackSchema.parse({ ...asObject(definition), key }));
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
