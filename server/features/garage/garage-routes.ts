import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { UserCarId } from '#contract/ids.ts';
import { garageEndpoints, type UserCar } from '#contract/garage/schemas.ts';
import { imageEndpoints } from '#contract/images/schemas.ts';
import type { Viewer } from '#contract/people/labels.ts';
import { findCarModelByKey } from '#server/model/cars/car-store.ts';
import { finalizeUpload, deleteImage } from '#server/model/images/finalize-upload.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import {
  findCarOwner,
  findUserCar,
  insertUserCar,
  listUserCars,
  retireUserCar,
  setPhotoKey,
} from '#server/model/cars/garage-store.ts';
import { proposeCar } from './propose-car.ts';

export function mountGarageRoutes(app: FastifyInstance, services: Services): void {
  const { database, storage } = services;
  const { db } = database;

  serve(app, garageEndpoints.list, ({ viewer }) => listUserCars(db, viewer.id));

  serve(app, garageEndpoints.add, async ({ viewer, body }) => {
    const model = found(await findCarModelByKey(db, body.modelKey), garageEndpoints.add);
    const id = await insertUserCar(db, { userId: viewer.id, carModelId: model.id, nickname: body.nickname });
    return await getOwnCar(db, viewer, id);
  });

  serve(app, garageEndpoints.propose, async ({ viewer, body }) =>
    getOwnCar(db, viewer, await proposeCar(db, viewer.id, body)),
  );

  serve(app, garageEndpoints.retire, async ({ viewer, params }) => {
    await checkOwnCar(db, viewer, params.id);
    await deleteImage(storage, await retireUserCar(db, params.id));
    return { removed: true as const };
  });

  serve(app, imageEndpoints.setCarPhoto, async ({ viewer, params, body }) => {
    await checkOwnCar(db, viewer, params.id);
    const sent = { address: body.photoURL, userId: viewer.id, use: 'photo' } as const;
    await finalizeUpload(services, sent, (key) => setPhotoKey(db, params.id, key));
    return await getOwnCar(db, viewer, params.id);
  });

  serve(app, imageEndpoints.deleteCarPhoto, async ({ viewer, params }) => {
    await checkOwnCar(db, viewer, params.id);
    await deleteImage(storage, await setPhotoKey(db, params.id, null));
    return await getOwnCar(db, viewer, params.id);
  });
}

async function checkOwnCar(db: Database, viewer: Viewer, userCarId: UserCarId): Promise<void> {
  const ownerId = await findCarOwner(db, userCarId);
  if (ownerId === undefined) throw new AppError('not_found', 'There is no such car.');
  if (ownerId !== viewer.id) throw new AppError('not_allowed', 'This car is not in your garage.');
}

async function getOwnCar(db: Database, viewer: Viewer, userCarId: UserCarId): Promise<UserCar> {
  const car = await findUserCar(db, viewer.id, userCarId);
  if (!car) throw new AppError('not_found', 'This car has just left the garage.');
  return car;
}
