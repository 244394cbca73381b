import { and, arrayOverlaps, asc, eq, getTableColumns, inArray, ne, or, sql } from 'drizzle-orm';
import type { LapId, SessionId, TrackId, UserCarId, UserId } from '#contract/ids.ts';
import type { TireCompound } from '#contract/laps/labels.ts';
import type { TimedLap } from '#contract/laps/schemas.ts';
import type { DropCounts } from '#engine/lap-file.ts';
import { type LapStatus, RANKING_STATUSES } from '#engine/timing/laps.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { hashOfContent } from './stored-sample.ts';
import { deletedSessions, lapFiles, laps, sessions } from './schema.ts';

export type NewLapFile = typeof lapFiles.$inferInsert & LapFileIdentity & { roundedHashes: string[] };

/** Identifies a lap file by its bytes and, where known, by the positions in it. */
export type LapFileIdentity = { sha256: string; positionsHash: string | null };

/** Finds the user who has uploaded a file with these bytes or these positions before. */
export async function findLapFileOwner(
  db: Database,
  { sha256, positionsHash }: LapFileIdentity,
): Promise<UserId | undefined> {
  const [row] = await db
    .select({ userId: lapFiles.userId })
    .from(lapFiles)
    .where(
      or(
        eq(lapFiles.sha256, sha256),
        positionsHash === null ? undefined : eq(lapFiles.positionsHash, positionsHash),
      ),
    )
    .limit(1);
  return row?.userId;
}

/**
 * Finds who first uploaded these positions but for last decimals. Own files count where a lap ranks, or would without its driver's
 * wish or a decision.
 */
export async function findRoundedOwner(
  db: Database,
  { sha256, roundedHashes, userId }: Pick<NewLapFile, 'sha256' | 'roundedHashes' | 'userId'>,
): Promise<UserId | undefined> {
  if (roundedHashes.length === 0) return undefined;
  const files = await db
    .select({ sha256: lapFiles.sha256, userId: lapFiles.userId })
    .from(lapFiles)
    .where(and(arrayOverlaps(lapFiles.roundedHashes, roundedHashes), ne(lapFiles.sha256, sha256)))
    .orderBy(asc(lapFiles.uploadedAt), asc(lapFiles.sha256));
  const own = files.filter((file) => file.userId === userId);
  const ranking = await listRankingFiles(
    db,
    own.map((file) => file.sha256),
  );
  return files.find((file) => file.userId !== userId || ranking.has(file.sha256))?.userId;
}

// The status that a lap has without a decision and its driver's wish.
const TIMED_STATUS = sql`coalesce(${laps.rejectedStatus}, ${laps.leftOutStatus}, ${laps.status})`;
const WOULD_RANK = inArray(TIMED_STATUS, [...RANKING_STATUSES]);

/** Returns the hashes of the lap files that have a lap that ranks as it was timed. */
async function listRankingFiles(db: Database, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db
    .selectDistinct({ sha256: sessions.lapFileSha256 })
    .from(sessions)
    .innerJoin(laps, and(eq(laps.trackId, sessions.trackId), eq(laps.sessionId, sessions.id)))
    .where(and(inArray(sessions.lapFileSha256, [...hashes]), WOULD_RANK));
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** Inserts a lap file; false where its bytes or positions exist already. Waits for a concurrent insert of them. */
export async function insertLapFile(db: Database, lapFile: NewLapFile): Promise<boolean> {
  const rows = await db
    .insert(lapFiles)
    .values(lapFile)
    .onConflictDoNothing()
    .returning({ sha256: lapFiles.sha256 });
  return rows.length > 0;
}

export type NewSession = {
  trackId: TrackId;
  userId: UserId;
  userCarId: UserCarId | null;
  tireCompound: TireCompound | null;
  videoUrl: string | null;
  startedAt: Date;
  sessionDate: string;
  gpsRateHz: number | null;
  droppedCounts: DropCounts;
  engineVersion: string;
  lapFileSha256: string;
};

export async function insertSession(db: Database, session: NewSession): Promise<SessionId> {
  // The time of writing, not of the transaction's begin: copies of a lap go by which session came first.
  const createdAt = sql`clock_timestamp()`;
  const [row] = await db
    .insert(sessions)
    .values({ ...session, createdAt })
    .returning({ id: sessions.id });
  if (!row) throw new Error('The session was not stored.');
  return row.id;
}

export type LapsOf = { trackId: TrackId; sessionId: SessionId };
export type NewLap = TimedLap & {
  id: LapId;
  startedAt: Date;
  positionsHash: string | null;
  leftOutStatus?: LapStatus | null;
  rejectedStatus?: LapStatus | null;
};

// The limit is far below the 65,535 values that one statement takes.
const LAPS_PER_STATEMENT = 1_000;

const NEW_VALUES = Object.fromEntries(
  Object.entries(getTableColumns(laps)).map(([field, { name }]) => [
    field,
    sql`excluded.${sql.identifier(name)}`,
  ]),
);

/** Inserts the laps of a session, or updates those whose ids are there already. */
export async function upsertLaps(db: Database, of: LapsOf, newLaps: readonly NewLap[]): Promise<void> {
  for (let start = 0; start < newLaps.length; start += LAPS_PER_STATEMENT) {
    const some = newLaps.slice(start, start + LAPS_PER_STATEMENT);
    await db
      .insert(laps)
      .values(some.map((lap) => ({ ...of, ...lap })))
      .onConflictDoUpdate({ target: [laps.trackId, laps.id], set: NEW_VALUES });
  }
}

/** Maps the hash of a lap's positions to the driver. */
export type RecordedLaps = ReadonlyMap<string, UserId>;

/** Selects the laps that are searched for copies: those of all sessions on the track, or of those before a session. */
export type RecordedWhere = {
  trackId: TrackId;
  /** Own laps that do not rank may be uploaded again, from a better file; laps left out are put back instead. */
  userId: UserId;
  before: { sessionId: SessionId; createdAt: Date } | null;
};

/** Lists the laps of `newLaps` that were recorded before, by another driver or in another file, with the driver. */
export async function listRecordedLaps(
  db: Database,
  { trackId, userId, before }: RecordedWhere,
  newLaps: readonly Pick<NewLap, 'positionsHash'>[],
): Promise<RecordedLaps> {
  const hashes = newLaps.flatMap(({ positionsHash }) => positionsHash ?? []);
  const { positionsHash } = laps;
  const rows = await db
    .selectDistinctOn([positionsHash], { positionsHash, userId: sessions.userId })
    .from(laps)
    .innerJoin(sessions, and(eq(sessions.trackId, laps.trackId), eq(sessions.id, laps.sessionId)))
    .where(
      and(
        eq(laps.trackId, trackId),
        inArray(positionsHash, hashes),
        or(ne(sessions.userId, userId), WOULD_RANK),
        before === null
          ? undefined
          : sql`(${sessions.createdAt}, ${sessions.id}) < (${before.createdAt.toISOString()}::timestamptz, ${before.sessionId}::uuid)`,
      ),
    )
    .orderBy(positionsHash, sessions.createdAt, sessions.id);
  return new Map(
    rows.flatMap((row) => (row.positionsHash === null ? [] : [[row.positionsHash, row.userId]])),
  );
}

/** Lists the storage keys of all lap files, and of those whose session may still be restored. */
export async function listStorageKeys(db: Database): Promise<Set<string>> {
  // One query: a key moves between the tables.
  const rows = await db
    .select({ storageKey: lapFiles.storageKey })
    .from(lapFiles)
    .unionAll(db.select({ storageKey: deletedSessions.storageKey }).from(deletedSessions));
  return new Set(rows.map(({ storageKey }) => storageKey));
}

/** Maps the storage key of each lap file to the hash of its bytes. */
export async function listLapFileHashes(db: Database): Promise<Map<string, string>> {
  const rows = await db.select({ key: lapFiles.storageKey, sha256: lapFiles.sha256 }).from(lapFiles);
  return new Map(rows.map(({ key, sha256 }) => [key, hashOfContent(sha256)]));
}

/** Sums the bytes of all lap files of a driver, as they were sent. */
export async function sumLapFileBytes(db: Database, userId: UserId): Promise<number> {
  const [row] = await db
    .select({ bytes: sql`coalesce(sum(${lapFiles.byteCount}), 0)`.mapWith(Number) })
    .from(lapFiles)
    .where(eq(lapFiles.userId, userId));
  return row?.bytes ?? 0;
}
