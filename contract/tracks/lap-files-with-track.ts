import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';

/** Describes a form with lap files and one field `track`, which holds JSON of this schema. */
export function lapFilesWithTrack<Track>(schema: z.ZodType<Track>, description: string) {
  const track = z
    .string()
    .max(LIMITS.trackProposalCharactersMax)
    .transform(parseJson)
    .pipe(schema)
    .meta({ description });
  return {
    fileField: 'file',
    maxFiles: LIMITS.lapFilesPerUploadMax,
    takesTokens: true,
    fields: z.object({ track }),
  } as const;
}

/** Parses the JSON of a form field. */
function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'This must be JSON.' });
    return z.NEVER;
  }
}
