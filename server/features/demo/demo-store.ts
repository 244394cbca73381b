import { and, eq, inArray, ne } from 'drizzle-orm';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { carModels, userCars } from '#server/model/cars/schema.ts';
import { DEMO_ISSUER } from '#server/model/people/identity.ts';
import { demoCommunity } from '#server/model/demo/schema.ts';
import { lapFiles, sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { removeLinesMadeFrom } from '#server/model/laps/reference-line-store.ts';
import { removeEventsOf } from '#server/model/events/event-store.ts';
import { removeNoticesOf } from '#server/model/notices/notice-store.ts';
import { changeDrivers } from '#server/model/boards/change-laps.ts';
import { DEMO_MODERATOR } from './demo-drivers.ts';
import type { DemoDriver, DemoPerson } from './season.ts';

export type DemoRow = typeof demoCommunity.$inferSelect;

/** What has become of the demo community; undefined where there never was one. */
export async function findDemo(db: Database): Promise<DemoRow | undefined> {
  const [row] = await db.select().from(demoCommunity);
  return row;
}

/** Begins a demo community in a database without laps; elsewhere nothing happens. */
export async function beginDemo(db: Database, beganAt: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [driven] = await tx.select({ id: sessions.id }).from(sessions).limit(1);
    if (driven) return;
    await tx.insert(demoCommunity).values({ state: 'preparing', beganAt }).onConflictDoNothing();
  });
}

/** Notes that every demo driver has driven; false where the community was removed meanwhile. */
export async function finishDemo(db: Database): Promise<boolean> {
  const rows = await db
    .update(demoCommunity)
    .set({ state: 'ready' })
    .where(ne(demoCommunity.state, 'removed'))
    .returning({ state: demoCommunity.state });
  return rows.length > 0;
}

/** A demo driver as the database knows them. */
export type StoredDriver = {
  userId: string;
  userCarId: string | null;
  /** Names of the files that have been uploaded. */
  fileNames: ReadonlySet<string>;
};

/** Adds the drivers with their cars, as far as they are not there, and gives all of them by their subjects. */
export async function keepDrivers(
  db: Database,
  drivers: readonly DemoDriver[],
): Promise<Map<string, StoredDriver>> {
  return await db.transaction(async (tx) => {
    // A removal waits for this transaction, or was done before it.
    const [row] = await tx.select().from(demoCommunity).for('share');
    if (row?.state !== 'preparing') return new Map();
    await insertDrivers(tx, drivers);
    const rows = await tx
      .select({ subject: users.subject, userId: users.id, userCarId: userCars.id })
      .from(users)
      .leftJoin(userCars, eq(userCars.userId, users.id))
      .where(eq(users.issuer, DEMO_ISSUER));
    const files = await tx
      .select({ userId: lapFiles.userId, fileName: lapFiles.fileName })
      .from(lapFiles)
      .innerJoin(users, eq(users.id, lapFiles.userId))
      .where(eq(users.issuer, DEMO_ISSUER));
    return new Map(
      rows.map(({ subject, userId, userCarId }) => {
        const own = files.filter((file) => file.userId === userId);
        return [subject, { userId, userCarId, fileNames: new Set(own.map(({ fileName }) => fileName)) }];
      }),
    );
  });
}

/** Those of the drivers who are there. */
export async function listDrivers(db: Database, subjects: readonly string[]): Promise<DemoPerson[]> {
  const { subject, firstName, lastName } = users;
  const rows = await db
    .select({ subject, firstName, lastName })
    .from(users)
    .where(and(eq(users.issuer, DEMO_ISSUER), inArray(subject, [...subjects])))
    .orderBy(subject);
  return rows.map((row) => ({ ...row, firstName: row.firstName ?? '', lastName: row.lastName ?? '' }));
}

async function insertDrivers(tx: Database, drivers: readonly DemoDriver[]): Promise<void> {
  const added = await tx
    .insert(users)
    .values(
      drivers.map(({ subject, firstName, lastName }) => ({
        issuer: DEMO_ISSUER,
        subject,
        firstName,
        lastName,
        fullName: `${firstName} ${lastName}`,
        role: subject === DEMO_MODERATOR ? ('moderator' as const) : ('member' as const),
      })),
    )
    .onConflictDoNothing()
    .returning({ id: users.id, subject: users.subject });
  if (added.length === 0) return;
  const modelKeys = new Map(drivers.map(({ subject, car }) => [subject, car.modelKey]));
  const models = await tx
    .select({ id: carModels.id, modelKey: carModels.modelKey })
    .from(carModels)
    .where(inArray(carModels.modelKey, [...modelKeys.values()]));
  const modelIds = new Map(models.map(({ id, modelKey }) => [modelKey, id]));
  const cars = added.flatMap(({ id: userId, subject }) => {
    const carModelId = modelIds.get(modelKeys.get(subject) ?? '');
    return carModelId === undefined ? [] : [{ userId, carModelId }];
  });
  if (cars.length > 0) await tx.insert(userCars).values(cars);
}

export type RemovedDemo = { drivers: number; sessions: number; storageKeys: string[] };

/** From now on nothing is added to the community, and no start brings it back; false where there is none to remove. */
export async function markDemoRemoved(db: Database): Promise<boolean> {
  const rows = await db
    .update(demoCommunity)
    .set({ state: 'removed' })
    .where(ne(demoCommunity.state, 'removed'))
    .returning({ state: demoCommunity.state });
  return rows.length > 0;
}

/** Removes the demo drivers with everything of theirs from the database, and from the boards at once; notes who did it. */
export async function removeDemoRows(db: Database, administratorId: string | null): Promise<RemovedDemo> {
  return await db.transaction(async (tx) => {
    const drivers = await tx.select({ id: users.id }).from(users).where(eq(users.issuer, DEMO_ISSUER));
    const userIds = drivers.map(({ id }) => id);
    const removed = await changeDrivers(tx, userIds, () => removeDrivers(tx, userIds));
    const counts = { drivers: userIds.length, sessions: removed.sessions };
    await insertAuditEntry(tx, { userId: administratorId, action: 'remove-demo', counts });
    return { ...counts, storageKeys: removed.storageKeys };
  });
}

async function removeDrivers(tx: Database, userIds: string[]) {
  await removeNoticesOf(tx, userIds);
  await removeEventsOf(tx, userIds);
  await removeLinesMadeFrom(tx, inArray(sessions.userId, userIds));
  const driven = await tx
    .delete(sessions)
    .where(inArray(sessions.userId, userIds))
    .returning({ id: sessions.id });
  const files = await tx
    .delete(lapFiles)
    .where(inArray(lapFiles.userId, userIds))
    .returning({ storageKey: lapFiles.storageKey });
  await tx.delete(userCars).where(inArray(userCars.userId, userIds));
  await tx.delete(users).where(inArray(users.id, userIds));
  return { sessions: driven.length, storageKeys: files.map(({ storageKey }) => storageKey) };
}
