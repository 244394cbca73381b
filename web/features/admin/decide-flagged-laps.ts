import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FlaggedLap } from '#contract/flags.ts';
import { describeError } from '#web/api/api-error.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { showToast } from '#web/ui/toasts.ts';

export type Deciding = ReturnType<typeof useDeciding>;
type Verdict = 'keep' | 'reject';
export type LatestDecision = { laps: FlaggedLap[]; verdict: Verdict };

/** The other laps of the session that one decision can cover: as the server chooses them. */
export function listDecidedTogether(
  queue: readonly FlaggedLap[],
  { lapId, sessionId, isRejected }: FlaggedLap,
): FlaggedLap[] {
  return queue.filter(
    (other) =>
      other.sessionId === sessionId &&
      other.lapId !== lapId &&
      other.isRejected === isRejected &&
      other.whyNot === null,
  );
}

/** What moderators do with the laps of the queue; each change fetches the queue again. */
export function useDeciding() {
  const queryClient = useQueryClient();
  const [latest, setLatest] = useState<LatestDecision | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  /** Does what answers the latest decision, or null where there is none to undo. */
  async function run(work: () => Promise<LatestDecision | null>): Promise<void> {
    setIsBusy(true);
    try {
      setLatest(await work());
    } catch (error) {
      showToast({ title: 'Not Decided', description: describeError(error), destructive: true });
    }
    await refresh(['admin', 'tracks', 'laps'], queryClient);
    setIsBusy(false);
  }

  return {
    latest,
    isBusy,
    decide: (laps: [FlaggedLap, ...FlaggedLap[]], verdict: Verdict, reason: string | null) =>
      run(async () => {
        const [{ trackId, lapId }] = laps;
        const { lapIds } = await callApi('POST /api/admin/tracks/:trackId/laps/:lapId/decision', {
          params: { trackId, lapId },
          body: { verdict, reason, wholeSession: laps.length > 1 },
        });
        return { laps: laps.filter((lap) => lapIds.includes(lap.lapId)), verdict };
      }),
    ask: ({ trackId, lapId }: FlaggedLap, question: string) =>
      run(async () => {
        await callApi('POST /api/admin/tracks/:trackId/laps/:lapId/question', {
          params: { trackId, lapId },
          body: { question },
        });
        return null;
      }),
    undo: ({ laps, verdict }: LatestDecision, { trackId, lapId }: FlaggedLap) =>
      run(async () => {
        await callApi('DELETE /api/admin/tracks/:trackId/laps/:lapId/decision', {
          params: { trackId, lapId },
        });
        const decided = laps.filter((lap) => lap.lapId !== lapId);
        return decided.length > 0 ? { laps: decided, verdict } : null;
      }),
  };
}
