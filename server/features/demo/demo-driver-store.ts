import { and, eq, inArray } from 'drizzle-orm';
import type { UserCarId, UserId } from '#contract/ids.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { carModels, userCars } from '#server/model/cars/schema.ts';
import { insertUserCars } from '#server/model/cars/garage-store.ts';
import { findDemoForShare } from '#server/model/demo/demo-store.ts';
import { deletePeople } from '#server/model/people/delete-people.ts';
import { DEMO_ISSUER } from '#server/model/people/identity.ts';
import { insertDrivers } from '#server/model/people/user-store.ts';
import { lapFiles } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { deleteRaceEventsBy } from '#server/model/race-events/race-event-store.ts';
import { DEMO_MODERATOR } from './demo-drivers.ts';
import type { DemoPerson } from '#server/model/people/identity.ts';
import type { DemoDriver } from './season.ts';

export type StoredDriver = {
  userId: UserId;
  userCarId: UserCarId | null;
  /** These files have been uploaded. */
  fileNames: ReadonlySet<string>;
};

/** Adds the missing drivers with their cars, and returns all of them by their subjects. */
export async function keepDrivers(
  db: Database,
  drivers: readonly DemoDriver[],
): Promise<Map<string, StoredDriver>> {
  return await db.transaction(async (tx) => {
    // A removal waits for this transaction, or was done before it.
    if ((await findDemoForShare(tx))?.state !== 'preparing') return new Map();
    await insertDriversWithCars(tx, drivers);
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

/** Lists those of the drivers that exist. */
export async function listDrivers(db: Database, subjects: readonly string[]): Promise<DemoPerson[]> {
  const { subject, firstName, lastName } = users;
  const rows = await db
    .select({ subject, firstName, lastName })
    .from(users)
    .where(and(eq(users.issuer, DEMO_ISSUER), inArray(subject, [...subjects])))
    .orderBy(subject);
  return rows.map((row) => ({ ...row, firstName: row.firstName ?? '', lastName: row.lastName ?? '' }));
}

async function insertDriversWithCars(tx: Database, drivers: readonly DemoDriver[]): Promise<void> {
  const added = await insertDrivers(
    tx,
    drivers.map(({ subject, firstName, lastName }) => ({
      issuer: DEMO_ISSUER,
      subject,
      firstName,
      lastName,
      fullName: `${firstName} ${lastName}`,
      role: subject === DEMO_MODERATOR ? ('moderator' as const) : ('member' as const),
    })),
  );
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
  await insertUserCars(tx, cars);
}

export type RemovedDemo = { drivers: number; sessions: number; storageKeys: string[] };

/** Deletes the demo drivers with all their data from the database, and so from the boards at once; records who did it. */
export async function deleteDemoRows(db: Database, administratorId: UserId | null): Promise<RemovedDemo> {
  return await db.transaction(async (tx) => {
    const drivers = await tx.select({ id: users.id }).from(users).where(eq(users.issuer, DEMO_ISSUER));
    const userIds = drivers.map(({ id }) => id);
    await deleteRaceEventsBy(tx, userIds);
    const removed = await deletePeople(tx, userIds);
    const counts = { drivers: userIds.length, sessions: removed.sessionCount };
    await insertAuditEntry(tx, { userId: administratorId, action: 'remove-demo', counts });
    return { ...counts, storageKeys: removed.storageKeys };
  });
}
