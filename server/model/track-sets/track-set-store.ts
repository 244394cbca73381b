import { and, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm';
import type { UserId } from '#contract/ids.ts';
import type { TrackSetState } from '#contract/tracks/labels.ts';
import type { TrackSetResult } from '#contract/tracks/sets.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { trackSetRequests, trackSets } from './schema.ts';

export type StoredSet = typeof trackSets.$inferSelect;

export async function listStoredSets(db: Database): Promise<StoredSet[]> {
  return await db.select().from(trackSets);
}

export async function findStoredSet(db: Database, name: string): Promise<StoredSet | undefined> {
  const [row] = await db.select().from(trackSets).where(eq(trackSets.name, name));
  return row;
}

/** A fetch that has not moved for so long has ended with its server. */
const ABANDONED_AFTER = sql`interval '10 minutes'`;

/** Marks a set as waiting for its fetch; false where it is here already, or on its way. */
export async function claimSet(
  tx: Database,
  { name, commit }: { name: string; commit: string },
): Promise<boolean> {
  const claimed = { commit, state: 'waiting' as const, problem: null, progressDone: 0, progressTotal: null };
  const rows = await tx
    .insert(trackSets)
    .values({ name, ...claimed })
    .onConflictDoUpdate({
      target: trackSets.name,
      set: { ...claimed, changedAt: sql`now()` },
      setWhere: sql`${trackSets.state} = 'failed' OR
        ${trackSets.state} <> 'installed' AND ${trackSets.changedAt} < now() - ${ABANDONED_AFTER}`,
    })
    .returning({ name: trackSets.name });
  return rows.length > 0;
}

export type SetProgress = { state: TrackSetState; done: number; total: number | null };

export async function saveProgress(
  db: Database,
  name: string,
  { state, done, total }: SetProgress,
): Promise<void> {
  await db
    .update(trackSets)
    .set({ state, progressDone: done, progressTotal: total, changedAt: sql`now()` })
    .where(and(eq(trackSets.name, name), ne(trackSets.state, 'installed')));
}

export async function saveProblem(db: Database, name: string, problem: string): Promise<void> {
  await db
    .update(trackSets)
    .set({ state: 'failed', problem, changedAt: sql`now()` })
    .where(eq(trackSets.name, name));
}

export async function saveInstalled(
  tx: Database,
  set: { name: string; commit: string; result: TrackSetResult },
): Promise<void> {
  const installed = { ...set, state: 'installed' as const, problem: null, changedAt: sql`now()` };
  await tx.insert(trackSets).values(installed).onConflictDoUpdate({ target: trackSets.name, set: installed });
}

/** Deletes the row of a set that is not on its way, with the requests for it; false where it is on its way. */
export async function deleteSet(tx: Database, name: string): Promise<boolean> {
  const rows = await tx
    .delete(trackSets)
    .where(
      and(
        eq(trackSets.name, name),
        or(
          inArray(trackSets.state, ['installed', 'failed']),
          lt(trackSets.changedAt, sql`now() - ${ABANDONED_AFTER}`),
        ),
      ),
    )
    .returning({ name: trackSets.name });
  return rows.length > 0;
}

const isToday = gt(trackSetRequests.askedAt, sql`now() - interval '24 hours'`);

/** Lists the sets that a user has asked for within a day. */
export async function listAskedSets(db: Database, userId: UserId): Promise<string[]> {
  const rows = await db
    .select({ setName: trackSetRequests.setName })
    .from(trackSetRequests)
    .where(and(eq(trackSetRequests.userId, userId), isToday));
  return rows.map(({ setName }) => setName);
}

export async function recordRequest(tx: Database, setName: string, userId: UserId): Promise<void> {
  await tx
    .insert(trackSetRequests)
    .values({ setName, userId })
    .onConflictDoUpdate({
      target: [trackSetRequests.setName, trackSetRequests.userId],
      set: { askedAt: sql`now()` },
    });
}

/** Deletes the requests for a set and returns who asked. */
export async function takeRequests(tx: Database, setName: string): Promise<UserId[]> {
  const rows = await tx
    .delete(trackSetRequests)
    .where(eq(trackSetRequests.setName, setName))
    .returning({ userId: trackSetRequests.userId });
  return rows.map(({ userId }) => userId);
}
