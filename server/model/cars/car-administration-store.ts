import { and, asc, desc, eq, getTableColumns, like, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { CarModelId, UserId } from '#contract/ids.ts';
import type { AdministeredCar } from '#contract/cars/administration.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import { escapePattern } from './car-store.ts';
import { splitSearchWords } from './search-text.ts';
import { lockCarModel } from './garage-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { PERSON_NAME } from '#server/model/people/driver-name.ts';
import { carModels, userCars } from './schema.ts';
import { users } from '#server/model/people/schema.ts';

type Search = { q: string; status?: CarModel['status'] | undefined; limit: number; offset: number };

const { searchText: _searchText, proposedBy: _proposedBy, ...shownColumns } = getTableColumns(carModels);

/** Lists a page of the cars whose names contain every word of `q`, with the total count. */
export async function listAdministeredCars(
  db: Database,
  { q, status, limit, offset }: Search,
): Promise<{ cars: AdministeredCar[]; total: number }> {
  const { searchText, modelDisplay, years, modelKey, proposedAt, proposedBy } = carModels;
  const condition = and(
    status === undefined ? undefined : eq(carModels.status, status),
    ...splitSearchWords(q).map((word) => like(searchText, `%${escapePattern(word)}%`)),
  );
  const rows = await db
    .select({
      ...shownColumns,
      garageCount: sql`(SELECT count(*) FROM user_cars WHERE car_model_id = car_models.id)`.mapWith(Number),
      proposedByName: readAs(z.string().nullable(), sql.raw(PERSON_NAME)),
    })
    .from(carModels)
    .leftJoin(users, eq(users.id, proposedBy))
    .where(condition)
    .orderBy(
      // Proposals are what there is to do.
      sql`${carModels.status} = 'official'`,
      desc(sql`CASE WHEN ${carModels.status} = 'official' THEN NULL ELSE ${proposedAt} END`),
      asc(modelDisplay),
      asc(years),
      asc(modelKey),
    )
    .limit(limit)
    .offset(offset);
  const cars = rows.map((row) => ({ ...row, proposedAt: row.proposedAt?.toISOString() ?? null }));
  return { cars, total: await db.$count(carModels, condition) };
}

export async function findCarModelForUpdate(
  tx: Database,
  carModelId: CarModelId,
): Promise<typeof carModels.$inferSelect | undefined> {
  await lockCarModel(tx, carModelId, 'update');
  const [row] = await tx.select().from(carModels).where(eq(carModels.id, carModelId));
  return row;
}

export async function markOfficial(tx: Database, carModelId: CarModelId): Promise<void> {
  await tx.update(carModels).set({ status: 'official' }).where(eq(carModels.id, carModelId));
}

/** Lists the users who have, or had, a car of this model. */
export async function listOwners(db: Database, carModelId: CarModelId): Promise<UserId[]> {
  const rows = await db
    .selectDistinct({ userId: userCars.userId })
    .from(userCars)
    .where(eq(userCars.carModelId, carModelId));
  return rows.map(({ userId }) => userId);
}

/** Makes every car of one model a car of another one and deletes the former model; gives how many cars there were. */
export async function replaceCarModel(
  tx: Database,
  { from, into }: { from: CarModelId; into: CarModelId },
): Promise<number> {
  const moved = await tx
    .update(userCars)
    .set({ carModelId: into })
    .where(eq(userCars.carModelId, from))
    .returning({ id: userCars.id });
  await tx.delete(carModels).where(eq(carModels.id, from));
  return moved.length;
}
