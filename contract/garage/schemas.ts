import { z } from 'zod';
import { userCarIdSchema } from '#contract/ids.ts';
import { carModelSchema, carProposalSchema } from '#contract/cars/schemas.ts';
import { endpoint } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { INVISIBLE_CHARACTERS, VISIBLE_NAME } from '#contract/names.ts';
import { nullableText } from '#contract/values.ts';

export const userCarSchema = z.object({
  id: userCarIdSchema,
  make: z.string().meta({ examples: ['Mazda'] }),
  modelDisplay: z.string().meta({ examples: ['MX-5 1.8'] }),
  generation: z.string().meta({ examples: ['NB'] }),
  modelKey: z.string().meta({ examples: ['mazda-mx-5-nb-1-8'] }),
  years: nullableText.meta({ examples: ['1998-2005'] }),
  status: carModelSchema.shape.status,
  nickname: nullableText.meta({ examples: ['Track toy'] }),
  photoUrl: nullableText.meta({ examples: ['/api/images/0b6f3c52-7a54-4a5e-8f0e-6b1c2d3e4f50'] }),
});

export type UserCar = z.infer<typeof userCarSchema>;

export const garageEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/user-cars',
    access: 'signed_in',
    summary: "The signed-in driver's garage.",
    response: z.array(userCarSchema),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/user-cars',
    access: 'signed_in',
    summary: 'Puts a car of the library into the garage.',
    body: z.object({
      modelKey: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'Of a car of the library.', examples: ['mazda-mx-5-nb-1-8'] }),
      nickname: z
        .string()
        .trim()
        .min(1)
        .max(LIMITS.nicknameCharactersMax)
        .regex(VISIBLE_NAME, INVISIBLE_CHARACTERS)
        .nullable()
        .default(null),
    }),
    response: userCarSchema,
    errors: { not_found: 'There is no such car in the library.' },
  }),
  propose: endpoint({
    method: 'POST',
    path: '/api/user-cars/proposals',
    access: 'signed_in',
    // Most of these calls may be refused while the driver corrects the input.
    limit: 30,
    audit: 'propose-car',
    summary: 'Adds a car model that the library lacks, and puts it into the garage at once.',
    body: carProposalSchema,
    response: userCarSchema,
    errors: {
      conflict: 'The library has this car already, or the garage is full.',
      too_many_requests: `Somebody may propose ${LIMITS.carProposalsPerDayMax} cars a day.`,
    },
  }),
  retire: endpoint({
    method: 'DELETE',
    path: '/api/user-cars/:id',
    access: 'signed_in',
    summary: 'Takes a car out of the own garage. Its laps stay; its photo is removed.',
    params: z.object({ id: userCarIdSchema }),
    response: z.object({ removed: z.literal(true) }),
    errors: {
      not_found: 'There is no such car.',
      not_allowed: 'The car is not in your garage, or the call came from another site.',
    },
  }),
};
