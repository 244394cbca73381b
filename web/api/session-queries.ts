import type { UserId } from '#contract/ids.ts';
import { apiQuery } from './api-query.ts';

/** Returns the query of a driver's sessions, newest first. */
export const sessionsQuery = (userId: UserId) =>
  apiQuery('GET /api/sessions/user/:userId', { params: { userId } });
