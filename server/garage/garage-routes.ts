import type { FastifyInstance } from 'fastify';
import { garageEndpoints } from '#contract/garage.ts';
import { findCarModelByKey } from '#server/cars/car-store.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { serve } from '#server/endpoints.ts';
import { AppError } from '#server/errors.ts';
import { findUserCar, insertUserCar, listUserCars } from './garage-store.ts';

export function mountGarageRoutes(app: FastifyInstance, { db }: OpenDatabase): void {
  serve(app, garageEndpoints.list, ({ viewer }) => listUserCars(db, viewer.id));

  serve(app, garageEndpoints.add, async ({ viewer, body }) => {
    const model = await findCarModelByKey(db, body.modelKey);
    if (!model) throw new AppError('not_found', 'There is no such car in the library.');
    const id = await insertUserCar(db, { userId: viewer.id, carModelId: model.id, nickname: body.nickname });
    const car = await findUserCar(db, viewer.id, id);
    if (!car) throw new AppError('not_found', 'This car has just left the garage.');
    return car;
  });
}
