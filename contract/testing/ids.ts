import { z } from 'zod';
import type { LapId, UserId } from '#contract/ids.ts';

/** Makes any text the id of a lap, for tests. */
export const asLapId = (text: string): LapId => z.string().brand<'LapId'>().parse(text);

/** Makes any text the id of a user, for tests. */
export const asUserId = (text: string): UserId => z.string().brand<'UserId'>().parse(text);
