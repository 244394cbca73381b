import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { linkSchema } from '#contract/links.ts';
import { lapIdSchema, sessionIdSchema, trackIdSchema, userCarIdSchema } from '#contract/ids.ts';
import { timedLapSchema, tireCompoundSchema } from '#contract/laps/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { courseSuggestionSchema } from '#contract/tracks/courses.ts';
import { nonnegativeInt, nullableNumber, nullableText, positiveInt } from '#contract/values.ts';
import { fileTokenSchema } from './pending-files.ts';

const gpsSuggestionSchema = z.object({
  trackId: trackIdSchema,
  confidencePct: z
    .int()
    .min(0)
    .max(100)
    .meta({ examples: [97] }),
  lapCount: nonnegativeInt,
  bestLapTimeMs: z.int().nullable(),
  laps: z.array(timedLapSchema),
});

export type GpsSuggestion = z.infer<typeof gpsSuggestionSchema>;

/** The content of a lap file. None of it is on a board yet; the server keeps the file for a while. */
const analysisSchema = z.object({
  gpsSuggestions: z
    .array(gpsSuggestionSchema)
    .meta({ description: 'Best first; empty where the file matches no track or cannot be read.' }),
  courses: z.array(courseSuggestionSchema).max(LIMITS.suggestedCoursesMax).meta({
    description:
      'Courses of fetched sets that the file was driven on, best first, each with a proposed start line; empty where a track matches surely.',
  }),
  gpsPoints: z
    .array(z.object({ lat: z.number(), lon: z.number() }))
    .max(LIMITS.gpsPointsMax)
    .meta({ description: 'Thinned for a small map.', examples: [[{ lat: 51.17785, lon: 1.1989 }]] }),
  gpsPointCount: nonnegativeInt,
  lapCount: nonnegativeInt.meta({ description: 'Of the best suggestion.', examples: [12] }),
  bestLapTimeMs: z.int().nullable(),
  format: nullableText.meta({ examples: ['racechrono-csv'] }),
  gpsRateHz: nullableNumber.meta({ examples: [10] }),
  message: z
    .string()
    .optional()
    .meta({
      description: 'A sentence about why there are no suggestions, or another message for the driver.',
      examples: ['We could not find a known track in this file.'],
    }),
  fileToken: fileTokenSchema.optional(),
});

export type Analysis = z.infer<typeof analysisSchema>;

const uploadResultSchema = z.object({
  file: z.string().meta({ description: 'Its name.', examples: ['laps.csv'] }),
  success: z.boolean(),
  error: z
    .string()
    .optional()
    .meta({
      description: 'Why it failed; a sentence. Only where `success` is false.',
      examples: ['This file has already been uploaded.'],
    }),
  alreadyUploaded: z
    .literal(true)
    .optional()
    .meta({ description: 'Where it failed because the same driver has uploaded it before.' }),
  sessionId: sessionIdSchema.optional(),
  lapCount: z.int().optional(),
  bestLapTimeMs: z.int().nullable().optional(),
  bestLapId: lapIdSchema.nullable().optional(),
  simulatedLapId: lapIdSchema.optional().meta({
    description: 'The fastest lap of a simulator or of a sample, which ranks with no real ones.',
  }),
});

export type UploadResult = z.infer<typeof uploadResultSchema>;

const rivalLapSchema = z.object({
  lapId: lapIdSchema,
  userName: z.string().meta({ examples: ['Ben Okafor'] }),
  lapTimeMs: positiveInt.meta({ examples: [44_670] }),
});

/** The effect of an upload on the best lap of its driver, on the board of all times without a filter. */
const uploadBestSchema = z.object({
  lapId: lapIdSchema,
  lapTimeMs: positiveInt.meta({ description: 'Whole milliseconds.', examples: [44_986] }),
  isNew: z.boolean().meta({ description: 'Whether it was driven in one of the files.' }),
  rank: positiveInt.meta({ examples: [3] }),
  drivers: positiveInt.meta({ description: 'With a ranking lap on the track.', examples: [24] }),
  isRecord: z.boolean().meta({ description: 'Whether it is the fastest lap of the track.' }),
  ahead: rivalLapSchema.nullable().meta({ description: 'The best lap of the next faster driver.' }),
  rival: rivalLapSchema
    .extend({ shares: z.enum(['car', 'class']) })
    .nullable()
    .meta({
      description:
        'The nearest lap of another driver: a faster one in the same car model, else in the same race class, else a slower one.',
    }),
  record: rivalLapSchema
    .nullable()
    .meta({ description: 'The fastest lap of the track; null where it is this one.' }),
  previous: z
    .object({ lapId: lapIdSchema, lapTimeMs: positiveInt })
    .nullable()
    .meta({ description: "The driver's best lap before the upload; null where none ranked." }),
  sectors: z
    .array(
      z.object({
        name: z.string().meta({ examples: ['S1'] }),
        timeMs: z.int().nullable().meta({ description: 'The best in these files.' }),
        previousTimeMs: z.int().nullable().meta({ description: 'The best before them.' }),
      }),
    )
    .meta({ description: "The driver's best times of each sector, in milliseconds." }),
});

export type UploadBest = z.infer<typeof uploadBestSchema>;

/** Treats an empty form field as absent. */
const optionalField = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const uploadFieldsSchema = z.object({
  trackId: trackIdSchema,
  userCarId: optionalField(userCarIdSchema),
  tireCompound: optionalField(tireCompoundSchema),
  videoUrl: optionalField(linkSchema),
});

export const uploadEndpoints = {
  analyze: endpoint({
    method: 'POST',
    path: '/api/analyze-gps',
    access: 'signed_in',
    limit: 240,
    summary:
      'Reads one lap file, suggests tracks and times the laps on each. With `trackId`, times them on that track only. The answer names the file by a token.',
    multipart: {
      fileField: 'file',
      maxFiles: 1,
      takesTokens: true,
      fields: z.object({ trackId: optionalField(trackIdSchema) }),
    },
    response: analysisSchema,
    errors: {
      not_allowed: 'The file was sent by another driver, or the call came from another site.',
      not_found: 'There is no such track, or the file of the token is kept no longer.',
    },
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/upload',
    access: 'signed_in',
    limit: 120,
    summary:
      'Times and stores lap files driven on one track in one car; a result per file, in the order of the files.',
    multipart: {
      fileField: 'files',
      maxFiles: LIMITS.lapFilesPerUploadMax,
      takesTokens: true,
      fields: uploadFieldsSchema,
    },
    response: z.object({
      results: z.array(uploadResultSchema),
      best: uploadBestSchema
        .nullable()
        .meta({ description: "The driver's best lap on the track now; null where no lap of theirs ranks." }),
    }),
    errorField: 'message',
    errors: {
      not_found: 'There is no such track, or the file of a token is kept no longer.',
      not_allowed:
        'The car is not in your garage, a file was sent by another driver, or the call came from another site.',
    },
  }),
};
