import { asc, sql } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { tracks } from './schema.ts';
import { trackProposals } from './schema.ts';
import type { NewTrack, TrackIdentity } from './library-track.ts';

// Any number that no other program locks in the same database.
const IMPORT_LOCK = 7_248_003;

/**
 * Lets imports take turns until the end of the transaction: what one finds in the library stays true until it has written, and
 * the time of its change is later than that of any before.
 */
export async function lockImports(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${IMPORT_LOCK})`);
}

/** What distinguishes the tracks of the library. */
export async function listTrackIdentities(db: Database): Promise<(TrackIdentity & { id: string })[]> {
  const { id, name, configuration, centerLat, centerLon } = tracks;
  return await db
    .select({ id, name, configuration, centerLat, centerLon })
    .from(tracks)
    .orderBy(asc(id))
    .limit(LIMITS.tracksMax);
}

/** At most some hundred at a time: a statement takes 65,535 values. */
export async function insertTracks(
  db: Database,
  rows: readonly (NewTrack & { id: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  // The time of writing, not of the transaction's begin: the version of the library is the latest of these.
  const definedAt = sql`statement_timestamp()`;
  await db.insert(tracks).values(rows.map((row) => ({ ...row, definedAt })));
}

/** Notes who proposed a track. */
export async function insertProposal(tx: Database, trackId: string, userId: string): Promise<void> {
  await tx.insert(trackProposals).values({ trackId, userId });
}
