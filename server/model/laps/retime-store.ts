import { and, asc, eq, ne, notInArray, sql, getTableColumns } from 'drizzle-orm';
import type { SessionId, TrackId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { lapFiles, laps, sessions } from './schema.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { deleteIncompleteComparisons } from '#server/model/comparisons/saved-comparison-store.ts';
import type { TimedLapFile } from './timing/lap-tasks.ts';
import { isRankedByModerator, keepLap, leaveOut, rejectLap } from './leave-out.ts';
import { keepLapIds } from './keep-lap-ids.ts';
import { type NewLap, type NewSession, upsertLaps } from './lap-file-store.ts';

const SESSIONS_PER_PAGE = 200;

export type StoredSession = Awaited<ReturnType<typeof listSessionsToRetime>>[number];

/** Lists one page of the sessions of a track, or of all tracks, after the session `after`. */
export async function listSessionsToRetime(
  db: Database,
  trackId: TrackId | null,
  after: { trackId: TrackId; id: SessionId } | null,
) {
  const page = db
    .select({
      id: sessions.id,
      trackId: sessions.trackId,
      userId: sessions.userId,
      userCarId: sessions.userCarId,
      startedAt: sessions.startedAt,
      sessionDate: sessions.sessionDate,
      createdAt: sessions.createdAt,
      engineVersion: sessions.engineVersion,
      lapFileSha256: sessions.lapFileSha256,
    })
    .from(sessions)
    .where(
      and(
        trackId === null ? undefined : eq(sessions.trackId, trackId),
        after === null
          ? undefined
          : sql`(${sessions.trackId}, ${sessions.id}) > (${after.trackId}, ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(sessions.trackId), asc(sessions.id))
    .limit(SESSIONS_PER_PAGE)
    .as('page');
  return await db
    .select({
      id: page.id,
      trackId: page.trackId,
      userId: page.userId,
      userCarId: page.userCarId,
      startedAt: page.startedAt,
      sessionDate: page.sessionDate,
      createdAt: page.createdAt,
      engineVersion: page.engineVersion,
      lapFileSha256: page.lapFileSha256,
      storageKey: lapFiles.storageKey,
      fileName: lapFiles.fileName,
    })
    .from(page)
    .innerJoin(lapFiles, eq(lapFiles.sha256, page.lapFileSha256))
    .orderBy(asc(page.trackId), asc(page.id));
}

/** Describes a lap that an earlier engine has timed; its reasons may be unknown to the current engine. */
export type StoredLap = Omit<NewLap, 'reasons'> & { reasons: string[] };

export async function listStoredLaps(
  db: Database,
  { trackId, id }: { trackId: TrackId; id: SessionId },
): Promise<StoredLap[]> {
  const { trackId: _trackId, sessionId: _sessionId, ...columns } = getTableColumns(laps);
  return await db
    .select(columns)
    .from(laps)
    .where(and(eq(laps.trackId, trackId), eq(laps.sessionId, id)))
    .orderBy(asc(laps.number));
}

type Retimed = Pick<
  NewSession,
  'startedAt' | 'sessionDate' | 'gpsRateHz' | 'droppedCounts' | 'engineVersion'
>;

/**
 * Replaces the laps of a session, which the board shows at once; those that are still the same drive keep their ids,
 * and stay left out where their driver has chosen that. Returns false where the session has been removed.
 */
export async function replaceLaps(
  db: Database,
  session: StoredSession,
  retimed: Retimed,
  newLaps: readonly NewLap[],
): Promise<boolean> {
  const { trackId, userId, id } = session;
  return await db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [userId], recorded: 'removals' }, async () => {
      const isOfSession = and(eq(sessions.trackId, trackId), eq(sessions.id, id));
      const [stored] = await tx.select({ startedAt: sessions.startedAt }).from(sessions).where(isOfSession);
      if (!stored) return false;
      await tx
        .update(sessions)
        .set({ ...retimed, rulesVersion: 0 })
        .where(isOfSession);
      const before = { ...stored, laps: await listStoredLaps(tx, session) };
      const kept = keepWishesAndVerdicts(
        before.laps,
        keepLapIds(before, { startedAt: retimed.startedAt, laps: newLaps }),
      );
      await deleteOtherLaps(tx, session, kept);
      await upsertLaps(tx, { trackId, sessionId: id }, kept);
      return true;
    }),
  );
}

function keepWishesAndVerdicts(before: readonly StoredLap[], after: readonly NewLap[]): NewLap[] {
  const leftOut = new Set(before.filter((lap) => lap.leftOutStatus).map((lap) => lap.id));
  const rejected = new Set(before.filter((lap) => lap.rejectedStatus).map((lap) => lap.id));
  const ranked = new Set(before.filter(isRankedByModerator).map((lap) => lap.id));
  const withVerdicts = after.map((lap) => {
    if (rejected.has(lap.id)) return rejectLap(lap);
    return ranked.has(lap.id) ? keepLap(lap) : lap;
  });
  return withVerdicts.map((lap) => (leftOut.has(lap.id) ? leaveOut(lap) : lap));
}

/** Removes the laps of a session that are not among `kept`, and frees the numbers of those that are. */
async function deleteOtherLaps(
  db: Database,
  { trackId, id }: StoredSession,
  kept: readonly NewLap[],
): Promise<void> {
  const isOfSession = and(eq(laps.trackId, trackId), eq(laps.sessionId, id));
  const keptIds = kept.map((lap) => lap.id);
  await db.delete(laps).where(and(isOfSession, notInArray(laps.id, keptIds)));
  await deleteIncompleteComparisons(db, [trackId]);
  // Numbers are unique at every moment, and laps may swap theirs.
  await db
    .update(laps)
    .set({ number: sql`-${laps.number}` })
    .where(isOfSession);
}

/** Records that the current engine has timed the same laps, and the hashes that identify their copies. */
export async function confirmLaps(
  db: Database,
  { trackId, id }: StoredSession,
  engineVersion: string,
  confirmed: readonly NewLap[],
): Promise<void> {
  const numbers = confirmed.map(({ number }) => number);
  const hashes = confirmed.map(({ positionsHash }) => positionsHash);
  await db.transaction(async (tx) => {
    await tx
      .update(sessions)
      .set({ engineVersion })
      .where(and(eq(sessions.trackId, trackId), eq(sessions.id, id)));
    await tx.execute(sql`
      UPDATE laps SET positions_hash = known.hash
      FROM unnest(${sql.param(numbers)}::int[], ${sql.param(hashes)}::text[]) AS known (number, hash)
      WHERE laps.track_id = ${trackId} AND laps.session_id = ${id} AND laps.number = known.number
        AND laps.positions_hash IS DISTINCT FROM known.hash`);
  });
}

/** Records the hashes of a lap file. The hash of all positions is unique, so old copies do not get it. */
export async function recordHashes(
  db: Database,
  { lapFileSha256: sha256 }: StoredSession,
  { positionsHash, roundedHashes }: Pick<TimedLapFile, 'positionsHash' | 'roundedHashes'>,
): Promise<void> {
  await db
    .update(lapFiles)
    .set({ roundedHashes })
    .where(and(eq(lapFiles.sha256, sha256), ne(lapFiles.roundedHashes, roundedHashes)));
  await db.execute(sql`
    UPDATE lap_files SET positions_hash = ${positionsHash}
    WHERE sha256 = ${sha256} AND positions_hash IS DISTINCT FROM ${positionsHash}
      AND NOT EXISTS (SELECT FROM lap_files AS other WHERE other.positions_hash = ${positionsHash})`);
}
