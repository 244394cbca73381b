import { z } from 'zod';

/** Describes what became of one case; as JSON between two processes. */
export const answerSchema = z.object({
  seed: z.number(),
  /** Name of the file, how it was broken, and what is wrong; null where nothing is. */
  problem: z.string().nullable(),
  isRead: z.boolean(),
  laps: z.number(),
  /** Processor time of one examination. */
  cpuMs: z.number(),
  /** Processor time of everything that the case took, such as breaking the file. */
  totalCpuMs: z.number(),
  peakBytes: z.number(),
});
export type Answer = z.infer<typeof answerSchema>;
