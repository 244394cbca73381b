import { inArray, sql } from 'drizzle-orm';
import type { TrackId, UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { sessions } from '#server/model/laps/schema.ts';

/**
 * Locks drivers until the end of the transaction, in the order of their ids: with 'share' their names stay as they are and
 * others may change laps of theirs on other tracks, with 'update' nothing of theirs changes.
 */
export async function lockDrivers(
  tx: Database,
  userIds: readonly UserId[],
  strength: 'share' | 'update',
): Promise<void> {
  if (userIds.length === 0) return;
  const lock = sql.raw(strength === 'share' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  // The locks have names of their own and hold no row of `users` (docs/decisions/0023).
  await tx.execute(sql`
    SELECT ${lock}(hashtextextended('driver ' || id, 0))
    FROM unnest(${sql.param([...new Set(userIds)].toSorted())}::text[]) AS id`);
}

/** Lists the tracks on which any of the drivers has a session. */
export async function listDrivenTracks(tx: Database, userIds: readonly UserId[]): Promise<TrackId[]> {
  if (userIds.length === 0) return [];
  const rows = await tx
    .selectDistinct({ trackId: sessions.trackId })
    .from(sessions)
    .where(inArray(sessions.userId, [...userIds]));
  return rows.map(({ trackId }) => trackId);
}
