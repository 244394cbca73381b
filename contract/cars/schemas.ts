import { z } from 'zod';
import { carModelIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { VISIBLE_NAME } from '#contract/names.ts';
import { nullableText } from '#contract/values.ts';

export const carModelSchema = z.object({
  id: carModelIdSchema,
  make: z.string().meta({ examples: ['Mazda'] }),
  modelFamily: z.string().meta({ examples: ['MX-5'] }),
  variant: z.string().meta({ examples: ['1.8'] }),
  generation: z.string().meta({ examples: ['NB'] }),
  modelKey: z.string().meta({ examples: ['mazda-mx-5-nb-1-8'] }),
  modelDisplay: z.string().meta({ examples: ['MX-5 1.8'] }),
  years: nullableText.meta({ examples: ['1998-2005'] }),
  drivetrain: nullableText.meta({ examples: ['RWD'] }),
  raceClass: nullableText.meta({ examples: ['Roadster'] }),
  status: z.enum(['official', 'community_submitted']).meta({
    description: 'Proposed by a driver it is `community_submitted` until an administrator approves it.',
  }),
});

export type CarModel = z.infer<typeof carModelSchema>;

/** A name that a driver enters and others see. */
export const proposedName = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.proposedNameCharactersMax)
  .regex(/[\p{L}\p{N}]/u, 'It needs a letter or a digit.')
  .regex(VISIBLE_NAME, 'It must be plain text on one line.');

const FIRST_CAR_YEAR = 1885;
const LAST_CAR_YEAR = 2100;

export const carProposalSchema = z.object({
  make: proposedName.meta({ examples: ['Mazda'] }),
  modelFamily: proposedName.meta({ examples: ['MX-5'] }),
  variant: proposedName.meta({ examples: ['1.8'] }),
  generation: proposedName
    .nullable()
    .default(null)
    .meta({ examples: ['NB'] }),
  years: z
    .string()
    .trim()
    .regex(/^\d{4}(-(\d{4}|present))?$/, 'Write it as 1998, 1998-2005 or 1998-present.')
    .refine(areYears, `It must go forward, between ${FIRST_CAR_YEAR} and ${LAST_CAR_YEAR}.`)
    .nullable()
    .default(null)
    .meta({ examples: ['1998-2005'] }),
  drivetrain: proposedName
    .nullable()
    .default(null)
    .meta({ description: 'One that the library has.', examples: ['RWD'] }),
  raceClass: proposedName
    .nullable()
    .default(null)
    .meta({ description: 'One that the library has.', examples: ['Roadster'] }),
});

export type CarProposal = z.output<typeof carProposalSchema>;

function areYears(years: string): boolean {
  const [first = 0, last = first] = years.split('-').map((year) => Number(year) || LAST_CAR_YEAR);
  return first >= FIRST_CAR_YEAR && first <= last && last <= LAST_CAR_YEAR;
}

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
    // A search makes one call per keystroke, and several people may share one IP address.
    limit: 600,
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
  similar: endpoint({
    method: 'GET',
    path: '/api/car-library/similar',
    access: 'public',
    // A search makes one call per keystroke, and several people may share one IP address.
    limit: 600,
    summary: 'Car models whose names are close to the query, closest first.',
    query: z.object({
      q: z
        .string()
        .trim()
        .min(LIMITS.carSearchCharactersMin)
        .max(LIMITS.similarCarsQueryCharactersMax)
        .meta({ examples: ['mazda mx5 1.9'] }),
    }),
    response: z.array(carModelSchema),
  }),
};
