import { and, asc, eq, isNull } from 'drizzle-orm';
import type { UserCar } from '#contract/garage.ts';
import type { Database } from '#server/db/database.ts';
import { carModels, userCars } from '#server/db/schema.ts';

// Nobody has more cars; the list needs an end all the same.
const CARS_MAX = 1_000;

const columns = {
  id: userCars.id,
  make: carModels.make,
  modelDisplay: carModels.modelDisplay,
  generation: carModels.generation,
  modelKey: carModels.modelKey,
  years: carModels.years,
  nickname: userCars.nickname,
};

/** The cars in a garage, in the order in which they came. */
export async function listUserCars(db: Database, userId: string): Promise<UserCar[]> {
  const rows = await db
    .select(columns)
    .from(userCars)
    .innerJoin(carModels, eq(carModels.id, userCars.carModelId))
    .where(and(eq(userCars.userId, userId), isNull(userCars.retiredAt)))
    .orderBy(asc(userCars.createdAt), asc(userCars.id))
    .limit(CARS_MAX);
  return rows.map(withoutPhoto);
}

/** A car in the garage of `userId`; undefined where it stands elsewhere or has left. */
export async function findUserCar(
  db: Database,
  userId: string,
  userCarId: string,
): Promise<UserCar | undefined> {
  const [row] = await db
    .select(columns)
    .from(userCars)
    .innerJoin(carModels, eq(carModels.id, userCars.carModelId))
    .where(and(eq(userCars.id, userCarId), eq(userCars.userId, userId), isNull(userCars.retiredAt)));
  return row && withoutPhoto(row);
}

/** Puts a car into a garage and gives its id. */
export async function insertUserCar(
  db: Database,
  car: { userId: string; carModelId: string; nickname: string | null },
): Promise<string> {
  const [row] = await db.insert(userCars).values(car).returning({ id: userCars.id });
  if (!row) throw new Error('The car was not put into the garage.');
  return row.id;
}

/** Photos cannot be uploaded yet. */
function withoutPhoto(car: Omit<UserCar, 'photoUrl'>): UserCar {
  return { ...car, photoUrl: null };
}
