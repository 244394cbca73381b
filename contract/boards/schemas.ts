import { z } from 'zod';
import { lapIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { boardFilterSchema } from './filter.ts';
import { boardParams, lapRecordSchema } from '#contract/laps/schemas.ts';

export const recordHolderSchema = z.object({
  lapId: lapIdSchema,
  driverId: userIdSchema,
  userName: z.string(),
  carName: z.string().nullable(),
  lapTimeMs: z
    .int()
    .positive()
    .meta({ description: 'Milliseconds.', examples: [44_986] }),
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

export const simulatorBoardEndpoint = endpoint({
  method: 'GET',
  path: '/api/laps/track/:trackId/simulated',
  access: 'public',
  limit: 240,
  summary:
    'The board of a track for laps of simulators: the best lap of every driver, fastest first. It exists where an owner has switched it on.',
  params: boardParams,
  query: boardFilterSchema.pick({ raceClass: true }),
  response: z.object({
    isOn: z.boolean().meta({ description: 'Whether the site has boards for simulators.' }),
    records: z.array(lapRecordSchema).meta({ description: 'Empty where they are off.' }),
    raceClasses: z
      .array(z.string())
      .meta({ description: 'The classes of the cars of all its laps, for the filter.', examples: [['GT3']] }),
  }),
  errors: { not_found: 'There is no such track.' },
});
