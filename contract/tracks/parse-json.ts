import { z } from 'zod';

/** Parses the JSON of a form field. */
export function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'This must be JSON.' });
    return z.NEVER;
  }
}
