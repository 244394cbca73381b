import { z } from 'zod';

/** The code of a live session is its link: everybody who knows it may watch. */
export const liveCodeSchema = z
  .string()
  .regex(/^[a-hjkmnp-z2-9]{12}$/, 'A live code has twelve letters and digits.')
  .brand<'LiveCode'>()
  .meta({ examples: ['k7mq2fwd9xtb'] });

export type LiveCode = z.infer<typeof liveCodeSchema>;
