import { z } from 'zod';
import { carModelIdSchema } from '#contract/ids.ts';
import { searchQuery } from '#contract/lists.ts';
import { nullableText } from '#contract/values.ts';
import { carModelSchema } from './schemas.ts';
import { endpoint } from '#contract/endpoint.ts';

const administeredCarSchema = carModelSchema.extend({
  garageCount: z.int().meta({ description: 'In how many garages it is or was.', examples: [3] }),
  proposedByName: nullableText.meta({
    description: 'Who proposed it; null for other cars, and where the account is gone.',
    examples: ['Theo Okafor'],
  }),
  proposedAt: nullableText.meta({ description: 'ISO 8601, UTC.' }),
});

export type AdministeredCar = z.infer<typeof administeredCarSchema>;

const carParams = z.object({ carId: carModelIdSchema });

const errors = {
  not_found: 'There is no such car.',
  conflict: 'The car is not a proposal, or no longer.',
};

export const carAdministrationEndpoints = {
  listCars: endpoint({
    method: 'GET',
    path: '/api/admin/cars',
    access: 'admin',
    summary: 'Cars of the library, proposals first, latest first; then in alphabetical order.',
    query: searchQuery.extend({ status: carModelSchema.shape.status.optional() }),
    response: z.object({ cars: z.array(administeredCarSchema), total: z.int() }),
  }),
  approveCar: endpoint({
    method: 'POST',
    path: '/api/admin/cars/:carId/approve',
    access: 'admin',
    audit: 'approve-car',
    summary: 'Makes a car that a driver proposed an official car of the library.',
    params: carParams,
    response: carModelSchema,
    errors,
  }),
  mergeCar: endpoint({
    method: 'POST',
    path: '/api/admin/cars/:carId/merge',
    access: 'admin',
    audit: 'merge-cars',
    summary: 'Replaces a proposed car by another one in all garages and on all boards, and deletes it.',
    params: carParams,
    body: z.object({ intoCarId: carModelIdSchema.meta({ description: 'Of the car that stays.' }) }),
    response: z.object({
      car: carModelSchema,
      movedCars: z.int().meta({ description: 'Cars in garages that are now this one.', examples: [3] }),
    }),
    errors,
  }),
};
