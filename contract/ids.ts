import { z } from 'zod';

// An id of one kind is no id of another kind: the compiler refuses the id of a lap where that of a user belongs.

/** Stays the same for as long as the lap exists, also when its file is timed again. */
export const lapIdSchema = z
  .uuid()
  .brand<'LapId'>()
  .meta({ examples: ['2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934'] });

export type LapId = z.infer<typeof lapIdSchema>;

export const userIdSchema = z.uuid().brand<'UserId'>();

export type UserId = z.infer<typeof userIdSchema>;
