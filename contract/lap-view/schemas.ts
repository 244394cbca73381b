import { z } from 'zod';
import { lapIdSchema, sessionIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { nullableNumber, nullableText, positiveInt } from '#contract/values.ts';
import { traceChannelsSchema } from './channels.ts';
import { drivenCornerSchema, lapComparisonSchema } from './comparison.ts';
import { LAP_EVIDENCE } from '#contract/laps/labels.ts';
import { exportQuerySchema } from '#contract/laps/exports.ts';
import { lapRecordSchema, timedLapSchema } from '#contract/laps/schemas.ts';

const partSchema = (description: string, example: number) =>
  z
    .number()
    .nonnegative()
    .meta({ description: `${description} In milliseconds.`, examples: [example] });

const uncertaintyPartsSchema = z.object({
  noiseMs: partSchema('Noise of the positions at both crossings of the line.', 4.1),
  driftMs: partSchema('Slow errors of the positions that differ between the two crossings.', 6.3),
  interpolationMs: partSchema('What the car may have done between two positions.', 2.2),
  clockMs: partSchema('Time stamps that are cut to whole steps.', 0.4),
});

export type UncertaintyParts = z.infer<typeof uncertaintyPartsSchema>;

const sectorTimesSchema = z.array(z.int().nullable()).meta({
  description: 'Milliseconds; null for a sector whose line was not passed.',
  examples: [[15_210, 14_874, 14_902]],
});

/** Another lap, in relation to the lap on the page. */
export const lapLinkSchema = z.object({
  lapId: lapIdSchema,
  driverId: userIdSchema,
  userName: z.string().meta({ examples: ['Ben Okafor'] }),
  lapTimeMs: positiveInt.meta({ examples: [44_670] }),
  gapMs: z.int().meta({
    description:
      'From that lap to the one that is looked at, in milliseconds: above zero where the one that is looked at is slower.',
    examples: [316],
  }),
  sectorTimesMs: sectorTimesSchema,
});

export type LapLink = z.infer<typeof lapLinkSchema>;

export const rivalSchema = lapLinkSchema.extend({
  shares: z
    .enum(['car', 'class'])
    .meta({ description: 'Has the same car model, or only the same race class.' }),
});

const placeSchema = z.object({
  rank: positiveInt.meta({ description: 'On the board of all times without a filter.', examples: [3] }),
  drivers: positiveInt.meta({ examples: [24] }),
  ahead: lapLinkSchema.nullable().meta({ description: 'The best lap of the next faster driver.' }),
  behind: lapLinkSchema.nullable().meta({ description: 'The best lap of the next slower driver.' }),
});

const sourceSchema = z.object({
  format: z.string().meta({ description: 'The format of the lap file.', examples: ['racechrono-csv-v3'] }),
  formatName: z.string().meta({ description: 'Its name for people.', examples: ['RaceChrono CSV v3'] }),
  gpsRateHz: nullableNumber.meta({ description: 'Positions a second.', examples: [25] }),
  fileSha256: z.string().meta({ description: 'Fingerprint of the lap file.' }),
  engineVersion: z.string().meta({ description: 'Of the engine that timed the lap.', examples: ['7'] }),
});

const { driverId: _driverId, ...shownOnBoards } = lapRecordSchema.omit({
  rank: true,
  gapMs: true,
  videoUrl: true,
}).shape;

export const lapViewSchema = z.object({
  ...timedLapSchema.shape,
  ...shownOnBoards,
  trackId: trackIdSchema,
  sessionId: sessionIdSchema,
  driverId: userIdSchema,
  uncertaintyParts: uncertaintyPartsSchema.nullable().meta({
    description:
      'Half widths of 95 % intervals, whose squares add up to that of `uncertaintyMs`. Null where the logger timed the lap, or its lap file is not there any more.',
  }),
  sectorNames: z
    .array(z.string())
    .meta({ description: 'One for each of `sectorTimesMs`.', examples: [['S1', 'S2', 'S3']] }),
  carName: nullableText.meta({
    description: "The driver's name for the car, if the viewer is signed in; else its model.",
    examples: ['Track toy'],
  }),
  videoUrl: nullableText.meta({ examples: ['https://video.example/lap'] }),
  evidence: z.array(z.enum(LAP_EVIDENCE)).meta({
    description:
      '`file`: timed here from the lap file. `video`: its driver has linked a video. `video-gps`: the positions of a camera agree. `official`: confirmed from a published result.',
  }),
  grantedEvidence: z
    .array(z.object({ kind: z.enum(['official', 'video-gps']), source: z.string() }))
    .meta({ description: 'Where the result is published, and which camera agrees.' }),
  source: sourceSchema,
  isOwn: z.boolean(),
  isPrivate: z
    .boolean()
    .meta({ description: 'Its driver keeps the line private: only they see the trace and compare it.' }),
  canBeCompared: z.boolean().meta({ description: 'Whether the caller may see its trace and compare it.' }),
  place: placeSchema
    .nullable()
    .meta({ description: "Null where it is not its driver's best lap on the board." }),
  record: lapLinkSchema.nullable().meta({ description: 'The fastest lap of the track.' }),
  ownBest: lapLinkSchema.nullable().meta({ description: "The caller's own best lap on the track." }),
  driverBest: lapLinkSchema.nullable().meta({ description: 'The best lap of its driver on the track.' }),
  recordInCar: lapLinkSchema
    .nullable()
    .meta({ description: 'The fastest lap of the track with the same car model.' }),
  rival: rivalSchema.nullable().meta({
    description:
      'The nearest lap of another driver who shows the line: a faster one in the same car model, else in the same race class, else a slower one.',
  }),
  compareWith: lapIdSchema.nullable().meta({
    description:
      "With which other lap to compare it first: the caller's own best, else the record. Null where the caller may not see the lines of either.",
  }),
});

export type LapView = z.infer<typeof lapViewSchema>;

const column = (description: string, examples: number[]) =>
  z.array(z.number()).meta({ description, examples: [examples] });

/**
 * A lap from one crossing of the start/finish line to the next. All columns are equally long: the first and the last
 * entry are on the line. Accelerations follow from these columns where the logger has no sensor for them.
 */
export const lapTraceSchema = z.object({
  timesMs: column('Since the start of the lap.', [0, 38.2, 78.2]),
  meters: column("Along the track's reference line, from the start/finish line.", [0, 1.6, 3.3]),
  latSteps: column(
    'Degrees north, WGS 84, in ten-millionths: the first position, then the step from each to the next.',
    [511_777_100, 102, 98],
  ),
  lonSteps: column('Degrees east, as `latSteps`.', [11_989_000, 301, 297]),
  speedsKmh: column('Kilometres per hour.', [151.2, 152, 152.7]),
  channels: traceChannelsSchema,
  corners: z.array(drivenCornerSchema).meta({ description: 'In driving order.' }),
});

export type LapTrace = z.infer<typeof lapTraceSchema>;

export const lapLinesSchema = z.object({
  comparison: lapComparisonSchema.nullable().meta({
    description: 'Null where there is no other lap, or both were not driven along the same way.',
  }),
  trace: lapTraceSchema.nullable().meta({
    description:
      'The lap alone, where there is no comparison. Both are null where the caller may not see the line, or its lap file is not there any more.',
  }),
});

export type LapLines = z.infer<typeof lapLinesSchema>;

export const lapParams = z.object({ trackId: trackIdSchema, lapId: lapIdSchema });

export const NO_SUCH_LAP = 'There is no such lap, or it does not rank and is not yours.';

export const LINE_ERRORS = {
  not_found: 'There is no such lap, its lap file is gone, or it does not rank and is not yours.',
  not_allowed: 'The lap does not rank: only its driver sees its line.',
  lines_private: 'Its driver keeps the line of the lap private; `fields.lapId` says which lap.',
};

const OTHER_LAPS_MAX = 3;

const otherLapsSchema = z
  .string()
  .transform((text) => text.split(','))
  .pipe(
    z
      .array(lapIdSchema)
      .min(1)
      .max(OTHER_LAPS_MAX, `A lap is compared with ${OTHER_LAPS_MAX} others at most.`)
      .refine((ids) => new Set(ids).size === ids.length, 'Each lap may be named once.'),
  )
  .meta({
    description: `Up to ${OTHER_LAPS_MAX} other laps of the track, joined by commas. The lap of the path is the reference.`,
    examples: ['7c1d0a44-3a0f-4f2b-9f53-0d6f5f1f9f11'],
  });

export const lapViewEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/laps/:lapId',
    access: 'public',
    // The page of laps makes one of these calls for each of them.
    limit: 240,
    summary:
      'Returns one lap: its time, the components of its uncertainty, its sectors, car, source and rank on the board, and the laps to compare it with.',
    params: lapParams,
    response: lapViewSchema,
    isTagged: true,
    errors: { not_found: NO_SUCH_LAP },
  }),
  trace: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/laps/:lapId/trace',
    access: 'public',
    limit: 240,
    summary:
      'One lap as it was driven, between its two crossings of the line: times, distances, positions, speeds, and what other sensors of the logger recorded.',
    params: lapParams,
    response: lapTraceSchema,
    isTagged: true,
    errors: LINE_ERRORS,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/laps/:lapId/export',
    access: 'public',
    limit: 60,
    summary:
      'One lap as a file for other programs, between its two crossings of the line: `vbo`, `gpx`, `racechrono` (CSV v3) or `geojson`.',
    params: lapParams,
    query: exportQuerySchema,
    response: 'application/octet-stream',
    errors: LINE_ERRORS,
  }),
  comparison: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/laps/:lapId/comparison',
    access: 'public',
    limit: 240,
    summary:
      'Up to four laps compared by where the cars were: gaps with their uncertainty, speeds, lines, corners, and where time is lost.',
    params: lapParams,
    query: z.object({ with: otherLapsSchema }),
    response: lapComparisonSchema,
    isTagged: true,
    errors: { ...LINE_ERRORS, laps_do_not_compare: 'The laps were not driven along the same way.' },
  }),
  lines: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/laps/:lapId/lines',
    access: 'public',
    limit: 240,
    summary:
      'The line of a lap with that of the lap that it is compared with first, which is the reference: `compareWith` of the lap.',
    params: lapParams,
    response: lapLinesSchema,
    isTagged: true,
    errors: { not_found: NO_SUCH_LAP },
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/laps/:lapId/preview.png',
    access: 'public',
    limit: 120,
    summary:
      'The picture of a link to a lap that ranks, 1200 by 630 pixels: the track, the lap time and who drove it; with `vs`, both laps and the gap.',
    params: lapParams,
    query: z.object({
      vs: lapIdSchema.optional().meta({ description: 'Another lap of the track that ranks.' }),
    }),
    response: 'image/png',
    isTagged: true,
    errors: { not_found: 'There is no such lap, or it does not rank.' },
  }),
};
