import { z } from 'zod';
import { lapIdSchema, sessionIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { sessionDateSchema, timedLapSchema, tireCompoundSchema } from '#contract/laps/schemas.ts';

const lapTimeMs = z
  .int()
  .positive()
  .meta({ examples: [44_986] });

export const drivenSessionSchema = z.object({
  sessionId: sessionIdSchema,
  sessionDate: sessionDateSchema,
  carName: z
    .string()
    .nullable()
    .meta({ description: "The driver's name for the car, else its model.", examples: ['Track toy'] }),
  carModel: z
    .string()
    .nullable()
    .meta({ description: 'Make, model, variant and generation.', examples: ['Mazda MX-5 1.8 (NB)'] }),
  tireCompound: tireCompoundSchema.nullable(),
  videoUrl: z.string().nullable(),
  isPrivate: z.boolean().meta({ description: 'Whether others may not see the lines of its laps.' }),
  bestLapId: lapIdSchema.nullable().meta({ description: 'The best of its laps that ranks.' }),
  laps: z
    .array(timedLapSchema.extend({ lapId: lapIdSchema }))
    .meta({ description: 'The laps in the order of the file; for other drivers only ranking laps.' }),
});

const bestSectorSchema = z.object({
  name: z.string().meta({ examples: ['S1'] }),
  timeMs: z
    .int()
    .positive()
    .meta({ examples: [14_874] }),
  lapId: lapIdSchema.meta({ description: 'The ranking lap that it is from.' }),
});

const consistencySchema = z.object({
  lapCount: z
    .int()
    .positive()
    .meta({ description: 'Ranking laps that are counted.', examples: [34] }),
  medianMs: lapTimeMs.meta({ description: 'The middle one of the lap times.' }),
  spreadMs: z
    .int()
    .nonnegative()
    .meta({
      description:
        'Half of the ranking laps lie in a range of this width around the middle one (from the first to the third quartile).',
      examples: [412],
    }),
});

/** A lap that was the best so far when it was driven, with one car model on one category of tyres. */
const bestOverTimeSchema = z.object({
  lapId: lapIdSchema,
  lapTimeMs,
  sessionDate: sessionDateSchema,
  carModel: z.string().nullable(),
  tireCompound: tireCompoundSchema.nullable(),
});

/** All sessions and laps of a driver on one track that the viewer may see. */
export const driverLapsSchema = z.object({
  isOwn: z.boolean(),
  userName: z.string().meta({ examples: ['Ana Lima'] }),
  sectorNames: z.array(z.string()).meta({ examples: [['S1', 'S2', 'S3']] }),
  sessions: z.array(drivenSessionSchema).meta({ description: 'The latest first.' }),
  best: z.object({ lapId: lapIdSchema, lapTimeMs, sectorTimesMs: z.array(z.int().nullable()) }).nullable(),
  bestSectors: z.array(bestSectorSchema).meta({ description: 'Empty where a sector was never timed.' }),
  theoreticalBestMs: lapTimeMs
    .nullable()
    .meta({ description: 'The sum of the best sectors; null without sectors.' }),
  consistency: consistencySchema.nullable().meta({ description: 'Null with fewer than five ranking laps.' }),
  bestsOverTime: z.array(bestOverTimeSchema).meta({
    description: 'For each car model and tyres, every lap that was the best so far; in the order of time.',
  }),
});

export type DriverLaps = z.infer<typeof driverLapsSchema>;

export const driverLapsEndpoint = endpoint({
  method: 'GET',
  path: '/api/tracks/:trackId/drivers/:userId/laps',
  access: 'signed_in',
  summary:
    'What a driver has driven on a track: sessions with their laps, best sectors, the theoretical best, consistency and bests over time. Of other drivers only what ranks.',
  params: z.object({ trackId: trackIdSchema, userId: userIdSchema }),
  response: driverLapsSchema,
  errors: { not_found: 'There is no such track or driver.' },
});
