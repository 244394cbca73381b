import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { carAdministrationEndpoints } from '#contract/cars/administration.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { listAdministeredCars } from '#server/model/cars/car-administration-store.ts';
import { approveCar, mergeCar } from './review-proposed-cars.ts';

export function mountCarAdministrationRoutes(app: FastifyInstance, { database: { db } }: Services): void {
  serve(app, carAdministrationEndpoints.listCars, ({ query }) => listAdministeredCars(db, query));

  serve(app, carAdministrationEndpoints.approveCar, ({ viewer, params }) =>
    approveCar(db, viewer.id, params.carId),
  );

  serve(app, carAdministrationEndpoints.mergeCar, ({ viewer, params, body }) =>
    mergeCar(db, viewer.id, { ...params, ...body }),
  );
}
