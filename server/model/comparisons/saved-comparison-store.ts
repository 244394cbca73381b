import { and, arrayOverlaps, desc, eq, inArray, isNotNull, ne } from 'drizzle-orm';
import type { SavedComparison } from '#contract/lap-view/saved-comparisons.ts';
import type { ComparisonId, LapId, TrackId, UserId } from '#contract/ids.ts';
import type { TrackMove } from '#server/kernel/database/copy-track-rows.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { insertJsonRows, selectJsonRows } from '#server/kernel/database/json-rows.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { savedComparisons } from './schema.ts';

/** Lists the comparisons that a person has saved, the latest first, without those with a lap of somebody else who leaves. */
export async function listComparisons(db: Database, userId: UserId): Promise<SavedComparison[]> {
  const { id, name, trackId, lapIds, savedAt } = savedComparisons;
  const rows = await db
    .select({
      id,
      name,
      trackId,
      lapIds,
      savedAt,
      trackName: tracks.name,
      configuration: tracks.configuration,
    })
    .from(savedComparisons)
    .innerJoin(tracks, eq(tracks.id, trackId))
    .where(eq(savedComparisons.userId, userId))
    .orderBy(desc(savedAt), desc(id));
  const hidden = await findLeavingLaps(db, userId, rows);
  return rows
    .filter((row) => !row.lapIds.some((lapId) => hidden.has(lapId)))
    .map((row) => ({ ...row, savedAt: row.savedAt.toISOString() }));
}

type Compared = { trackId: TrackId; lapIds: readonly LapId[] };

/** Finds the laps of other people who have deleted their account and may still keep it. */
async function findLeavingLaps(
  db: Database,
  userId: UserId,
  compared: readonly Compared[],
): Promise<Set<LapId>> {
  const trackIds = [...new Set(compared.map(({ trackId }) => trackId))];
  const lapIds = [...new Set(compared.flatMap((one) => one.lapIds))];
  const isCompared = and(inArray(laps.trackId, trackIds), inArray(laps.id, lapIds));
  const rows = await db
    .select({ id: laps.id })
    .from(laps)
    .innerJoin(sessions, and(eq(sessions.id, laps.sessionId), eq(sessions.trackId, laps.trackId)))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(isCompared, ne(users.id, userId), isNotNull(users.deletionDueAt)));
  return new Set(rows.map(({ id }) => id));
}

/** Counts the comparisons that a person has saved. */
export async function countComparisons(db: Database, userId: UserId): Promise<number> {
  return await db.$count(savedComparisons, eq(savedComparisons.userId, userId));
}

/** Stores a comparison; returns its id. */
export async function insertComparison(
  db: Database,
  comparison: typeof savedComparisons.$inferInsert,
): Promise<ComparisonId> {
  const [row] = await db.insert(savedComparisons).values(comparison).returning({ id: savedComparisons.id });
  if (!row) throw new Error('The comparison was not stored.');
  return row.id;
}

/** Finds the person who has saved a comparison; undefined where there is no such comparison. */
export async function findComparisonOwner(db: Database, id: ComparisonId): Promise<UserId | undefined> {
  const [row] = await db
    .select({ userId: savedComparisons.userId })
    .from(savedComparisons)
    .where(eq(savedComparisons.id, id));
  return row?.userId;
}

export async function renameComparison(db: Database, id: ComparisonId, name: string): Promise<void> {
  await db.update(savedComparisons).set({ name }).where(eq(savedComparisons.id, id));
}

export async function deleteComparison(db: Database, id: ComparisonId): Promise<void> {
  await db.delete(savedComparisons).where(eq(savedComparisons.id, id));
}

/** Moves the comparisons of a track's laps to the track that the laps move to. */
export async function moveComparisons(tx: Database, { fromTrackId, intoTrackId }: TrackMove): Promise<void> {
  await tx
    .update(savedComparisons)
    .set({ trackId: intoTrackId })
    .where(eq(savedComparisons.trackId, fromTrackId));
}

/** Returns the comparisons on a track that have one of these laps as JSON text. */
export async function selectComparisonsOf(
  tx: Database,
  trackId: TrackId,
  lapIds: readonly LapId[],
): Promise<string> {
  if (lapIds.length === 0) return '[]';
  const hasOne = arrayOverlaps(savedComparisons.lapIds, [...lapIds]);
  return await selectJsonRows(tx, savedComparisons, and(eq(savedComparisons.trackId, trackId), hasOne));
}

/** Restores comparisons, but for those of which another lap is gone. */
export async function restoreComparisons(tx: Database, trackId: TrackId, rows: string): Promise<void> {
  await insertJsonRows(tx, savedComparisons, rows);
  await deleteIncompleteComparisons(tx, [trackId]);
}

/** Deletes the comparisons on these tracks of which a lap does not exist any more. */
export async function deleteIncompleteComparisons(tx: Database, trackIds: readonly TrackId[]): Promise<void> {
  if (trackIds.length === 0) return;
  const saved = await tx
    .select({ id: savedComparisons.id, lapIds: savedComparisons.lapIds })
    .from(savedComparisons)
    .where(inArray(savedComparisons.trackId, [...trackIds]));
  if (saved.length === 0) return;
  const wanted = [...new Set(saved.flatMap(({ lapIds }) => lapIds))];
  // A query of its own: Citus joins a table at every node with a partitioned one in no DELETE.
  const rows = await tx
    .select({ id: laps.id })
    .from(laps)
    .where(and(inArray(laps.trackId, [...trackIds]), inArray(laps.id, wanted)));
  const existing = new Set(rows.map(({ id }) => id));
  const incomplete = saved.filter(({ lapIds }) => lapIds.some((id) => !existing.has(id)));
  if (incomplete.length === 0) return;
  await tx.delete(savedComparisons).where(
    inArray(
      savedComparisons.id,
      incomplete.map(({ id }) => id),
    ),
  );
}
