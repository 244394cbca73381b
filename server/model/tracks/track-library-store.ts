import { asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { TrackId, UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { splitIntoStatements, takeInserted } from '#server/kernel/database/upsert.ts';
import { loadedLibraries, removedTracks, trackProposals, tracks } from './schema.ts';
import type { NewTrack, TrackIdentity } from './library-track.ts';

// Any number that no other program locks in the same database.
const IMPORT_LOCK = 7_248_003;

/** Locks out other imports: the library does not change between reads and writes, and times of change ascend. */
export async function lockImports(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${IMPORT_LOCK})`);
}

export async function listTrackIdentities(db: Database): Promise<(TrackIdentity & { id: TrackId })[]> {
  const { id, name, configuration, centerLat, centerLon } = tracks;
  return await db
    .select({ id, name, configuration, centerLat, centerLon })
    .from(tracks)
    .orderBy(asc(id))
    .limit(LIMITS.tracksMax);
}

/** Inserts tracks. A statement takes 65,535 values, so one call takes at most a few hundred. */
export async function insertTracks(
  db: Database,
  rows: readonly (NewTrack & { id: TrackId })[],
): Promise<void> {
  if (rows.length === 0) return;
  // now() would be the transaction's begin; the version of the library is the latest time of writing.
  const definedAt = sql`statement_timestamp()`;
  await db.insert(tracks).values(rows.map((row) => ({ ...row, definedAt })));
}

export async function insertProposal(tx: Database, trackId: TrackId, userId: UserId): Promise<void> {
  await tx.insert(trackProposals).values({ trackId, userId });
}

// Any number that no other program locks in the same database.
const LIBRARY_LOCK = 7_248_002;

/** Locks out other servers that load library files, until the end of the transaction. */
export async function lockLibraries(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${LIBRARY_LOCK})`);
}

/** Finds the hash of the library file that was loaded last under this name. */
export async function findLoadedLibrary(tx: Database, name: string): Promise<string | undefined> {
  const [loaded] = await tx.select().from(loadedLibraries).where(eq(loadedLibraries.name, name));
  return loaded?.sha256;
}

export async function saveLoadedLibrary(tx: Database, name: string, sha256: string): Promise<void> {
  await tx
    .insert(loadedLibraries)
    .values({ name, sha256 })
    .onConflictDoUpdate({ target: loadedLibraries.name, set: { sha256, loadedAt: sql`now()` } });
}

/** Lists the tracks of the library that an administrator deleted. */
export async function listRemovedTracks(tx: Database): Promise<Set<TrackId>> {
  return new Set((await tx.select().from(removedTracks)).map(({ id }) => id));
}

/** Writes tracks of the library file. Tracks that an administrator has corrected stay as they are. */
export async function upsertLibraryTracks(tx: Database, rows: (typeof tracks.$inferInsert)[]): Promise<void> {
  const {
    id: _id,
    boardVersion: _boardVersion,
    entryCount: _entryCount,
    correctedAt: _correctedAt,
    retimeDueAt: _retimeDueAt,
    retimedSessionId: _retimedSessionId,
    // `definition` includes `definedAt`, which defaults to now.
    ...definition
  } = getTableColumns(tracks);
  for (const some of splitIntoStatements(rows)) {
    await tx
      .insert(tracks)
      .values(some)
      .onConflictDoUpdate({
        target: tracks.id,
        set: takeInserted(definition),
        setWhere: isNull(tracks.correctedAt),
      });
  }
}
