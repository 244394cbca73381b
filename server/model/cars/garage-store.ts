import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { appendGeneration } from '#contract/cars/names.ts';
import type { CarModelId, UserCarId, UserId } from '#contract/ids.ts';
import type { UserCar } from '#contract/garage/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { carModels, userCars } from './schema.ts';
import { AppError } from '#server/kernel/errors.ts';

const columns = {
  id: userCars.id,
  make: carModels.make,
  modelDisplay: carModels.modelDisplay,
  generation: carModels.generation,
  modelKey: carModels.modelKey,
  years: carModels.years,
  status: carModels.status,
  nickname: userCars.nickname,
  photoUrl: readAs(z.string().nullable(), sql`'/api/images/' || ${userCars.photoKey}`),
};

/** Lists the cars in a garage in the order in which they were added. */
export async function listUserCars(db: Database, userId: UserId): Promise<UserCar[]> {
  return await db
    .select(columns)
    .from(userCars)
    .innerJoin(carModels, eq(carModels.id, userCars.carModelId))
    .where(and(eq(userCars.userId, userId), isNull(userCars.retiredAt)))
    .orderBy(asc(userCars.createdAt), asc(userCars.id))
    .limit(LIMITS.carsPerGarageMax);
}

/** Finds a car in the garage of `userId`; undefined where it is in another garage or was removed. */
export async function findUserCar(
  db: Database,
  userId: UserId,
  userCarId: UserCarId,
): Promise<UserCar | undefined> {
  const [row] = await db
    .select(columns)
    .from(userCars)
    .innerJoin(carModels, eq(carModels.id, userCars.carModelId))
    .where(and(eq(userCars.id, userCarId), eq(userCars.userId, userId), isNull(userCars.retiredAt)));
  return row;
}

/** Finds the name of a car's model; null where the car is unknown. */
export async function findCarName(db: Database, userCarId: UserCarId | null): Promise<string | null> {
  if (userCarId === null) return null;
  const { modelDisplay, generation } = carModels;
  const [row] = await db
    .select({ modelDisplay, generation })
    .from(userCars)
    .innerJoin(carModels, eq(carModels.id, userCars.carModelId))
    .where(eq(userCars.id, userCarId));
  return row ? appendGeneration(row.modelDisplay, row.generation) : null;
}

/** Locks a garage until the end of the transaction, so that additions of cars run one after the other. */
export async function lockGarage(tx: Database, userId: UserId): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`garage of ${userId}`}, 0))`);
}

/**
 * Locks a car model until the end of the transaction. 'share' lets other transactions add it to garages, and 'update' locks all
 * of them out. It is an advisory lock and locks no row (docs/decisions/0023).
 */
export async function lockCarModel(
  tx: Database,
  carModelId: CarModelId,
  strength: 'share' | 'update',
): Promise<void> {
  const lock = sql.raw(strength === 'share' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await tx.execute(sql`SELECT ${lock}(hashtextextended(${`car model ${carModelId}`}, 0))`);
}

/** Adds a car and returns its id. @throws AppError `conflict` for a full garage, `not_found` for a merged model */
export async function insertUserCar(
  db: Database,
  car: { userId: UserId; carModelId: CarModelId; nickname: string | null },
): Promise<UserCarId> {
  return await db.transaction(async (tx) => {
    await lockGarage(tx, car.userId);
    await lockCarModel(tx, car.carModelId, 'share');
    const isModel = eq(carModels.id, car.carModelId);
    const [model] = await tx.select({ id: carModels.id }).from(carModels).where(isModel);
    if (!model) throw new AppError('not_found', 'There is no such car in the library.');
    const isInGarage = and(eq(userCars.userId, car.userId), isNull(userCars.retiredAt));
    if ((await tx.$count(userCars, isInGarage)) >= LIMITS.carsPerGarageMax) {
      const sentence = `A garage may hold ${LIMITS.carsPerGarageMax} cars at most. Remove one first.`;
      throw new AppError('conflict', sentence);
    }
    const [row] = await tx.insert(userCars).values(car).returning({ id: userCars.id });
    if (!row) throw new Error('The car was not put into the garage.');
    return row.id;
  });
}

/** Finds the owner of a car; undefined where it was removed. */
export async function findCarOwner(db: Database, userCarId: UserCarId): Promise<UserId | undefined> {
  const [row] = await db
    .select({ userId: userCars.userId })
    .from(userCars)
    .where(and(eq(userCars.id, userCarId), isNull(userCars.retiredAt)));
  return row?.userId;
}

/** Replaces or removes the photo of a car; returns the key of the previous photo. */
export async function setPhotoKey(
  db: Database,
  userCarId: UserCarId,
  photoKey: string | null,
): Promise<string | null> {
  return await changeCar(db, userCarId, { photoKey });
}

export async function retireUserCar(db: Database, userCarId: UserCarId): Promise<string | null> {
  return await changeCar(db, userCarId, { photoKey: null, retiredAt: new Date() });
}

async function changeCar(
  db: Database,
  userCarId: UserCarId,
  change: { photoKey: string | null; retiredAt?: Date },
): Promise<string | null> {
  return await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ photoKey: userCars.photoKey })
      .from(userCars)
      .where(and(eq(userCars.id, userCarId), isNull(userCars.retiredAt)))
      .for('update');
    if (!before) throw new AppError('not_found', 'This car has just left the garage.');
    await tx.update(userCars).set(change).where(eq(userCars.id, userCarId));
    return before.photoKey;
  });
}

/** Adds one car to each of several garages, without the checks of `insertUserCar`. */
export async function insertUserCars(
  tx: Database,
  cars: readonly { userId: UserId; carModelId: CarModelId }[],
): Promise<void> {
  if (cars.length > 0) await tx.insert(userCars).values([...cars]);
}

export async function deleteUserCars(tx: Database, userIds: readonly UserId[]): Promise<string[]> {
  const cars = await tx
    .delete(userCars)
    .where(inArray(userCars.userId, [...userIds]))
    .returning({ photoKey: userCars.photoKey });
  return cars.flatMap(({ photoKey }) => photoKey ?? []);
}

export async function deleteUnusedProposals(tx: Database, userIds: readonly UserId[]): Promise<void> {
  const isProposal = and(
    inArray(carModels.proposedBy, [...userIds]),
    eq(carModels.status, 'community_submitted'),
  );
  const isUsed = sql`EXISTS (SELECT FROM user_cars WHERE user_cars.car_model_id = car_models.id)`;
  await tx.delete(carModels).where(and(isProposal, sql`NOT ${isUsed}`));
}

/** Checks that a car is in the garage of a user. @throws AppError `not_allowed` */
export async function requireOwnCar(db: Database, userId: UserId, userCarId: UserCarId): Promise<void> {
  if (!(await findUserCar(db, userId, userCarId)))
    throw new AppError('not_allowed', 'This car is not in your garage.');
}
