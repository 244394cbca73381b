import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** One lap file driven on one track in one car. */
export const sessionSchema = z.object({
  id: z.uuid(),
  trackId: z.string(),
  userCarId: z.uuid().nullable(),
  /** What its driver calls the car, else its model; told of cars that have left the garage too. */
  carName: z.string().nullable(),
  sessionDate: z.string(),
  tireCompound: z.string().nullable(),
  videoUrl: z.string().nullable(),
  lapCount: z.int(),
  bestLapTimeMs: z.int().nullable(),
});

export type Session = z.infer<typeof sessionSchema>;

export const sessionEndpoints = {
  listOfUser: endpoint({
    method: 'GET',
    path: '/api/sessions/user/:userId',
    access: 'signed_in',
    summary: "A driver's sessions, newest first.",
    params: z.object({ userId: z.uuid() }),
    response: z.array(sessionSchema),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id',
    access: 'signed_in',
    summary: 'Removes an own session with its laps and its lap file.',
    params: z.object({ id: z.uuid() }),
    response: z.object({ removed: z.literal(true) }),
  }),
};
