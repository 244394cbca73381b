import type { FastifyInstance } from 'fastify';
import { garageEndpoints } from '#contract/garage.ts';
import { findCarModelByKey } from '#server/cars/car-store.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { imageStorageKey } from '#server/images/image-key.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { removeUnnamed } from '#server/kernel/storage/storage-unavailable.ts';
import { findCarOwner, findUserCar, insertUserCar, listUserCars, retireUserCar } from './garage-store.ts';

export function mountGarageRoutes(
  app: FastifyInstance,
  { database: { db }, storage }: { database: OpenDatabase; storage: Storage },
): void {
  serve(app, garageEndpoints.list, ({ viewer }) => listUserCars(db, viewer.id));

  serve(app, garageEndpoints.add, async ({ viewer, body }) => {
    const model = await findCarModelByKey(db, body.modelKey);
    if (!model) throw new AppError('not_found', 'There is no such car in the library.');
    const id = await insertUserCar(db, { userId: viewer.id, carModelId: model.id, nickname: body.nickname });
    const car = await findUserCar(db, viewer.id, id);
    if (!car) throw new AppError('not_found', 'This car has just left the garage.');
    return car;
  });

  serve(app, garageEndpoints.retire, async ({ viewer, params }) => {
    const ownerId = await findCarOwner(db, params.id);
    if (ownerId === undefined) throw new AppError('not_found', 'There is no such car.');
    if (ownerId !== viewer.id) throw new AppError('not_allowed', 'This car is not in your garage.');
    const photoKey = await retireUserCar(db, params.id);
    if (photoKey !== null) await removeUnnamed(storage, imageStorageKey(photoKey));
    return { removed: true as const };
  });
}
