import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';

/** An entry of the car library. */
export const carModelSchema = z.object({
  id: z.string(),
  make: z.string().meta({ examples: ['Mazda'] }),
  modelFamily: z.string().meta({ examples: ['MX-5'] }),
  variant: z.string().meta({ examples: ['1.8'] }),
  generation: z.string().meta({ examples: ['NB'] }),
  modelKey: z.string().meta({ examples: ['mazda-mx-5-nb-1-8'] }),
  modelDisplay: z.string().meta({ examples: ['MX-5 1.8'] }),
  years: z
    .string()
    .nullable()
    .meta({ examples: ['1998-2005'] }),
  drivetrain: z
    .string()
    .nullable()
    .meta({ examples: ['RWD'] }),
  raceClass: z
    .string()
    .nullable()
    .meta({ examples: ['Roadster'] }),
});

export type CarModel = z.infer<typeof carModelSchema>;

const name = z.string().min(1).max(200);
const names = z.array(z.string()).meta({ description: 'In alphabetical order.' });

export const carEndpoints = {
  makes: endpoint({
    method: 'GET',
    path: '/api/car-library/makes',
    access: 'public',
    summary: 'All makes.',
    response: names,
  }),
  modelFamilies: endpoint({
    method: 'GET',
    path: '/api/car-library/model-families',
    access: 'public',
    summary: 'The model families of a make.',
    query: z.object({ make: name }),
    response: names,
  }),
  variants: endpoint({
    method: 'GET',
    path: '/api/car-library/variants',
    access: 'public',
    summary: 'The variants of a model family.',
    query: z.object({ make: name, modelFamily: name }),
    response: names,
  }),
  generations: endpoint({
    method: 'GET',
    path: '/api/car-library/generations',
    access: 'public',
    summary: 'The generations of a variant.',
    query: z.object({ make: name, modelFamily: name, variant: name }),
    response: names,
  }),
  raceClasses: endpoint({
    method: 'GET',
    path: '/api/car-library/race-classes',
    access: 'public',
    summary: 'All race classes.',
    response: names,
  }),
  drivetrains: endpoint({
    method: 'GET',
    path: '/api/car-library/drivetrains',
    access: 'public',
    summary: 'All drivetrains.',
    response: names,
  }),
  exactMatch: endpoint({
    method: 'GET',
    path: '/api/car-library/exact-match',
    access: 'public',
    summary: 'The one car model with these four names.',
    query: z.object({ make: name, modelFamily: name, variant: name, generation: name }),
    response: carModelSchema,
    errors: { not_found: 'There is no such car in the library.' },
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/car-library/search',
    access: 'public',
    summary: 'Car models that contain every word of the query.',
    query: z.object({
      q: z
        .string()
        .trim()
        .min(LIMITS.carSearchCharactersMin)
        .max(100)
        .meta({ examples: ['mx-5'] }),
    }),
    response: z.array(carModelSchema),
  }),
};
