import { z } from 'zod';
import { lapIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';

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
