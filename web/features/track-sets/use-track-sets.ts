import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { TrackSet } from '#contract/tracks/sets.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { refreshThisTab } from '#web/api/refresh.ts';
import { isMoving } from './describe-track-set.ts';

const POLL_MS = 1_000;
const POLL_ASKED_MS = 10_000;

/**
 * Returns the published sets, and follows those on their way. Once one is here, all data about tracks is fetched again before
 * `onInstalled` is called.
 */
export function useTrackSets(onInstalled: (setName: string) => void = () => {}) {
  const queryClient = useQueryClient();
  const query = useQuery({
    ...apiQuery('GET /api/track-sets'),
    staleTime: 0,
    refetchInterval: ({ state }) => findPollInterval(state.data?.sets ?? []),
  });
  const sets = query.data?.sets;
  const moving = useRef<readonly string[]>([]);
  const finish = useEffectEvent(async (names: readonly string[]) => {
    await refreshThisTab(['tracks', 'nearby-tracks', 'admin'], queryClient);
    for (const name of names) onInstalled(name);
  });
  useEffect(() => {
    if (!sets) return;
    const arrived = sets.filter(({ name, state }) => state === 'installed' && moving.current.includes(name));
    moving.current = sets
      .filter(({ state, hasAsked }) => isMoving(state) || hasAsked)
      .map(({ name }) => name);
    if (arrived.length > 0) void finish(arrived.map(({ name }) => name));
  }, [sets]);
  return { sets, query };
}

function findPollInterval(sets: readonly TrackSet[]): number | false {
  if (sets.some(({ state }) => isMoving(state))) return POLL_MS;
  return sets.some(({ hasAsked, state }) => hasAsked && state !== 'installed') ? POLL_ASKED_MS : false;
}
