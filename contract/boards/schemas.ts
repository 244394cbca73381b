import { z } from 'zod';
import { lapIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { positiveInt } from '#contract/values.ts';
import { boardFilterSchema } from './filter.ts';
import { boardParams, lapRecordSchema } from '#contract/laps/schemas.ts';

export const recordHolderSchema = z.object({
  lapId: lapIdSchema,
  driverId: userIdSchema,
  userName: z.string(),
  carName: z.string().nullable(),
  lapTimeMs: positiveInt.meta({ description: 'Milliseconds.', examples: [44_986] }),
  since: z.string().meta({ description: 'ISO 8601, UTC.', examples: ['2026-06-07T09:12:40Z'] }),
});

export type RecordHolder = z.infer<typeof recordHolderSchema>;

export const recordHistoryEndpoint = endpoint({
  method: 'GET',
  path: '/api/laps/track/:trackId/record-history',
  access: 'public',
  summary: 'Who held the record of a track since when, the one in force first; the latest 100.',
  params: z.object({ trackId: trackIdSchema }),
  response: z.array(recordHolderSchema),
  isTagged: true,
  errors: { not_found: 'There is no such track.' },
});

export const simulatedRecordSchema = lapRecordSchema.extend({
  rank: lapRecordSchema.shape.rank.nullable().meta({ description: 'Null for samples, which have no rank.' }),
  isSample: z.boolean().meta({ description: 'Whether the lap is of a sample lap file.' }),
});

export type SimulatedRecord = z.infer<typeof simulatedRecordSchema>;

export const simulatorBoardEndpoint = endpoint({
  method: 'GET',
  path: '/api/laps/track/:trackId/simulated',
  access: 'public',
  limit: 240,
  summary:
    'The board of a track for laps of simulators: the best lap of every driver, fastest first. It exists where an owner has switched it on. Laps of sample lap files follow without a rank, unless samples are switched off.',
  params: boardParams,
  query: boardFilterSchema.pick({ raceClass: true }),
  response: z.object({
    isOn: z.boolean().meta({ description: 'Whether the site has boards for simulators.' }),
    records: z
      .array(simulatedRecordSchema)
      .meta({ description: 'Laps of simulators where their boards are on, then samples.' }),
    raceClasses: z
      .array(z.string())
      .meta({ description: 'The classes of the cars of all its laps, for the filter.', examples: [['GT3']] }),
  }),
  errors: { not_found: 'There is no such track.' },
});

export const activityEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/activity',
  access: 'admin',
  summary:
    'What was driven: the ranking laps of each of the last 14 weeks; the drivers, tracks and records of the last, and who was here. A week is seven days up to now.',
  response: z.object({
    laps: z.array(z.int()).meta({ description: 'One entry for each week, the oldest first.' }),
    drivers: z.int(),
    tracks: z.int(),
    records: z.int().meta({ description: 'Tracks whose record was driven in the last week.' }),
    seen: z.int().meta({ description: 'People who were here in the last week.' }),
  }),
});
