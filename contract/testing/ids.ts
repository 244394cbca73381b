import { z } from 'zod';
import type { CarModelId, LapId, SessionId, TrackId, UserCarId, UserId } from '#contract/ids.ts';

// These functions make any text an id, for tests.

export const asTrackId = (text: string): TrackId => z.string().brand<'TrackId'>().parse(text);

export const asSessionId = (text: string): SessionId => z.string().brand<'SessionId'>().parse(text);

export const asLapId = (text: string): LapId => z.string().brand<'LapId'>().parse(text);

export const asUserId = (text: string): UserId => z.string().brand<'UserId'>().parse(text);

export const asCarModelId = (text: string): CarModelId => z.string().brand<'CarModelId'>().parse(text);

export const asUserCarId = (text: string): UserCarId => z.string().brand<'UserCarId'>().parse(text);
