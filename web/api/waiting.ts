import { useQuery } from '@tanstack/react-query';
import type { Waiting } from '#contract/moderation/evidence.ts';
import { mayModerate } from '#contract/people/labels.ts';
import { apiQuery } from './api-query.ts';
import { useCurrentUser } from './current-user.ts';

const NOTHING: Waiting = {
  flags: 0,
  appeals: 0,
  tracks: 0,
  cars: 0,
  since: { flags: null, appeals: null, tracks: null, cars: null },
};

/** Asks what waits for a decision of the user. */
export const waitingQuery = apiQuery('GET /api/admin/waiting');

/** Returns how much waits for a decision of the user; nothing for those who decide on nothing, and until it is known. */
export function useWaiting(): Waiting & { total: number } {
  const { user } = useCurrentUser();
  const { data } = useQuery({ ...waitingQuery, enabled: mayModerate(user) });
  const waiting = mayModerate(user) ? (data ?? NOTHING) : NOTHING;
  return { ...waiting, total: waiting.flags + waiting.appeals + waiting.tracks + waiting.cars };
}
