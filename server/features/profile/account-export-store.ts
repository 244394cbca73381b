import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { SessionId, TrackId, UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { carModels, userCars } from '#server/model/cars/schema.ts';
import { lapFiles, laps, sessions } from '#server/model/laps/schema.ts';
import { signIns, users } from '#server/model/people/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { listComparisons } from '#server/model/comparisons/saved-comparison-store.ts';
import { listTokens } from '#server/model/people/api-token-store.ts';
import { describeNotice } from '#server/model/notices/describe-notice.ts';
import { listNotices } from '#server/model/notices/notice-store.ts';
import { listEntriesOf } from '#server/model/race-events/entry-store.ts';
import { listRefusedFilesOf } from '#server/model/refused-files/refused-file-store.ts';
import { listDoubtsAboutUser } from '#server/model/flags/question-store.ts';

// Exports are complete, so the only limit of these lists is the number of entries that one driver can make.

// Notices are pruned after 90 days, in which no driver gets this many.
const NOTICES_MAX = 100_000;

// The proposer of a car is private, also from the owner of the user car.
const { searchText: _searchText, proposedBy: _proposedBy, ...modelColumns } = getTableColumns(carModels);

/** Reads all data of a user except those that grow with their driving. */
export async function getAccount(db: Database, userId: UserId) {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  const { createdAt, expiresAt } = signIns;
  return {
    user,
    signIns: await db.select({ createdAt, expiresAt }).from(signIns).where(eq(signIns.userId, userId)),
    cars: await db
      .select({ car: userCars, model: modelColumns })
      .from(userCars)
      .innerJoin(carModels, eq(carModels.id, userCars.carModelId))
      .where(eq(userCars.userId, userId))
      .orderBy(asc(userCars.createdAt), asc(userCars.id)),
    doubts: await listDoubtsAboutUser(db, userId),
    notices: (await listNotices(db, userId, { limit: NOTICES_MAX })).map(describeNotice),
    apiTokens: await listTokens(db, userId),
    savedComparisons: await listComparisons(db, userId),
    raceEventEntries: await listEntriesOf(db, userId),
    refusedFiles: await listRefusedFilesOf(db, userId),
    proposedCars: await db
      .select(modelColumns)
      .from(carModels)
      .where(eq(carModels.proposedBy, userId))
      .orderBy(asc(carModels.proposedAt), asc(carModels.id)),
  };
}

export type OwnSession = Awaited<ReturnType<typeof listOwnSessions>>[number];

/** Lists all sessions of a user with their tracks and lap files, oldest first. */
export async function listOwnSessions(db: Database, userId: UserId) {
  const driven = await db
    .select({ session: sessions, trackName: tracks.name })
    .from(sessions)
    .innerJoin(tracks, eq(tracks.id, sessions.trackId))
    .where(eq(sessions.userId, userId))
    .orderBy(asc(sessions.startedAt), asc(sessions.id));
  const files = await db.select().from(lapFiles).where(eq(lapFiles.userId, userId));
  const bySha256 = new Map(files.map((file) => [file.sha256, file]));
  return driven.flatMap((row) => {
    const lapFile = bySha256.get(row.session.lapFileSha256);
    return lapFile ? [{ ...row, lapFile }] : [];
  });
}

/** Lists the laps of one session in their order. */
export async function listLaps(db: Database, { trackId, id }: { trackId: TrackId; id: SessionId }) {
  const { id: lapId, number, lapTimeMs, uncertaintyMs, status, reasons, startedAt, sectorTimesMs } = laps;
  return await db
    .select({ id: lapId, number, lapTimeMs, uncertaintyMs, status, reasons, startedAt, sectorTimesMs })
    .from(laps)
    .where(sql`${laps.trackId} = ${trackId} AND ${laps.sessionId} = ${id}`)
    .orderBy(asc(number));
}
