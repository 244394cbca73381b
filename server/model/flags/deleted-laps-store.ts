import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { LapId, SessionId, TrackId, UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { NewLap } from '#server/model/laps/lap-file-store.ts';
import { withVerdict } from '#server/model/laps/leave-out.ts';
import { laps } from '#server/model/laps/schema.ts';
import { listDecisions } from './flag-store.ts';
import { lapFlags } from './schema.ts';

// A driver may delete a session and upload its file again: what was flagged and decided holds for the same laps.

/** Keeps what identifies the flagged laps of a session. Call it before they are deleted. */
export async function rememberFlaggedLaps(
  tx: Database,
  { trackId, id: sessionId }: { trackId: TrackId; id: SessionId },
): Promise<void> {
  const { id, positionsHash } = laps;
  const flagged = await tx
    .selectDistinct({ id, positionsHash })
    .from(laps)
    .innerJoin(lapFlags, and(eq(lapFlags.trackId, laps.trackId), eq(lapFlags.lapId, id)))
    .where(and(eq(laps.trackId, trackId), eq(laps.sessionId, sessionId)));
  // Lap by lap: Citus changes no table of which every node has a copy by a join with laps.
  for (const lap of flagged) {
    await tx.update(lapFlags).set({ positionsHash: lap.positionsHash }).where(eq(lapFlags.lapId, lap.id));
  }
}

/** Returns the laps; those that were flagged before their session was deleted have their ids again, and the decisions on them. */
export async function recallFlaggedLaps<L extends NewLap>(
  tx: Database,
  { trackId, userId }: { trackId: TrackId; userId: UserId },
  newLaps: readonly L[],
): Promise<L[]> {
  const ids = await findDeletedLaps(tx, { trackId, userId }, newLaps);
  return await Promise.all(
    newLaps.map(async (lap) => {
      const id = ids.get(lap.positionsHash);
      if (id === undefined) return lap;
      const [latest] = await listDecisions(tx, id);
      return withVerdict({ ...lap, id }, latest?.verdict ?? null);
    }),
  );
}

/** Maps the hash of the positions of flagged laps that are gone to their ids. */
async function findDeletedLaps(
  tx: Database,
  { trackId, userId }: { trackId: TrackId; userId: UserId },
  newLaps: readonly NewLap[],
): Promise<Map<string | null, LapId>> {
  const { lapId, positionsHash } = lapFlags;
  const hashes = newLaps.flatMap((lap) => lap.positionsHash ?? []);
  const flagged = await tx
    .selectDistinct({ lapId, positionsHash })
    .from(lapFlags)
    .where(and(eq(lapFlags.trackId, trackId), eq(lapFlags.driverId, userId), inArray(positionsHash, hashes)));
  if (flagged.length === 0) return new Map();
  const isFlagged = inArray(
    laps.id,
    flagged.map((flag) => flag.lapId),
  );
  const there = await tx
    .select({ id: laps.id })
    .from(laps)
    .where(and(eq(laps.trackId, trackId), isFlagged));
  const isThere = new Set(there.map(({ id }) => id));
  return new Map(
    flagged.filter((flag) => !isThere.has(flag.lapId)).map((flag) => [flag.positionsHash, flag.lapId]),
  );
}

/** Selects the ids of the flagged laps whose session was deleted, and which may be uploaded again. */
export function selectRememberedLaps(db: Database) {
  return db.select({ id: lapFlags.lapId }).from(lapFlags).where(isNotNull(lapFlags.positionsHash));
}
