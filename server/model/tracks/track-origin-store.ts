import { inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { TrackId } from '#contract/ids.ts';
import { events } from '#server/model/events/schema.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { deleteNoticesOfEvents } from '#server/model/notices/notice-store.ts';
import { mergedTracks, tracks } from './schema.ts';

const PER_STATEMENT = 1_000;

/** Deletes the tracks of a published set that have no session; returns their number, and that of the others. */
export async function deleteTracksOfSet(
  tx: Database,
  setName: string,
): Promise<{ removed: number; kept: number }> {
  const isDriven = sql`EXISTS (SELECT FROM sessions WHERE sessions.track_id = tracks.id)`;
  const rows = await tx
    .select({ id: tracks.id, hasSessions: readAs(z.boolean(), isDriven) })
    .from(tracks)
    .where(sql`${tracks.origin} ->> 'set' = ${setName}`);
  const ids = rows.flatMap(({ id, hasSessions }) => (hasSessions ? [] : [id]));
  for (let start = 0; start < ids.length; start += PER_STATEMENT)
    await deleteTracks(tx, ids.slice(start, start + PER_STATEMENT));
  return { removed: ids.length, kept: rows.length - ids.length };
}

async function deleteTracks(tx: Database, ids: TrackId[]): Promise<void> {
  await deleteNoticesOfEvents(tx, inArray(events.trackId, ids));
  await tx.delete(mergedTracks).where(inArray(mergedTracks.intoTrackId, ids));
  await tx.delete(tracks).where(inArray(tracks.id, ids));
}
