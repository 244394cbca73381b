import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { checkLeavesAnOwner } from '#server/model/people/role-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { carModels, userCars } from '#server/model/cars/schema.ts';
import { lapFiles, laps, sessions } from '#server/model/laps/schema.ts';
import { signIns, users } from '#server/model/people/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { removeLinesMadeFrom } from '#server/model/laps/reference-line-store.ts';
import { removeEventsOf } from '#server/model/events/event-store.ts';
import { listTokens } from '#server/model/people/api-token-store.ts';
import { describeNotice } from '#server/model/notices/describe-notice.ts';
import { listNotices, removeNoticesOf } from '#server/model/notices/notice-store.ts';
import { listDoubtsOf } from '#server/model/flags/question-store.ts';
import { changeDrivers } from '#server/model/boards/change-laps.ts';

// Exports leave out nothing that is theirs, so these lists have no other end than what one driver can have made.

// Far beyond what 90 days bring, after which notices are removed.
const NOTICES_MAX = 100_000;

// Who proposed a car is not the owner's business.
const { searchText: _searchText, proposedBy: _proposedBy, ...modelColumns } = getTableColumns(carModels);

/** Everything of a user but what grows with their driving. */
export async function getAccount(db: Database, userId: string) {
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
    doubts: await listDoubtsOf(db, userId),
    notices: (await listNotices(db, userId, { limit: NOTICES_MAX })).map(describeNotice),
    apiTokens: await listTokens(db, userId),
    proposedCars: await db
      .select(modelColumns)
      .from(carModels)
      .where(eq(carModels.proposedBy, userId))
      .orderBy(asc(carModels.proposedAt), asc(carModels.id)),
  };
}

export type OwnSession = Awaited<ReturnType<typeof listOwnSessions>>[number];

/** All sessions of a user with their tracks and lap files, oldest first. */
export async function listOwnSessions(db: Database, userId: string) {
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

/** The laps of one session in their order. */
export async function listLaps(db: Database, { trackId, id }: { trackId: string; id: string }) {
  const { id: lapId, number, lapTimeMs, uncertaintyMs, status, reasons, startedAt, sectorTimesMs } = laps;
  return await db
    .select({ id: lapId, number, lapTimeMs, uncertaintyMs, status, reasons, startedAt, sectorTimesMs })
    .from(laps)
    .where(sql`${laps.trackId} = ${trackId} AND ${laps.sessionId} = ${id}`)
    .orderBy(asc(number));
}

/** What a user had in the storage. */
export type AccountFiles = { storageKeys: string[]; imageKeys: string[] };

/**
 * Removes a user and everything that is theirs from the database, and from the boards at once.
 * What `alsoDo` does holds only if the removal does.
 * @throws AppError `conflict` for the last owner
 */
export async function removeAccount(
  db: Database,
  userId: string,
  alsoDo: (tx: Database) => Promise<void> = async () => {},
): Promise<AccountFiles> {
  return await db.transaction(async (tx) => {
    await checkLeavesAnOwner(tx, userId);
    await alsoDo(tx);
    return await changeDrivers(tx, [userId], () => removeRows(tx, userId));
  });
}

async function removeRows(tx: Database, userId: string): Promise<AccountFiles> {
  await removeNoticesOf(tx, [userId]);
  await removeEventsOf(tx, [userId]);
  await removeLinesMadeFrom(tx, eq(sessions.userId, userId));
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  const files = await tx
    .delete(lapFiles)
    .where(eq(lapFiles.userId, userId))
    .returning({ storageKey: lapFiles.storageKey });
  const cars = await tx
    .delete(userCars)
    .where(eq(userCars.userId, userId))
    .returning({ photoKey: userCars.photoKey });
  await removeUnusedProposals(tx, userId);
  const removed = await tx
    .delete(users)
    .where(eq(users.id, userId))
    .returning({ avatarKey: users.avatarKey });
  const imageKeys = [...removed.map(({ avatarKey }) => avatarKey), ...cars.map(({ photoKey }) => photoKey)];
  return {
    storageKeys: files.map(({ storageKey }) => storageKey),
    imageKeys: imageKeys.flatMap((key) => key ?? []),
  };
}

/** Cars that the user proposed stay where another driver has them, or had them, and where an administrator approved them. */
async function removeUnusedProposals(tx: Database, userId: string): Promise<void> {
  const isProposal = and(eq(carModels.proposedBy, userId), eq(carModels.status, 'community_submitted'));
  const isUsed = sql`EXISTS (SELECT FROM user_cars WHERE user_cars.car_model_id = car_models.id)`;
  await tx.delete(carModels).where(and(isProposal, sql`NOT ${isUsed}`));
}
