import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LiveCode } from '#contract/live/code.ts';
import type { LiveMove, LiveUpdate } from '#contract/live/schemas.ts';
import { ApiError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { followStream } from '#web/api/event-stream.ts';
import { addMoves, addUpdate, beginView, type LiveView } from './live-view.ts';

export const liveQuery = (code: LiveCode) => apiQuery('GET /api/live/:code', { params: { code } });

const POLL_EVERY_MS = 4_000;
const TICK_MS = 1_000;

/** Follows a live session. What the page knows stays on it after the end; nothing is kept on the server. */
export function useLiveView(code: LiveCode) {
  const { data, error, refetch } = useQuery(liveQuery(code));
  const queryClient = useQueryClient();
  // The server's clock stands for this one in the first render, which both make alike.
  const [view, setView] = useState<LiveView | null>(() => (data ? beginView(data, data.now) : null));
  const shown = view ?? (data ? beginView(data, data.now) : null);

  useEffect(() => {
    const change = (next: (view: LiveView) => LiveView) =>
      setView((before) => {
        const known = queryClient.getQueryData(liveQuery(code).queryKey);
        const from = before ?? (known ? beginView(known, Date.now()) : null);
        return from && next(from);
      });
    const end = () => change((from) => ({ ...from, hasEnded: true }));
    return followStream({
      live: code,
      on: {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The server sends what the contract says.
        live: (update) => change((from) => addUpdate(from, update as LiveUpdate, Date.now())),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The server sends what the contract says.
        'live-moves': (moves) => change((from) => addMoves(from, moves as LiveMove[], Date.now())),
        'live-end': end,
      },
      poll: async () => {
        try {
          const state = await callApi('GET /api/live/:code', { params: { code } });
          change((from) => addUpdate(from, { ...state, gone: [] }, Date.now()));
        } catch (failure) {
          if (failure instanceof ApiError && failure.status === 404) end();
        }
      },
      pollEveryMs: POLL_EVERY_MS,
    });
  }, [code, queryClient]);

  return { view: shown, error, firstNow: data?.now ?? 0, refetch: () => void refetch() };
}

/** Returns the server's time, once a second; at first the moment of the answer. */
export function useServerNow(view: LiveView, firstNow: number): number {
  const [now, setNow] = useState(firstNow);
  const { aheadMs } = view;
  useEffect(() => {
    const tick = () => setNow(Date.now() + aheadMs);
    tick();
    const timer = window.setInterval(tick, TICK_MS);
    return () => window.clearInterval(timer);
  }, [aheadMs]);
  return now;
}
