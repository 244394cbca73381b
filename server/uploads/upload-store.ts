import { eq } from 'drizzle-orm';
import type { TireCompound } from '#contract/lap-words.ts';
import type { TimedLap } from '#contract/laps.ts';
import type { DropCounts } from '#engine/lap-file.ts';
import type { Database } from '#server/db/database.ts';
import { lapFiles, laps, sessions } from '#server/db/schema.ts';

/** Who has uploaded a file with these bytes before. */
export async function findLapFileOwner(db: Database, sha256: string): Promise<string | undefined> {
  const [row] = await db
    .select({ userId: lapFiles.userId })
    .from(lapFiles)
    .where(eq(lapFiles.sha256, sha256));
  return row?.userId;
}

/** False where the same bytes are there already; waits for somebody who is just storing them. */
export async function insertLapFile(db: Database, lapFile: typeof lapFiles.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(lapFiles)
    .values(lapFile)
    .onConflictDoNothing()
    .returning({ sha256: lapFiles.sha256 });
  return rows.length > 0;
}

export type NewSession = {
  trackId: string;
  userId: string;
  userCarId: string | null;
  tireCompound: TireCompound | null;
  videoUrl: string | null;
  startedAt: Date;
  sessionDate: string;
  gpsRateHz: number | null;
  droppedCounts: DropCounts;
  engineVersion: string;
  lapFileSha256: string;
};

/** Gives the id of the session. */
export async function insertSession(db: Database, session: NewSession): Promise<string> {
  const [row] = await db.insert(sessions).values(session).returning({ id: sessions.id });
  if (!row) throw new Error('The session was not stored.');
  return row.id;
}

export type LapsOf = { sessionId: string } & Pick<NewSession, 'trackId' | 'userId' | 'userCarId'>;
export type NewLap = TimedLap & { startedAt: Date };

// Far below the 65,535 values that one statement takes.
const LAPS_PER_STATEMENT = 1_000;

export async function insertLaps(db: Database, of: LapsOf, newLaps: readonly NewLap[]): Promise<void> {
  for (let start = 0; start < newLaps.length; start += LAPS_PER_STATEMENT) {
    const some = newLaps.slice(start, start + LAPS_PER_STATEMENT);
    await db.insert(laps).values(some.map((lap) => ({ ...of, ...lap })));
  }
}

/** The keys of all lap files that are kept. */
export async function listStorageKeys(db: Database): Promise<Set<string>> {
  const rows = await db.select({ storageKey: lapFiles.storageKey }).from(lapFiles);
  return new Set(rows.map(({ storageKey }) => storageKey));
}
