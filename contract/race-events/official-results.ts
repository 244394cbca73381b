import { z } from 'zod';
import { signatureSchema } from '#contract/signature.ts';
import { momentSchema } from '#contract/values.ts';
import {
  entrySchema,
  listedSchema,
  resultsSchema,
  runSchema,
  settingsSchema,
  classSchema,
} from './schemas.ts';

/**
 * The results of an event with the runs that they follow from. Drivers are known by their numbers, so that the document stays as it
 * was signed when an account leaves and takes its name with it.
 */
export const officialResultsSchema = z.object({
  kind: z.literal('pitboard-event-results-1'),
  site: z.string().meta({ description: 'The server that made it.', examples: ['https://laps.example.org'] }),
  event: listedSchema.pick({ id: true, name: true, firstDay: true, lastDay: true, courses: true }),
  settings: settingsSchema,
  classes: z.array(classSchema),
  entries: z.array(
    entrySchema.pick({
      id: true,
      classId: true,
      number: true,
      carName: true,
      group: true,
      withdrawnAt: true,
    }),
  ),
  runs: z.array(runSchema.omit({ recordedBy: true })),
  results: resultsSchema,
  officialAt: momentSchema.nullable().meta({ description: 'Null as long as the results may change.' }),
  signature: signatureSchema.nullable().meta({ description: 'Null as long as the results may change.' }),
});

export type OfficialResults = z.infer<typeof officialResultsSchema>;
