import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { lapIdSchema, sessionDateSchema, timedLapSchema } from './laps.ts';

/** A lap that was driven from line to line and does not count. */
const refusedLapSchema = timedLapSchema
  .pick({ number: true, lapTimeMs: true, reasons: true })
  .extend({ lapId: lapIdSchema });

export type RefusedLap = z.infer<typeof refusedLapSchema>;

/** One lap file driven on one track in one car. */
const sessionSchema = z.object({
  id: z.uuid(),
  trackId: z.string().meta({ examples: ['lydden-hill-rallycross'] }),
  userCarId: z.uuid().nullable(),
  carName: z
    .string()
    .nullable()
    .meta({
      description:
        'What its driver calls the car, else its model; also given after the car has left the garage.',
      examples: ['Track toy'],
    }),
  sessionDate: sessionDateSchema,
  tireCompound: z
    .string()
    .nullable()
    .meta({ examples: ['track-200'] }),
  videoUrl: z
    .string()
    .nullable()
    .meta({ examples: ['https://video.example/lap'] }),
  lapCount: z.int().meta({ description: 'Complete laps.', examples: [12] }),
  bestLapTimeMs: z
    .int()
    .nullable()
    .meta({ description: 'The best that ranks, in milliseconds.', examples: [44_986] }),
  bestLapId: lapIdSchema.nullable(),
  refusedLaps: z
    .array(refusedLapSchema)
    .nullable()
    .meta({
      description:
        'The laps that do not count, but for out laps and in laps; null in the sessions of others.',
      examples: [
        [
          {
            lapId: '2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934',
            number: 3,
            lapTimeMs: 41_207,
            reasons: ['off_track'],
          },
        ],
      ],
    }),
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
    errors: { not_found: 'There is no such driver.' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id',
    access: 'signed_in',
    summary: 'Removes an own session with its laps and its lap file.',
    params: z.object({ id: z.uuid() }),
    response: z.object({ removed: z.literal(true) }),
    errors: {
      not_found: 'There is no such session.',
      not_allowed: 'The session is not yours, or the call came from another site.',
    },
  }),
};
