import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';

/** A car in a driver's garage. */
export const userCarSchema = z.object({
  id: z.uuid(),
  make: z.string(),
  modelDisplay: z.string(),
  generation: z.string(),
  modelKey: z.string(),
  years: z.string().nullable(),
  nickname: z.string().nullable(),
  photoUrl: z.string().nullable(),
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
      modelKey: z.string().min(1).max(200),
      nickname: z.string().trim().min(1).max(LIMITS.nicknameCharactersMax).nullable().default(null),
    }),
    response: userCarSchema,
  }),
  retire: endpoint({
    method: 'DELETE',
    path: '/api/user-cars/:id',
    access: 'signed_in',
    summary: 'Takes a car out of the own garage. Its laps stay; its photo is removed.',
    params: z.object({ id: z.uuid() }),
    response: z.object({ removed: z.literal(true) }),
  }),
};
