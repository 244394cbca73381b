import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { comparisonIdSchema, lapIdSchema, trackIdSchema } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { momentSchema, nullableText } from '#contract/values.ts';

const COMPARED_LAPS_MAX = 4;

const comparedLapIds = z
  .array(lapIdSchema)
  .min(2, 'A comparison has at least two laps.')
  .max(COMPARED_LAPS_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'Each lap may be named once.')
  .meta({ description: 'The reference first.' });

const comparisonName = z
  .string()
  .trim()
  .min(1, 'Please enter a name.')
  .max(LIMITS.comparisonNameCharactersMax)
  .regex(/^\P{C}*$/u, 'The name must not hold invisible characters.');

const NOT_YOURS = { not_found: 'There is no such comparison.', not_allowed: 'Somebody else has saved it.' };

const savedComparisonSchema = z.object({
  id: comparisonIdSchema,
  name: z.string().meta({ examples: ['New tyres against old'] }),
  trackId: trackIdSchema,
  trackName: z.string().meta({ examples: ['Lydden Hill'] }),
  configuration: nullableText.meta({ examples: ['Grand Prix'] }),
  lapIds: z.array(lapIdSchema),
  savedAt: momentSchema,
});

export type SavedComparison = z.infer<typeof savedComparisonSchema>;

export const savedComparisonEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/comparisons',
    access: 'signed_in',
    summary: 'The comparisons that the caller has saved, the latest first.',
    response: z.array(savedComparisonSchema),
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/comparisons',
    access: 'signed_in',
    limit: 60,
    summary: 'Saves a comparison under a name. It is deleted as soon as one of its laps is.',
    body: z.object({
      name: comparisonName,
      trackId: trackIdSchema,
      lapIds: comparedLapIds,
    }),
    response: z.object({ id: comparisonIdSchema }),
    errors: {
      not_found: 'There is no such lap, or it does not rank and is not yours.',
      not_allowed: 'The lap does not rank: only its driver sees its line.',
      lines_private: 'The driver of one of the laps keeps its line private.',
      conflict: `The caller has saved ${LIMITS.savedComparisonsMax} comparisons already.`,
    },
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/api/comparisons/:comparisonId',
    access: 'signed_in',
    limit: 60,
    summary: 'Gives a comparison that the caller has saved another name.',
    params: z.object({ comparisonId: comparisonIdSchema }),
    body: z.object({ name: comparisonName }),
    response: z.object({ renamed: z.literal(true) }),
    errors: NOT_YOURS,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/comparisons/:comparisonId',
    access: 'signed_in',
    summary: 'Deletes a comparison that the caller has saved; its laps stay.',
    params: z.object({ comparisonId: comparisonIdSchema }),
    response: z.object({ deleted: z.literal(true) }),
    errors: NOT_YOURS,
  }),
};
