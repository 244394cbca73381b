import { z } from 'zod';
import { lapIdSchema, sessionIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { sessionDateSchema, timedLapSchema, tireCompoundSchema } from '#contract/laps/schemas.ts';
import { nonnegativeInt, nullableText, positiveInt } from '#contract/values.ts';
import { BOARD_SCOPES } from './labels.ts';

const lapTimeMs = positiveInt.meta({ examples: [44_986] });

const spreadSchema = z.object({
  lapCount: positiveInt.meta({ description: 'The clean laps of the session.', examples: [11] }),
  medianMs: lapTimeMs.meta({ description: 'The median of the clean laps.' }),
  spreadMs: z
    .int()
    .nonnegative()
    .nullable()
    .meta({
      description: 'Half of the clean laps lie within this much of the median; null with fewer than five.',
      examples: [206],
    }),
});

export const drivenSessionSchema = z.object({
  sessionId: sessionIdSchema,
  sessionDate: sessionDateSchema,
  carName: nullableText.meta({
    description: "The driver's name for the car, else its model.",
    examples: ['Track toy'],
  }),
  carModel: nullableText.meta({
    description: 'Make, model, variant and generation.',
    examples: ['Mazda MX-5 1.8 (NB)'],
  }),
  carRaceClass: nullableText.meta({ examples: ['Roadster'] }),
  tireCompound: tireCompoundSchema.nullable(),
  videoUrl: nullableText,
  isPrivate: z.boolean().meta({ description: 'Whether others may not see the lines of its laps.' }),
  bestLapId: lapIdSchema.nullable().meta({ description: 'The best of its laps that ranks.' }),
  laps: z
    .array(
      timedLapSchema.extend({
        lapId: lapIdSchema,
        isClean: z.boolean().meta({
          description:
            'Whether it ranks, takes at most 107 % of the best of the session, and is neither an out lap nor an in lap.',
        }),
      }),
    )
    .meta({ description: 'The laps in the order of the file; for other drivers only ranking laps.' }),
  spread: spreadSchema.nullable().meta({ description: 'Null where no lap is clean.' }),
});

const bestSectorSchema = z.object({
  name: z.string().meta({ examples: ['S1'] }),
  timeMs: nonnegativeInt.meta({ description: 'Is 0 between lines that are almost one.', examples: [14_874] }),
  lapId: lapIdSchema.meta({ description: 'The ranking lap that it is from.' }),
});

const boardDriverSchema = z.object({
  lapId: lapIdSchema,
  driverId: userIdSchema,
  userName: z.string().meta({ examples: ['Ben Okafor'] }),
  lapTimeMs,
  rank: positiveInt.meta({ examples: [3] }),
});

const boardPlaceSchema = z.object({
  scope: z.enum(BOARD_SCOPES).meta({
    description:
      "All laps of the board, those of the race class of the driver's best lap, or those of its car model.",
  }),
  name: nullableText.meta({
    description: 'The class or the car model; null for the board.',
    examples: ['Roadster'],
  }),
  rank: positiveInt.meta({ examples: [7] }),
  drivers: positiveInt.meta({ description: 'All drivers, including this one.', examples: [14] }),
  ahead: boardDriverSchema.nullable().meta({ description: 'The next faster driver.' }),
  behind: boardDriverSchema.nullable().meta({ description: 'The next slower driver.' }),
  entries: z
    .array(
      boardDriverSchema.extend({
        count: positiveInt.meta({
          description: 'The drivers of about this time, of whom it is the first.',
          examples: [1],
        }),
      }),
    )
    .meta({
      description:
        'The best laps of the other drivers, the fastest first. On boards with more than 120 drivers the laps of about the same time are one entry.',
    }),
});

/** All sessions and laps of a driver on one track that the viewer may see. */
export const driverLapsSchema = z.object({
  isOwn: z.boolean(),
  trackName: z.string().meta({ examples: ['Lydden Hill'] }),
  trackConfiguration: nullableText.meta({ description: 'The layout.', examples: ['Rallycross'] }),
  userName: z.string().meta({ examples: ['Ana Lima'] }),
  sectorNames: z.array(z.string()).meta({ examples: [['S1', 'S2', 'S3']] }),
  sessions: z.array(drivenSessionSchema).meta({ description: 'The latest first.' }),
  best: z.object({ lapId: lapIdSchema, lapTimeMs, sectorTimesMs: z.array(z.int().nullable()) }).nullable(),
  bestSectors: z.array(bestSectorSchema).meta({ description: 'Empty where a sector was never timed.' }),
  theoreticalBestMs: lapTimeMs
    .nullable()
    .meta({ description: 'The sum of the best sectors; null without sectors.' }),
  places: z.array(boardPlaceSchema).meta({
    description:
      'The place of the best lap on the board of all times, in its class and in its car; empty without a ranking lap.',
  }),
});

export type BoardPlace = z.infer<typeof boardPlaceSchema>;

export type BoardDriver = z.infer<typeof boardDriverSchema>;

export type DriverLaps = z.infer<typeof driverLapsSchema>;

export const driverLapsEndpoint = endpoint({
  method: 'GET',
  path: '/api/tracks/:trackId/drivers/:userId/laps',
  access: 'signed_in',
  summary:
    'What a driver has driven on a track: sessions with their laps, best sectors, the theoretical best, the spread of each session and the place on the board. Of other drivers only what ranks.',
  params: z.object({ trackId: trackIdSchema, userId: userIdSchema }),
  response: driverLapsSchema,
  errors: { not_found: 'There is no such track or driver.' },
});
